"""Read deliverables: rows as wire models, files, briefs and GML."""

from collections.abc import Sequence
from uuid import UUID, uuid5

from intelli.citations import show as citations
from intelli.citations.wire import Citation
from intelli.deliverables import store, wire
from intelli.deliverables.brief import DataBrief
from intelli.deliverables.errors import DeliverableNotFound, FileNotInDeliverable, NotReady
from intelli.deliverables.kinds import kind_of
from intelli.deliverables.store import DeliverableFilter
from intelli.deliverables.tables import Deliverable, Export
from intelli.kit import pagination
from intelli.kit.blobs import Blobs
from intelli.kit.db import Tx
from intelli.kit.wire import Page

Row = Deliverable


def id_of(run_id: UUID, kind: str) -> UUID:
    """Derive the id of a run's deliverable of a kind, so that a repeated step writes the same row."""
    return uuid5(run_id, f"deliverable:{kind}")


async def find(tx: Tx, deliverable_id: UUID) -> Deliverable | None:
    """Load a deliverable; None when the caller may not see it."""
    return await store.find(tx, deliverable_id)


async def get(tx: Tx, deliverable_id: UUID) -> Deliverable:
    """Load a deliverable; raise DeliverableNotFound when the caller may not see it."""
    row = await store.find(tx, deliverable_id)
    if row is None:
        raise not_found_error()
    return row


async def list_deliverables(
    tx: Tx, which: DeliverableFilter, *, cursor: str | None, limit: int
) -> Page[wire.Deliverable]:
    """List a page of deliverables, newest first."""
    place = pagination.decode_moment(cursor)
    rows = await store.list_page(tx, which, before=place, limit=limit + 1)
    return pagination.moment_page(rows, limit, item=to_wire, moment=lambda row: (row.created_at, str(row.id)))


async def list_versions(tx: Tx, deliverable_id: UUID) -> Sequence[wire.Deliverable]:
    """List all versions of a deliverable that are not in the trash, newest first."""
    rows = await store.list_versions(tx, await get(tx, deliverable_id))
    return [to_wire(row) for row in rows if row.deleted_at is None]


async def load_content_hashes(tx: Tx, run_id: UUID) -> dict[str, str]:
    """Load the content hashes, by kind, of the deliverables that a run made itself."""
    rows = await store.list_by_run(tx, run_id)
    return {
        row.kind: row.content_sha256
        for row in rows
        if row.content_sha256 is not None and row.id == id_of(run_id, row.kind)
    }


async def get_file(tx: Tx, deliverable_id: UUID, name: str) -> wire.File:
    """Find a file of a deliverable or of its exports; raise FileNotInDeliverable when there is none of that name."""
    row = await get(tx, deliverable_id)
    known = {each["name"]: wire.File.model_validate(each) for each in row.files}
    if name in known:
        return known[name]
    for export in await store.list_exports(tx, deliverable_id):
        exported = find_export_file(export)
        if exported is not None and exported.name == name:
            return exported
    raise FileNotInDeliverable("The deliverable has no file of that name. It lists those that it has.")


async def get_shown_name(tx: Tx, deliverable_id: UUID) -> str | None:
    """Return the name of the file that a screen shows page by page; None for a kind that is shown otherwise."""
    kind = kind_of((await get(tx, deliverable_id)).kind)
    return kind.file_name if kind.view == "pdf" else None


async def list_citations(tx: Tx, deliverable_id: UUID, *, keep_excerpts: bool) -> list[Citation]:
    """List the citations of a deliverable, in order."""
    found = await citations.load_of_messages(tx, [deliverable_id], keep_excerpts=keep_excerpts)
    return found.get(deliverable_id, citations.NOTHING).citations


async def read_brief(blobs: Blobs, row: Deliverable) -> DataBrief:
    """Read the brief that a deliverable was written from."""
    return DataBrief.model_validate_json(await read_artifact(blobs, row, row.brief_sha256))


async def read_gml(blobs: Blobs, row: Deliverable) -> str:
    """Read the content of a deliverable, as GML."""
    return (await read_artifact(blobs, row, row.content_sha256)).decode()


async def read_artifact(blobs: Blobs, row: Deliverable, sha256: str | None) -> bytes:
    """Read an artifact of a deliverable; raise NotReady when its hash is still None."""
    if sha256 is None:
        raise NotReady("The deliverable is still being written. Look again when it is completed.")
    return b"".join([piece async for piece in await blobs.get(row.tenant_id, sha256)])


def to_wire(row: Deliverable) -> wire.Deliverable:
    """Convert a deliverable to its wire model."""
    error = wire.BuildFailure(code=row.error_code, message=row.error_message or "") if row.error_code else None
    columns = {name: getattr(row, name) for name in wire.Deliverable.model_fields if name != "error"}
    return wire.Deliverable.model_validate({**columns, "error": error})


def export_to_wire(row: Export) -> wire.Export:
    """Convert an export to its wire model."""
    columns = {name: getattr(row, name) for name in wire.Export.model_fields if name != "file"}
    return wire.Export.model_validate({**columns, "file": find_export_file(row)})


def find_export_file(row: Export) -> wire.File | None:
    """Return the file of an export; None until it is completed."""
    if row.sha256 is None or row.name is None or row.media_type is None or row.size_bytes is None:
        return None
    return wire.File(name=row.name, media_type=row.media_type, size_bytes=row.size_bytes, sha256=row.sha256)


def not_found_error() -> DeliverableNotFound:
    """Create the error for a deliverable that does not exist for the caller."""
    return DeliverableNotFound("There is no such deliverable. List your deliverables to find it.")
