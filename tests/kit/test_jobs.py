"""Jobs: enqueued with their rows, run in order, retried when it may help."""

import asyncio
import logging
from datetime import timedelta
from uuid import UUID

import pytest
import structlog
from sqlalchemy import text
from tests.support.jobs import IDLE, PATIENCE_S, defer, jobs_of, make_workspace, nothing, until, until_settled, working

from intelli.kit import clock
from intelli.kit.context import System, WorkspaceLister
from intelli.kit.db import Database
from intelli.kit.errors import Invalid
from intelli.kit.ids import uuid7
from intelli.kit.jobs import Job, Queue
from intelli.kit.queue import JobStatus
from intelli.kit.work import Work


async def test_a_rolled_back_transaction_leaves_neither_row_nor_job(database: Database) -> None:
    who = System(uuid7())

    async def fail_late() -> None:
        async with database.begin(who) as tx:
            await tx.session.execute(text("insert into workspaces (id, name) values (:i, 'x')"), {"i": who.tenant_id})
            await tx.defer(IDLE)
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await fail_late()
    async with database.begin(who) as tx:
        assert await tx.session.scalar(text("select count(*) from workspaces")) == 0
    assert await jobs_of(database) == []


async def test_a_committed_transaction_leaves_row_and_job(database: Database) -> None:
    who = System(uuid7())
    async with database.begin(who) as tx:
        await tx.session.execute(text("insert into workspaces (id, name) values (:i, 'x')"), {"i": who.tenant_id})
        await tx.defer(IDLE)
    async with database.begin(who) as tx:
        assert await tx.session.scalar(text("select count(*) from workspaces")) == 1
    [job] = await jobs_of(database)
    assert (job.name, job.queue, job.status, job.tenant_id) == ("tests.idle", "maintenance", "todo", str(who.tenant_id))


async def test_a_job_gets_its_arguments_and_works_for_the_one_who_deferred_it(database: Database, who: System) -> None:
    seen: list[tuple[System | WorkspaceLister, str, int]] = []

    async def note(work: Work, *, word: str, size: int) -> None:
        async with work.begin() as tx:
            seen.append((work.who, word, size))
            assert await tx.session.scalar(text("select id from workspaces")) == who.tenant_id

    job = Job("tests.note", Queue.INDEX, note)
    person = System(who.tenant_id, user_id=uuid7())
    await defer(database, person, job, word="aube", size=3)
    async with working(database, job):
        await until_settled(database)
    assert seen == [(person, "aube", 3)]


async def test_jobs_of_one_key_run_first_in_first_out_whatever_number_of_workers(
    database: Database, who: System
) -> None:
    order: dict[str, list[int]] = {"a": [], "b": []}
    running: set[str] = set()

    async def note(work: Work, *, line: str, n: int) -> None:
        assert line not in running
        running.add(line)
        await asyncio.sleep(0)
        order[line].append(n)
        running.discard(line)

    job = Job("tests.note", Queue.INDEX, note)
    for n in range(12):
        for line in order:
            await defer(database, who, job, key=line, line=line, n=n)
    async with working(database, job, workers=3):
        await until_settled(database)
    assert order == {"a": list(range(12)), "b": list(range(12))}
    assert {found.status for found in await jobs_of(database)} == {JobStatus.SUCCEEDED}


async def test_what_is_less_urgent_waits_for_all_that_is_more_so(database: Database, who: System) -> None:
    order = list[str]()

    async def note(work: Work, *, word: str) -> None:
        order.append(word)

    jobs = (Job("tests.late", Queue.INDEX, note, priority=-1), Job("tests.soon", Queue.INDEX, note))
    for word in ("first", "second"):
        for job in jobs:
            await defer(database, who, job, word=f"{job.name} {word}")
    async with working(database, *jobs, concurrency=1):
        await until_settled(database)
    assert order == ["tests.soon first", "tests.soon second", "tests.late first", "tests.late second"]


async def test_the_same_key_in_two_workspaces_is_two_keys(database: Database, who: System) -> None:
    other = await make_workspace(database)
    met = asyncio.Barrier(2)

    async def meet(work: Work) -> None:
        async with asyncio.timeout(PATIENCE_S):
            await met.wait()

    job = Job("tests.meet", Queue.INDEX, meet)
    for each in (who, other):
        await defer(database, each, job, key="same")
    async with working(database, job):
        await until_settled(database)
    assert {found.status for found in await jobs_of(database)} == {JobStatus.SUCCEEDED}


async def test_a_permanent_error_fails_the_job_at_once_and_says_where_without_its_words(
    database: Database, who: System
) -> None:
    async def refuse(work: Work, *, secret: str) -> None:
        raise Invalid(f"cannot read {secret}")

    job = Job("tests.refuse", Queue.INDEX, refuse)
    await defer(database, who, job, secret="canary-4711")
    finished: list[tuple[str, str]] = []
    with structlog.testing.capture_logs() as lines:
        async with working(database, job, on_finished=lambda name, outcome, _s: finished.append((name, outcome))):
            await until_settled(database)
    [found] = await jobs_of(database)
    assert (found.status, found.attempts) == (JobStatus.FAILED, 1)
    assert finished == [("tests.refuse", "failed")]
    [line] = [line for line in lines if line["event"] == "job_failed"]
    assert (line["error"], line["code"]) == ("Invalid", "invalid")
    assert "refuse" in line["where"][-1]
    assert "canary" not in repr(lines)


async def test_the_library_does_not_log_arguments_either(
    database: Database, who: System, caplog: pytest.LogCaptureFixture
) -> None:
    async def refuse(work: Work, *, secret: str) -> None:
        raise Invalid("no")

    job = Job("tests.refuse", Queue.INDEX, refuse)
    await defer(database, who, job, secret="canary-4711")
    caplog.set_level(logging.DEBUG)
    async with working(database, job):
        await until_settled(database)
    assert "canary" not in caplog.text


async def test_a_passing_fault_is_tried_again_later_each_time(database: Database, who: System) -> None:
    moments: list[float] = []

    async def stumble(work: Work) -> None:
        moments.append(asyncio.get_running_loop().time())
        if len(moments) < 3:
            raise ConnectionResetError

    job = Job("tests.stumble", Queue.INDEX, stumble)
    await defer(database, who, job)
    async with working(database, job):
        await until_settled(database)
    first, second, third = moments
    assert second - first >= 0.5
    assert third - second >= 1
    [found] = await jobs_of(database)
    assert (found.status, found.attempts) == (JobStatus.SUCCEEDED, 3)


async def test_a_passing_fault_that_does_not_pass_fails_when_the_attempts_are_used_up(
    database: Database, who: System
) -> None:
    async def stumble(work: Work) -> None:
        raise TimeoutError

    job = Job("tests.stumble", Queue.INDEX, stumble, attempts=2)
    await defer(database, who, job)
    async with working(database, job):
        await until_settled(database)
    [found] = await jobs_of(database)
    assert (found.status, found.attempts) == (JobStatus.FAILED, 2)


async def test_an_effect_happens_once_per_key_and_workspace(database: Database, who: System) -> None:
    other = await make_workspace(database)
    answers: list[bool] = []

    async def act(work: Work) -> None:
        async with work.begin() as tx:
            answers.append(await work.once(tx, "greet"))

    job = Job("tests.act", Queue.INDEX, act)
    for each in (who, who, other):
        await defer(database, each, job, key="act")
    async with working(database, job):
        await until_settled(database)
    assert sorted(answers) == [False, True, True]


async def test_a_periodic_job_is_run_by_the_clock_and_can_visit_workspaces(database: Database, who: System) -> None:
    visited: list[UUID] = []

    async def visit(work: Work) -> None:
        async with work.begin() as tx:
            tenants = list(await tx.session.scalars(text("select id from workspaces")))
        for tenant_id in tenants:
            async with work.begin(tenant_id) as tx:
                visited.append(tx.tenant_id)

    job = Job("tests.visit", Queue.MAINTENANCE, visit, every="* * * * * *")
    async with working(database, job, workers=2):

        async def ran() -> bool:
            return bool(visited)

        await until(ran)
    assert set(visited) == {who.tenant_id}


async def test_a_periodic_job_slower_than_its_clock_does_not_pile_up_and_may_still_be_retried(
    database: Database,
) -> None:
    go_on = asyncio.Event()

    async def dawdle(work: Work) -> None:
        await go_on.wait()
        if work.attempt == 0:
            raise ConnectionResetError

    job = Job("tests.dawdle", Queue.MAINTENANCE, dawdle, every="* * * * * *")
    begun = clock.now()
    async with working(database, job, workers=2):

        async def several_ticks_later() -> bool:
            waiting = await jobs_of(database, status=JobStatus.TODO)
            return bool(waiting) and clock.now() - begun > timedelta(seconds=4)

        await until(several_ticks_later)
        assert len(await jobs_of(database)) <= 3
        go_on.set()

        async def retried() -> bool:
            return any(found.attempts == 2 for found in await jobs_of(database, status=JobStatus.SUCCEEDED))

        await until(retried)


async def test_a_job_of_another_version_fails_and_the_log_says_so_without_its_arguments(
    database: Database, who: System, caplog: pytest.LogCaptureFixture
) -> None:
    await defer(database, who, Job("tests.unheard_of", Queue.INDEX, nothing), secret="canary-4711")
    async with working(database):
        await until_settled(database)
    [found] = await jobs_of(database)
    assert found.status is JobStatus.FAILED
    [record] = [record for record in caplog.records if record.name.startswith("procrastinate")]
    assert vars(record)["job"] == {"id": found.id, "name": "tests.unheard_of"}
    assert "canary" not in caplog.text


async def test_a_worker_that_stops_gives_its_running_job_back(database: Database, who: System) -> None:
    begun = asyncio.Event()
    done: list[int] = []

    async def linger(work: Work) -> None:
        begun.set()
        if work.attempt == 0:
            await asyncio.Event().wait()
        done.append(work.attempt)

    job = Job("tests.linger", Queue.INDEX, linger)
    await defer(database, who, job)
    async with working(database, job), asyncio.timeout(PATIENCE_S):
        await begun.wait()
    [found] = await jobs_of(database)
    assert (found.status, found.attempts) == (JobStatus.TODO, 1)
    async with working(database, job):
        await until_settled(database)
    assert done == [1]
