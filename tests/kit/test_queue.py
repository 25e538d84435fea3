"""The queue as its operator sees it: listed, counted, retried, cancelled."""

import asyncio

import pytest
from tests.support.jobs import IDLE, PATIENCE_S, defer, jobs_of, nothing, until, until_settled, working

from intelli.kit import queue
from intelli.kit.context import System, WorkspaceLister
from intelli.kit.db import Database
from intelli.kit.errors import Invalid
from intelli.kit.jobs import Job, Queue
from intelli.kit.queue import JobNotCancellable, JobNotFound, JobNotRetryable, JobStatus
from intelli.kit.work import Work
from intelli.worker import Worker


async def test_the_operator_retries_a_failed_job(database: Database, who: System) -> None:
    healed = False

    async def heal(work: Work) -> None:
        if not healed:
            raise Invalid("not yet")

    job = Job("tests.heal", Queue.INDEX, heal)
    await defer(database, who, job)
    async with working(database, job):
        await until_settled(database)
        [failed] = await jobs_of(database, status=JobStatus.FAILED)
        healed = True
        async with database.begin(WorkspaceLister()) as tx:
            assert (await queue.retry(tx, failed.id)).status is JobStatus.TODO
        await until_settled(database)
    [found] = await jobs_of(database)
    assert found.status is JobStatus.SUCCEEDED
    async with database.begin(WorkspaceLister()) as tx:
        with pytest.raises(JobNotRetryable):
            await queue.retry(tx, found.id)


async def test_the_operator_cancels_a_waiting_job(database: Database, who: System) -> None:
    await defer(database, who, IDLE)
    [waiting] = await jobs_of(database)
    async with database.begin(WorkspaceLister()) as tx:
        assert (await queue.cancel(tx, waiting.id)).status is JobStatus.CANCELLED
        with pytest.raises(JobNotCancellable):
            await queue.cancel(tx, waiting.id)


async def test_the_operator_stops_a_running_job(database: Database, who: System) -> None:
    begun = asyncio.Event()

    async def linger(work: Work) -> None:
        begun.set()
        await asyncio.Event().wait()

    job = Job("tests.linger", Queue.INDEX, linger)
    await defer(database, who, job)
    async with working(database, job):
        async with asyncio.timeout(PATIENCE_S):
            await begun.wait()
        [running] = await jobs_of(database, status=JobStatus.DOING)
        async with database.begin(WorkspaceLister()) as tx:
            assert (await queue.cancel(tx, running.id)).stopping
        await until_settled(database)
    [found] = await jobs_of(database)
    assert found.status is JobStatus.ABORTED


async def test_an_unknown_job_is_not_found(database: Database) -> None:
    async with database.begin(WorkspaceLister()) as tx:
        with pytest.raises(JobNotFound):
            await queue.cancel(tx, 4711)


async def test_jobs_are_listed_newest_first_and_counted_by_queue_and_status(database: Database, who: System) -> None:
    index = Job("tests.index", Queue.INDEX, nothing)
    for job in (IDLE, index, index):
        await defer(database, who, job)
    assert [job.name for job in await jobs_of(database)] == ["tests.index", "tests.index", "tests.idle"]
    assert [job.name for job in await jobs_of(database, queue=Queue.MAINTENANCE)] == ["tests.idle"]
    async with database.begin(WorkspaceLister()) as tx:
        depths = await queue.count_jobs(tx)
    assert [(depth.queue, depth.status, depth.jobs) for depth in depths] == [
        ("index", JobStatus.TODO, 2),
        ("maintenance", JobStatus.TODO, 1),
    ]


async def test_a_worker_shows_signs_of_life(database: Database) -> None:
    async def age() -> float | None:
        async with database.begin(WorkspaceLister()) as tx:
            return await queue.heartbeat_age_s(tx)

    async def alive() -> bool:
        return (await age() or 99) < 5

    assert await age() is None
    async with working(database):
        await until(alive)


async def test_a_worker_without_room_for_a_late_heartbeat_is_refused(database: Database) -> None:
    with pytest.raises(ValueError, match="stall_s"):
        Worker(database, (), heartbeat_s=10, stall_s=15)
