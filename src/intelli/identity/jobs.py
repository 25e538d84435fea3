"""Background job of identity: deletes expired sessions, invitations, throttles and idempotency keys."""

from uuid import UUID

from intelli.identity import store
from intelli.kit import idempotency
from intelli.kit.jobs import Job, Queue
from intelli.kit.work import Work


async def _sweep(work: Work) -> None:
    async with work.begin() as tx:
        workspaces = await store.list_workspace_ids(tx)
    for workspace_id in workspaces:
        await _sweep_workspace(work, workspace_id)


async def _sweep_workspace(work: Work, workspace_id: UUID) -> None:
    async with work.begin(workspace_id) as tx:
        await store.delete_expired(tx)
        await idempotency.delete_old_answers(tx)


SWEEP = Job(name="identity.sweep", queue=Queue.MAINTENANCE, run=_sweep, every="17 * * * *")
