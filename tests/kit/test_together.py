"""Jobs that run as one: none is lost, none is mixed up with another workspace's, and each fails for itself."""

import asyncio
from collections.abc import Mapping, Sequence

import pytest
from sqlalchemy import text
from tests.support.jobs import defer, jobs_of, make_workspace, until_settled, working

from intelli.kit.context import System, WorkspaceLister
from intelli.kit.db import Database
from intelli.kit.jobs import Argument, Job, Queue
from intelli.kit.queue import JobStatus
from intelli.kit.work import LeaseLost, Work

Args = Sequence[Mapping[str, Argument]]


async def test_jobs_that_may_run_together_run_as_one_in_their_order(database: Database, who: System) -> None:
    runs: list[list[Argument]] = []

    async def note(work: Work, each: Args) -> None:
        async with work.begin():
            runs.append([args["n"] for args in each])

    job = Job("tests.together", Queue.INDEX, note, together=8)
    for n in range(10):
        await defer(database, who, job, key=f"thing:{n}", n=n)
    async with working(database, job, concurrency=1):
        await until_settled(database)
    assert runs == [list(range(8)), [8, 9]]
    assert {job.status for job in await jobs_of(database)} == {JobStatus.SUCCEEDED}


async def test_jobs_of_two_workspaces_or_of_one_key_never_run_together(database: Database, who: System) -> None:
    runs: list[tuple[object, list[Argument]]] = []

    async def note(work: Work, each: Args) -> None:
        assert isinstance(work.who, System)
        runs.append((work.who.tenant_id, [args["n"] for args in each]))

    other = await make_workspace(database)
    job = Job("tests.together", Queue.INDEX, note, together=8)
    for n in range(3):
        await defer(database, who, job, key="the same", n=n)
        await defer(database, other, job, n=n)
    async with working(database, job, concurrency=1):
        await until_settled(database)
    assert [ns for tenant_id, ns in runs if tenant_id == who.tenant_id] == [[0], [1], [2]]
    assert [ns for tenant_id, ns in runs if tenant_id == other.tenant_id] == [[0, 1, 2]]


async def test_when_a_run_fails_the_jobs_that_joined_it_have_another(database: Database, who: System) -> None:
    done: list[Argument] = []

    async def note(work: Work, each: Args) -> None:
        if each[0]["n"] == 0:
            raise ZeroDivisionError
        done.extend(args["n"] for args in each)

    job = Job("tests.together", Queue.INDEX, note, together=8)
    for n in range(4):
        await defer(database, who, job, n=n)
    async with working(database, job, concurrency=1):
        await until_settled(database)
    assert sorted(map(int, map(str, done))) == [1, 2, 3]
    assert sorted(job.status for job in await jobs_of(database)) == [JobStatus.FAILED, *[JobStatus.SUCCEEDED] * 3]


async def test_a_run_that_lost_one_of_its_jobs_writes_nothing_and_the_rest_is_done_again(
    database: Database, who: System
) -> None:
    runs: list[list[Argument]] = []

    async def note(work: Work, each: Args) -> None:
        runs.append([args["n"] for args in each])
        if len(runs) == 1:
            # As if another worker had taken the last one over.
            async with database.begin(WorkspaceLister()) as tx:
                taken = text("update procrastinate_jobs set attempts = attempts + 1, status = 'todo' where id = :id")
                await tx.session.execute(taken, {"id": work.others[-1]})
            with pytest.raises(LeaseLost):
                await _enter(work)
            raise LeaseLost("it is another's")

    job = Job("tests.together", Queue.INDEX, note, together=8)
    for n in range(3):
        await defer(database, who, job, n=n)
    async with asyncio.timeout(60), working(database, job, concurrency=1):
        await until_settled(database)
    assert runs[0] == [0, 1, 2]
    assert sorted(n for ns in runs[1:] for n in map(int, map(str, ns))) == [0, 1, 2]


async def _enter(work: Work) -> None:
    async with work.begin():
        pass
