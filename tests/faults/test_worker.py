"""Workers that are killed, paused or cut off from the database: every effect happens once, and every job ends."""

import asyncio
import signal
import time
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path

import psycopg
import pytest
from sqlalchemy import text
from tests.faults.worker_process import COUNT, GATE_INSIDE, HEARTBEAT_S, JOBS, STALL_S, TWO_STEPS, work
from tests.support.database import postgres_version
from tests.support.forks import Fork
from tests.support.soak import often

from intelli.kit import queue
from intelli.kit.context import System, WorkspaceLister
from intelli.kit.db import Database
from intelli.kit.ids import uuid7
from intelli.kit.jobs import Argument, Job
from intelli.kit.postgres import EmbeddedPostgres
from intelli.kit.queue import JobStatus, QueuedJob
from intelli.migrations import schema
from intelli.worker import Worker

PATIENCE_S = 60
# What is to happen soon, on a machine that has other things to do.
SOON_S = 20
_JOBS = often(100, soaking=1000)


@pytest.fixture
def start(database_url: str, marks: None, tmp_path: Path) -> Iterator[Callable[[], Fork]]:
    processes: list[Fork] = []

    def start() -> Fork:
        processes.append(Fork(work, database_url, log=tmp_path / f"worker-{len(processes)}.log"))
        return processes[-1]

    yield start
    for process in processes:
        process.end()


@pytest.fixture
def marks(admin_url: str) -> None:
    make_marks(admin_url)


@pytest.fixture
async def who(database: Database, marks: None) -> System:
    return await make_workspace(database)


def make_marks(admin_url: str) -> None:
    with psycopg.connect(admin_url) as connection:
        connection.execute("create table marks (word text, attempt int)")
        connection.execute("create table gates (attempt int)")
        connection.execute("grant all on marks, gates to intelli_app")


async def make_workspace(database: Database) -> System:
    who = System(uuid7())
    async with database.begin(who) as tx:
        await tx.session.execute(text("insert into workspaces (id, name) values (:id, 'Lab')"), {"id": who.tenant_id})
    return who


async def defer(database: Database, who: System, job: Job, **args: Argument) -> None:
    async with database.begin(who) as tx:
        await tx.defer(job, key=None, **args)


async def open_gate(database: Database, attempt: int) -> None:
    async with database.begin(WorkspaceLister()) as tx:
        await tx.session.execute(text("insert into gates values (:n)"), {"n": attempt})


async def marks_of(database: Database) -> list[tuple[str, int]]:
    async with database.begin(WorkspaceLister()) as tx:
        rows = await tx.session.execute(text("select word, attempt from marks order by 1, 2"))
        return [(word, attempt) for word, attempt in rows]


async def the_job(database: Database) -> QueuedJob:
    async with database.begin(WorkspaceLister()) as tx:
        [job] = await queue.list_jobs(tx)
    return job


async def ends_of(database: Database) -> list[str]:
    """How often jobs came to which end, as the queue's own log of events has it."""
    ended = "select type::text from procrastinate_events where type in ('succeeded', 'failed', 'aborted')"
    async with database.begin(WorkspaceLister()) as tx:
        return list(await tx.session.scalars(text(ended)))


async def until(condition: Callable[[], Awaitable[bool]]) -> None:
    async with asyncio.timeout(PATIENCE_S):
        while not await condition():  # noqa: ASYNC110  # what is awaited happens in another process
            await asyncio.sleep(0.03)


async def until_marked(database: Database, word: str, attempt: int) -> None:
    async def marked() -> bool:
        return (word, attempt) in await marks_of(database)

    await until(marked)


async def until_said(process: Fork, word: str) -> None:
    async def said() -> bool:
        return process.said(word)

    await until(said)


async def until_succeeded(database: Database, jobs: int = 1) -> None:
    async def succeeded() -> bool:
        async with database.begin(WorkspaceLister()) as tx:
            return {depth.status: depth.jobs for depth in await queue.count_jobs(tx)} == {JobStatus.SUCCEEDED: jobs}

    await until(succeeded)


async def test_a_killed_worker_has_its_job_run_again_soon_and_each_effect_once(
    database: Database, who: System, start: Callable[[], Fork]
) -> None:
    await defer(database, who, TWO_STEPS)
    victim = start()
    await until_marked(database, "first", 0)
    start()
    await open_gate(database, 1)
    killed_at = time.monotonic()
    victim.send(signal.SIGKILL)
    await until_succeeded(database)
    assert time.monotonic() - killed_at < STALL_S + SOON_S
    assert await marks_of(database) == [("first", 0), ("second", 1), ("seen", 0), ("seen", 1)]


async def test_a_paused_worker_does_nothing_twice_and_leaves_the_job_to_its_new_owner(
    database: Database, who: System, start: Callable[[], Fork]
) -> None:
    await defer(database, who, TWO_STEPS)
    paused = start()
    await until_marked(database, "first", 0)
    paused.send(signal.SIGSTOP)
    start()
    await until_marked(database, "seen", 1)
    await open_gate(database, 0)
    paused.send(signal.SIGCONT)
    await until_said(paused, "job_lease_lost")
    await until_said(paused, "job_has_another_owner")
    assert (await the_job(database)).status is JobStatus.DOING
    await open_gate(database, 1)
    await until_succeeded(database)
    assert await marks_of(database) == [("first", 0), ("second", 1), ("seen", 0), ("seen", 1)]
    assert await ends_of(database) == ["succeeded"]


async def test_a_worker_that_wakes_after_the_job_was_done_changes_nothing(
    database: Database, who: System, start: Callable[[], Fork]
) -> None:
    await defer(database, who, TWO_STEPS)
    paused = start()
    await until_marked(database, "first", 0)
    paused.send(signal.SIGSTOP)
    start()
    for attempt in (0, 1):
        await open_gate(database, attempt)
    await until_succeeded(database)
    paused.send(signal.SIGCONT)
    await until_said(paused, "job_lease_lost")
    await until_said(paused, "job_has_another_owner")
    assert await marks_of(database) == [("first", 0), ("second", 1), ("seen", 0), ("seen", 1)]
    assert await ends_of(database) == ["succeeded"]


async def test_a_lone_worker_that_was_paused_goes_on_with_its_own_job(
    database: Database, who: System, start: Callable[[], Fork]
) -> None:
    await defer(database, who, TWO_STEPS)
    paused = start()
    await until_marked(database, "first", 0)
    paused.send(signal.SIGSTOP)

    async def silent() -> bool:
        async with database.begin(WorkspaceLister()) as tx:
            return (await queue.heartbeat_age_s(tx) or 0) > 2 * STALL_S

    await until(silent)
    paused.send(signal.SIGCONT)
    for attempt in (0, 1):
        await open_gate(database, attempt)
    await until_succeeded(database)
    assert await marks_of(database) == [("first", 0), ("second", 0), ("seen", 0)]


async def test_a_worker_paused_inside_a_transaction_neither_holds_the_job_nor_commits_late(
    database: Database, who: System, start: Callable[[], Fork]
) -> None:
    await defer(database, who, GATE_INSIDE)
    paused = start()
    await until_marked(database, "seen", 0)
    paused.send(signal.SIGSTOP)
    paused_at = time.monotonic()
    start()
    await until_marked(database, "seen", 1)
    assert time.monotonic() - paused_at < 2 * STALL_S + SOON_S
    for attempt in (0, 1):
        await open_gate(database, attempt)
    await until_succeeded(database)
    paused.send(signal.SIGCONT)
    await until_said(paused, "job_has_another_owner")
    assert await marks_of(database) == [("inside", 1), ("seen", 0), ("seen", 1)]
    assert await ends_of(database) == ["succeeded"]


async def test_a_paused_worker_takes_new_jobs_after_it_was_given_up(
    database: Database, who: System, start: Callable[[], Fork], admin_url: str
) -> None:
    paused = start()
    await defer(database, who, COUNT, word="before")
    await until_succeeded(database)
    paused.send(signal.SIGSTOP)
    with psycopg.connect(admin_url) as connection:
        connection.execute("delete from jobs.procrastinate_workers")
    await defer(database, who, COUNT, word="after")
    paused.send(signal.SIGCONT)
    await until_succeeded(database, jobs=2)
    assert await marks_of(database) == [("after", 0), ("before", 0)]


async def test_a_job_that_kills_its_workers_ends_failed(database: Database, who: System, admin_url: str) -> None:
    await defer(database, who, COUNT, word="poison")
    with psycopg.connect(admin_url, options="-c search_path=public,jobs") as connection:
        connection.execute("update procrastinate_jobs set status = 'doing', attempts = %s", [COUNT.attempts - 1])
    async with database.begin(WorkspaceLister()) as tx:
        [reaped] = await queue.reap(tx, stall_s=STALL_S, attempts={COUNT.name: COUNT.attempts})
    assert not reaped.retried
    assert (await the_job(database)).status is JobStatus.FAILED


async def test_two_workers_do_many_jobs_each_exactly_once(
    database: Database, who: System, start: Callable[[], Fork]
) -> None:
    words = [f"word-{n:04}" for n in range(_JOBS)]
    async with database.begin(who) as tx:
        for word in words:
            await tx.defer(COUNT, word=word)
    for _ in range(2):
        start()
    await until_succeeded(database, jobs=_JOBS)
    assert await marks_of(database) == [(word, 0) for word in words]


async def test_a_job_that_was_fetched_but_never_arrived_is_given_back(
    database: Database, who: System, start: Callable[[], Fork], admin_url: str
) -> None:
    start()
    await defer(database, who, COUNT, word="before")
    await until_succeeded(database)
    with psycopg.connect(admin_url, options="-c search_path=public,jobs") as connection:
        connection.execute(
            "insert into procrastinate_jobs (queue_name, task_name, args, status, worker_id)"
            " select 'index', %s, jsonb_build_object('tenant_id', %s::text, 'word', 'lost'), 'doing', max(id)"
            " from procrastinate_workers",
            [COUNT.name, str(who.tenant_id)],
        )
    await until_succeeded(database, jobs=2)
    assert await marks_of(database) == [("before", 0), ("lost", 1)]


async def test_a_worker_goes_on_after_the_database_was_restarted(tmp_path: Path) -> None:
    postgres = EmbeddedPostgres(tmp_path / "postgres", version=postgres_version(), die_with_parent=True)
    with postgres:
        schema.upgrade(postgres.admin_url)
        make_marks(postgres.admin_url)
        database = Database(postgres.app_url)
        who = await make_workspace(database)
        stop = asyncio.Event()
        async with asyncio.TaskGroup() as group:
            worker = Worker(database, JOBS, concurrency=4, heartbeat_s=HEARTBEAT_S, stall_s=STALL_S)
            group.create_task(worker.run(stop))
            await defer(database, who, TWO_STEPS)
            await until_marked(database, "first", 0)
            await asyncio.to_thread(postgres.stop)
            postgres.start()
            for attempt in range(5):
                await open_gate(database, attempt)
            await defer(database, who, COUNT, word="after")
            await until_succeeded(database, jobs=2)
            stop.set()
        words = [word for word, _ in await marks_of(database)]
        assert sorted(set(words) - {"seen"}) == ["after", "first", "second"]
        assert len(words) - words.count("seen") == 3
        await database.close()
