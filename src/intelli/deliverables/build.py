"""Build job: render the forms of a deliverable one after the other, report progress, and save all files at once."""

import asyncio
from collections.abc import Mapping
from uuid import UUID

import structlog
from pydantic import JsonValue

from intelli.content.errors import PointerMoved
from intelli.deliverables import entity_metadata, rendering, save, show, store
from intelli.deliverables.brief import DataBrief
from intelli.deliverables.entity_metadata import FinishedContent
from intelli.deliverables.forms import FORMS
from intelli.deliverables.kinds import kind_of
from intelli.deliverables.ports import Delivered
from intelli.deliverables.save import BRIEF, CONTENT, GML, DeliverableOwner, SavedFile
from intelli.deliverables.tables import Deliverable
from intelli.deliverables.wire import ENDED, Status
from intelli.entities import content as entities_content
from intelli.entities import entities
from intelli.entities.entity_types import EntityType
from intelli.kit import clock
from intelli.kit.blobs import Blobs
from intelli.kit.db import Tx
from intelli.kit.errors import IntelliError
from intelli.kit.jobs import Job, Queue
from intelli.kit.work import TRANSIENT, LeaseLost, Work

_OURS = "Something went wrong on our side. Try it again."
_BUILT = 0.9
_MOST_TRIES = 5
log = structlog.get_logger()


class _Stopped(Exception):
    """The deliverable was cancelled or deleted while it was being built."""


async def enqueue(tx: Tx, deliverable_id: UUID) -> None:
    """Enqueue the build of a deliverable when this transaction commits."""
    await tx.defer(BUILD, key=f"deliverable:{deliverable_id}", deliverable_id=str(deliverable_id))


async def enqueue_all(tx: Tx, run_id: UUID) -> None:
    """Enqueue the builds of all unfinished deliverables of a run."""
    for row in await store.list_unfinished(tx, run_id):
        await enqueue(tx, row.id)


async def build(work: Work, deliverable_id: UUID) -> None:
    """Build a deliverable; do nothing when it has ended. Transient errors and a lost lease are raised for a retry."""
    try:
        await _build(work, deliverable_id)
    except _Stopped:
        return
    except (LeaseLost, *TRANSIENT):
        raise
    except Exception as error:  # the edge of every build
        log.exception("deliverable_failed", deliverable_id=str(deliverable_id), error=type(error).__name__)
        await mark_failed(work, deliverable_id, error)


async def _build(work: Work, deliverable_id: UUID) -> None:
    row = await _advance(work, deliverable_id, progress=0.0, phase="reading")
    kind, blobs = kind_of(row.kind), work.part(Blobs)
    always = await _load_common(blobs, row)
    brief, text = DataBrief.model_validate_json(always[BRIEF].body), always[CONTENT].body.decode()
    contents: dict[str, entities_content.EntityContent] = {}
    for number, form in enumerate(FORMS[name] for name in kind.forms):
        await _advance(work, deliverable_id, progress=_BUILT * number / len(kind.forms), phase=form.name)
        asked = rendering.RenderRequest(form=form.name, brief=brief, gml=text, kind=row.kind)
        rendered = await rendering.render(asked)
        name = f"{kind.stem}.{form.extension}"
        contents[name] = entities_content.EntityContent(EntityType(kind.entity_type), rendered, form.media_type, name)
    await _advance(work, deliverable_id, progress=_BUILT, phase="storing")
    bodies = {name: each.body for name, each in contents.items()}
    made = FinishedContent(
        kind, row.title, brief.question, text, words=row.words, sections=row.sections_total, files=bodies
    )
    details = await asyncio.to_thread(entity_metadata.describe, made)
    await _save(work, row, {**contents, **always}, details=details)


async def _save(
    work: Work,
    row: Deliverable,
    contents: Mapping[str, entities_content.EntityContent],
    *,
    details: Mapping[str, JsonValue],
) -> None:
    """Save all files in one transaction; retry when another deliverable has moved the pointer meanwhile."""
    placed = await entities_content.place(work.part(Blobs), row.tenant_id, contents)
    files = [
        SavedFile(name, content.media_type, placed[name].draft.size_bytes, placed[name].draft.sha256)
        for name, content in contents.items()
    ]
    for left in reversed(range(_MOST_TRIES)):
        try:
            async with work.begin() as tx:
                mine = await _lock_unfinished(tx, row.id)
                await entities_content.save(tx, contents, placed, owner=save.owner_of(mine))
                owner = DeliverableOwner(mine.run_id, mine.message_id, mine.conversation_id)
                await save.complete(tx, mine, owner, files, details=details)
                await work.part(Delivered)(tx, row.id)
                return
        except PointerMoved:
            if not left:
                raise


async def _load_common(blobs: Blobs, row: Deliverable) -> dict[str, entities_content.EntityContent]:
    """Load brief and content, which every deliverable has."""
    brief, text = (
        await show.read_artifact(blobs, row, row.brief_sha256),
        await show.read_artifact(blobs, row, row.content_sha256),
    )
    return {
        BRIEF: entities_content.EntityContent(EntityType.GENERATED_CONTENT, brief, "application/json", BRIEF),
        CONTENT: entities_content.EntityContent(EntityType(kind_of(row.kind).entity_type), text, GML, CONTENT),
    }


async def _advance(work: Work, deliverable_id: UUID, *, progress: float, phase: str) -> Deliverable:
    """Store the progress of a build; raise _Stopped when it was stopped."""
    async with work.begin() as tx:
        row = await _lock_unfinished(tx, deliverable_id)
        values = {"status": Status.IN_PROGRESS, "progress": progress, "phase": phase}
        await store.update_deliverable(tx, deliverable_id, **values, started_at=row.started_at or clock.now())
        return row


async def _lock_unfinished(tx: Tx, deliverable_id: UUID) -> Deliverable:
    row = await store.find_locked(tx, deliverable_id)
    if row is None or row.status in ENDED:
        raise _Stopped
    return row


async def mark_failed(work: Work, deliverable_id: UUID, error: Exception) -> None:
    """Mark a deliverable as failed. The stored reason is true and reveals no internals."""
    code = error.code if isinstance(error, IntelliError) else "internal"
    words = error.detail if isinstance(error, IntelliError) else _OURS
    async with work.begin() as tx:
        row = await store.find_locked(tx, deliverable_id)
        if row is None or row.status in ENDED:
            return
        ended = {"status": Status.FAILED, "phase": "", "finished_at": clock.now()}
        await store.update_deliverable(tx, deliverable_id, **ended, error_code=code, error_message=words)
        if row.entity_id is not None:
            await entities.mark_failed(tx, row.entity_id)
        await work.part(Delivered)(tx, deliverable_id)


async def _run(work: Work, *, deliverable_id: str) -> None:
    await build(work, UUID(deliverable_id))


BUILD = Job(name="deliverables.build", queue=Queue.DELIVERABLES, run=_run)
