"""Fixtures for tests of jobs: create a workspace, defer jobs, run workers, and wait for results."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import pytest
from sqlalchemy import text
from tests.support.soak import often

from intelli.kit import queue
from intelli.kit.context import System, WorkspaceLister
from intelli.kit.db import Database
from intelli.kit.ids import uuid7
from intelli.kit.jobs import Argument, Job, Queue
from intelli.kit.queue import JobStatus, QueuedJob
from intelli.kit.work import Work
from intelli.worker import Worker

# Long enough for a busy machine; a test that passes never waits that long. Soaking goes on beside other work.
PATIENCE_S = often(60, soaking=300)
_FIRST_PAUSE_S = 0.02
_LONGEST_PAUSE_S = 0.1


async def nothing(work: Work) -> None:
    """Do nothing."""


IDLE = Job("tests.idle", Queue.MAINTENANCE, nothing)


@pytest.fixture
async def who(database: Database) -> System:
    return await make_workspace(database)


async def make_workspace(database: Database) -> System:
    who = System(uuid7())
    async with database.begin(who) as tx:
        await tx.session.execute(text("insert into workspaces (id, name) values (:id, 'Lab')"), {"id": who.tenant_id})
    return who


async def defer(database: Database, who: System, job: Job, *, key: str | None = None, **args: Argument) -> None:
    async with database.begin(who) as tx:
        await tx.defer(job, key=key, **args)


async def jobs_of(database: Database, **filters: JobStatus | Queue | None) -> list[QueuedJob]:
    async with database.begin(WorkspaceLister()) as tx:
        return await queue.list_jobs(tx, **filters)  # type: ignore[arg-type]  # by name


async def until(condition: Callable[[], Awaitable[bool]]) -> None:
    """Poll until a condition holds, ever more slowly, since polling is load as well."""
    pause_s = _FIRST_PAUSE_S
    async with asyncio.timeout(PATIENCE_S):
        while not await condition():
            await asyncio.sleep(pause_s)
            pause_s = min(1.5 * pause_s, _LONGEST_PAUSE_S)


async def until_settled(database: Database) -> None:
    async def settled() -> bool:
        return not {job.status for job in await jobs_of(database)} & {JobStatus.TODO, JobStatus.DOING}

    await until(settled)


@asynccontextmanager
async def working(database: Database, *jobs: Job, workers: int = 1, **options: object) -> AsyncIterator[None]:
    stop = asyncio.Event()
    pace = {"concurrency": 4, "heartbeat_s": 0.3, "stall_s": 1.5, **options}
    async with asyncio.TaskGroup() as group:
        for _ in range(workers):
            group.create_task(Worker(database, jobs, **pace).run(stop))  # type: ignore[arg-type]  # by name
        try:
            yield
        finally:
            stop.set()
