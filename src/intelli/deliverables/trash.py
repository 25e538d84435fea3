"""The trash: a deliverable that is deleted is hidden at once, can be restored for 30 days, and is then removed."""

from datetime import timedelta
from uuid import UUID

from intelli.audit.record import record
from intelli.audit.wire import EventType
from intelli.citations import save as citations
from intelli.deliverables import show, store
from intelli.deliverables.errors import NotReady
from intelli.deliverables.tables import Deliverable
from intelli.deliverables.wire import ENDED
from intelli.identity import installation
from intelli.kit import clock
from intelli.kit.db import Tx
from intelli.kit.jobs import Job, Queue
from intelli.kit.work import Work

KEPT = timedelta(days=30)


async def delete(tx: Tx, deliverable_id: UUID) -> None:
    """Move a deliverable to the trash; one that is there stays there."""
    row = await _get_locked(tx, deliverable_id)
    if row.status not in ENDED:
        raise NotReady("This deliverable is being made. Cancel it first, then delete it.")
    if row.deleted_at is None:
        await store.update_deliverable(tx, deliverable_id, deleted_at=clock.now())
        await record(tx, EventType.ERASE, entity=("deliverable", deliverable_id), action="trash")


async def restore(tx: Tx, deliverable_id: UUID) -> Deliverable:
    """Take a deliverable out of the trash; one that is not there stays as it is."""
    row = await _get_locked(tx, deliverable_id)
    if row.deleted_at is not None:
        await store.update_deliverable(tx, deliverable_id, deleted_at=None)
    return await show.get(tx, deliverable_id)


async def _get_locked(tx: Tx, deliverable_id: UUID) -> Deliverable:
    row = await store.find_locked(tx, deliverable_id)
    if row is None:
        raise show.not_found_error()
    return row


async def _sweep(work: Work) -> None:
    async with work.begin() as tx:
        workspaces = await installation.list_workspace_ids(tx)
    for workspace_id in workspaces:
        async with work.begin(workspace_id) as tx:
            for deliverable_id in await store.delete_trashed(tx, before=clock.now() - KEPT):
                await citations.remove(tx, deliverable_id)


SWEEP = Job(name="deliverables.sweep", queue=Queue.MAINTENANCE, run=_sweep, every="29 * * * *")
