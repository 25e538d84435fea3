"""Cancel a deliverable, or build it again."""

from uuid import UUID

from intelli.deliverables import build, save, show, store
from intelli.deliverables.errors import NotAtWork, NothingToRetry
from intelli.deliverables.save import PROMISED, DeliverableOwner
from intelli.deliverables.tables import Deliverable
from intelli.deliverables.wire import ENDED, Status
from intelli.entities import entities
from intelli.kit import clock
from intelli.kit.db import Tx

_RETRYABLE = {Status.FAILED, Status.CANCELLED}


async def cancel(tx: Tx, deliverable_id: UUID) -> Deliverable:
    """Cancel a deliverable; its build job notices before the next form. Raise NotAtWork when it has ended."""
    row = await _get_locked(tx, deliverable_id)
    if row.status in ENDED:
        raise NotAtWork(f"This deliverable is {row.status} already. There is nothing to cancel.")
    await _stop(tx, row)
    return await show.get(tx, deliverable_id)


async def cancel_of_run(tx: Tx, run_id: UUID) -> None:
    """Cancel all unfinished deliverables of a run."""
    for row in await store.list_unfinished(tx, run_id):
        await _stop(tx, row)


async def retry(tx: Tx, deliverable_id: UUID) -> Deliverable:
    """Build a deliverable again, from the same brief, that failed, was cancelled or has stalled for 30 minutes."""
    row = await _get_locked(tx, deliverable_id)
    is_silent = row.status not in ENDED and row.updated_at < clock.now() - PROMISED
    if row.content_sha256 is None or not (row.status in _RETRYABLE or is_silent):
        raise NothingToRetry(f"This deliverable is {row.status}. Only one that failed or was cancelled is tried again.")
    fresh = {"status": Status.PENDING, "progress": 0.0, "finished_at": None, "started_at": None}
    await store.update_deliverable(tx, deliverable_id, **fresh, error_code=None, error_message=None)
    row = await _get_locked(tx, deliverable_id)
    await save.promise(tx, row, DeliverableOwner(row.run_id, row.message_id, row.conversation_id))
    await build.enqueue(tx, deliverable_id)
    return await show.get(tx, deliverable_id)


async def _stop(tx: Tx, row: Deliverable) -> None:
    await store.update_deliverable(tx, row.id, status=Status.CANCELLED, phase="", finished_at=clock.now())
    if row.entity_id is not None:
        await entities.mark_failed(tx, row.entity_id)


async def _get_locked(tx: Tx, deliverable_id: UUID) -> Deliverable:
    row = await store.find_locked(tx, deliverable_id)
    if row is None:
        raise show.not_found_error()
    return row
