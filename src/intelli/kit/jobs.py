"""Background jobs, enqueued inside the caller's transaction: a row and its job are committed together or not at all."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

import psycopg
from psycopg.types.json import Jsonb

SCHEMA = "jobs"

Argument = str | int | float | bool | None

_DEFER = """
    select procrastinate_defer_jobs_v1(array_agg(
               row(%(queue)s, %(name)s, %(priority)s, lock, null, args, null)::procrastinate_job_to_defer_v1
               order by n))
      from unnest(%(locks)s::text[], %(args)s::jsonb[]) with ordinality as job(lock, args, n)
"""


# The row stays locked until the caller commits: no worker starts the job before it can see the caller's changes.
_WAITING = """
    select from procrastinate_jobs
     where status = 'todo' and task_name = %(name)s and lock = %(lock)s limit 1 for share skip locked
"""


class Queue(StrEnum):
    """The queues a worker can serve."""

    RUNS = "runs"
    INDEX = "index"
    MEMORY = "memory"
    DELIVERABLES = "deliverables"
    MAINTENANCE = "maintenance"
    ENCODING = "encoding"


@dataclass(frozen=True, slots=True)
class JobRef:
    """Reference to a job by name and queue; whoever enqueues it need not import its code.

    Waiting jobs of the highest priority run first.
    """

    name: str
    queue: Queue
    priority: int = field(default=0, kw_only=True)


@dataclass(frozen=True, slots=True)
class Job(JobRef):
    """Kind of background work. `run` takes a `kit.work.Work` and the arguments it was deferred with.

    With `every`, a cron expression, it is also enqueued on schedule: once for all workers, bound to no workspace. With
    `together` > 1, up to so many jobs of one workspace run as one: `run` then takes a list with the arguments of each.
    """

    run: Callable[..., Awaitable[None]]
    attempts: int = 5
    every: str | None = None
    together: int = 1


async def defer(
    connection: psycopg.AsyncConnection[Any],
    job: JobRef,
    *,
    keys: Sequence[str | None],
    args: Sequence[Mapping[str, Argument]],
) -> None:
    """Enqueue jobs on the caller's connection: they become visible with the caller's commit, or never.

    Jobs of one key and workspace run one at a time, first in, first out.
    """
    locks = [None if key is None else _lock(key, each) for key, each in zip(keys, args, strict=True)]
    values = [Jsonb(dict(each)) for each in args]
    kind = {"queue": job.queue.value, "name": job.name, "priority": job.priority}
    await connection.execute(_DEFER, {**kind, "locks": locks, "args": values})


async def wake(
    connection: psycopg.AsyncConnection[Any], job: JobRef, *, key: str, args: Mapping[str, Argument]
) -> None:
    """Enqueue a job unless one of its key is waiting, which will see what the caller commits."""
    waiting = await connection.execute(_WAITING, {"name": job.name, "lock": _lock(key, args)})
    if await waiting.fetchone() is None:
        await defer(connection, job, keys=[key], args=[args])


def _lock(key: str, args: Mapping[str, Argument]) -> str:
    return f"{args.get('tenant_id')}:{key}"
