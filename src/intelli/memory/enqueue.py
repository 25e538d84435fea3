"""Messages arrive: each is a durable job of its own, which waits in the order of arrival and shows with the commit.

A job of the worker's queue is only the call to take them up: it takes one after the other, as long as there are any.
"""

from collections.abc import Sequence

from intelli.kit.db import Tx
from intelli.kit.jobs import Job
from intelli.memory import groups, wire
from intelli.memory.store import queue as store


async def queue(
    tx: Tx,
    group_id: str,
    messages: Sequence[wire.NewMessage],
    *,
    job: Job,
    handling: wire.Handling | None = None,
    in_one_queue: bool = True,
) -> None:
    """Have messages remembered, one after the other."""
    groups.check_owner(tx, group_id)
    if not messages:
        return
    how = (handling or wire.Handling()).model_dump(mode="json", exclude_defaults=True)
    await store.add(tx, group_id, [{"message": each.model_dump(mode="json"), "handling": how} for each in messages])
    await call(tx, group_id, job=job, in_one_queue=in_one_queue)


async def retry(tx: Tx, group_id: str, *, job: Job, in_one_queue: bool = True) -> wire.Retried:
    """Have the messages that failed remembered after all."""
    groups.check_owner(tx, group_id)
    await groups.get(tx, group_id)
    again = await store.requeue(tx, group_id)
    if again:
        await call(tx, group_id, job=job, in_one_queue=in_one_queue)
    return wire.Retried(queued=again)


async def call(tx: Tx, group_id: str | None, *, job: Job, in_one_queue: bool) -> None:
    """Have what waits taken up: by one worker for all groups, or by one for each."""
    lane = None if in_one_queue else group_id
    await tx.wake(job, key="memory" if lane is None else f"memory:{lane}", group_id=lane)
