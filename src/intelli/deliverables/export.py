"""Exports: a completed deliverable rendered in another form, once for each form and edition."""

from uuid import UUID

import structlog

from intelli.content import file_names
from intelli.deliverables import rendering, save, show, store
from intelli.deliverables.errors import NotReady, UnknownFormat
from intelli.deliverables.forms import FORMS, Edition, ExportForm
from intelli.deliverables.kinds import kind_of
from intelli.deliverables.tables import Deliverable, Export
from intelli.deliverables.wire import Status
from intelli.entities import content
from intelli.entities.entity_types import EntityType
from intelli.kit.blobs import Blobs
from intelli.kit.db import Tx
from intelli.kit.errors import IntelliError
from intelli.kit.jobs import Job, Queue
from intelli.kit.work import TRANSIENT, LeaseLost, Work

_OURS = "Something went wrong on our side. Ask for it again."
_BODY = "export"
log = structlog.get_logger()


async def request_export(tx: Tx, deliverable_id: UUID, form: str, edition: Edition = Edition.CLEAN) -> Export:
    """Return the export of a form and edition, creating it and enqueuing its job when it is new or has failed."""
    if form not in FORMS:
        raise UnknownFormat(f"There is no such format. Use one of {', '.join(FORMS)}.")
    row = await show.get(tx, deliverable_id)
    if row.status != Status.COMPLETED:
        raise NotReady(f"This deliverable is {row.status}. Only one that is completed can be exported.")
    export, is_new = await store.insert_or_lock_export(tx, row, form, edition)
    if is_new or export.status == Status.FAILED:
        await store.update_export(tx, export.id, status=Status.PENDING, progress=0.0, error=None)
        await tx.defer(EXPORT, key=f"export:{export.id}", export_id=str(export.id))
    found = await store.find_export(tx, export.id)
    assert found is not None, "it was there a moment ago"
    return found


async def render_export(work: Work, export_id: UUID) -> None:
    """Render and save an export; do nothing when it is completed."""
    async with work.begin() as tx:
        export = await store.find_export(tx, export_id)
        row = await store.find(tx, export.deliverable_id) if export else None
        if export is None or row is None or export.status == Status.COMPLETED:
            return
        await store.update_export(tx, export_id, status=Status.IN_PROGRESS, progress=0.1)
    try:
        await _render_and_save(work, export, row)
    except (LeaseLost, *TRANSIENT):
        raise
    except Exception as error:  # the edge of every export
        log.exception("export_failed", export_id=str(export_id), error=type(error).__name__)
        words = error.detail if isinstance(error, IntelliError) else _OURS
        async with work.begin() as tx:
            await store.update_export(tx, export_id, status=Status.FAILED, error=words)


async def _render_and_save(work: Work, export: Export, row: Deliverable) -> None:
    blobs, form = work.part(Blobs), FORMS[export.format]
    brief, text = await show.read_brief(blobs, row), await show.read_gml(blobs, row)
    edition = Edition(export.edition)
    request = rendering.RenderRequest(form=form.name, brief=brief, gml=text, kind=row.kind, edition=edition)
    made = await rendering.render(request)
    name = _file_name(row, form, edition)
    contents = {_BODY: content.EntityContent(EntityType(kind_of(row.kind).entity_type), made, form.media_type, name)}
    placed = await content.place(blobs, row.tenant_id, contents)
    # As our own code: whoever reads a shared deliverable may ask for a form of it, which is its owner's.
    async with work.begin(row.tenant_id) as tx:
        hashes = await content.save(tx, contents, placed, owner=save.owner_of(row))
        file = {"name": name, "media_type": form.media_type, "size_bytes": len(made), "sha256": hashes[_BODY]}
        await store.update_export(tx, export.id, status=Status.COMPLETED, progress=1.0, **file)


def _file_name(row: Deliverable, form: ExportForm, edition: Edition) -> str:
    """Return a file name that needs no escaping in a URL. The form is part of it where two forms share an extension."""
    told = form.extension if form.extension.startswith(form.name) else f"{form.name}.{form.extension}"
    proof = "-proof" if edition is Edition.PROOF else ""
    return f"{file_names.slug(row.title) or 'report'}{proof}.{told}"


async def _run(work: Work, *, export_id: str) -> None:
    await render_export(work, UUID(export_id))


EXPORT = Job(name="deliverables.export", queue=Queue.DELIVERABLES, run=_run)
