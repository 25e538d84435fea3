"""Enqueue messages: each is a row of the arrivals table, in order of arrival, visible with the commit.

The job of the worker's queue only wakes a worker: it processes one message after the other until none waits.
"""

from collections.abc import Sequence

from intelli.kit.db import Tx
from intelli.kit.jobs import Job
from intelli.memory import groups, wire
from intelli.memory.store import queue as store


async def add_messages(
    tx: Tx,
    group_id: str,
    messages: Sequence[wire.NewMessage],
    *,
    job: Job,
    handling: wire.Handling | None = None,
    in_one_queue: bool = True,
) -> None:
    """Enqueue messages of a group in their order and wake a worker. Raise GroupNotYours."""
    groups.check_owner(tx, group_id)
    if not messages:
        return
    how = (handling or wire.Handling()).model_dump(mode="json", exclude_defaults=True)
    await store.add(tx, group_id, [{"message": each.model_dump(mode="json"), "handling": how} for each in messages])
    await wake_worker(tx, group_id, job=job, in_one_queue=in_one_queue)


async def retry(tx: Tx, group_id: str, *, job: Job, in_one_queue: bool = True) -> wire.Retried:
    """Enqueue the dead letters of a group again, in their old places. Raise GroupNotYours or GroupNotFound."""
    groups.check_owner(tx, group_id)
    await groups.get(tx, group_id)
    again = await store.requeue(tx, group_id)
    if again:
        await wake_worker(tx, group_id, job=job, in_one_queue=in_one_queue)
    return wire.Retried(queued=again)


async def wake_worker(tx: Tx, group_id: str | None, *, job: Job, in_one_queue: bool) -> None:
    """Wake the worker for queued messages: one worker for all groups (`in_one_queue`), or one for each group."""
    lane = None if in_one_queue else group_id
    await tx.wake(job, key="memory" if lane is None else f"memory:{lane}", group_id=lane)
