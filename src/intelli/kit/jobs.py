"""Jobs: background work enqueued inside the caller's transaction, so that no row lacks its job and no job its row."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import psycopg
from psycopg.types.json import Jsonb

SCHEMA = "jobs"

Argument = str | int | float | bool | None

_DEFER = """
    select procrastinate_defer_jobs_v1(array[
        row(%(queue)s, %(name)s, 0, %(lock)s, null, %(args)s, null)::procrastinate_job_to_defer_v1
    ])
"""


class Queue(StrEnum):
    """The queues a worker can serve."""

    RUNS = "runs"
    INDEX = "index"
    MEMORY = "memory"
    DELIVERABLES = "deliverables"
    MAINTENANCE = "maintenance"


@dataclass(frozen=True, slots=True)
class Job:
    """A kind of background work. `run` takes a `kit.work.Work` and the arguments it was deferred with.

    With `every`, a cron expression, the clock enqueues it too: once for all workers, bound to no workspace.
    """

    name: str
    queue: Queue
    run: Callable[..., Awaitable[None]]
    attempts: int = 5
    every: str | None = None


async def defer(
    connection: psycopg.AsyncConnection[Any], job: Job, *, key: str | None, args: Mapping[str, Argument]
) -> None:
    """Enqueue a job on the caller's connection: it becomes visible with the caller's commit, or never.

    Jobs of one key and workspace run one at a time, first in, first out.
    """
    lock = None if key is None else f"{args.get('tenant_id')}:{key}"
    await connection.execute(
        _DEFER, {"queue": job.queue.value, "name": job.name, "lock": lock, "args": Jsonb(dict(args))}
    )
