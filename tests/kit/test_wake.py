"""Waking: one waiting job of a key is enough, and whoever takes it sees what it was woken for."""

import asyncio

from tests.support.jobs import IDLE, jobs_of, until_settled, working

from intelli.kit.context import System
from intelli.kit.db import Database
from intelli.kit.jobs import Job, Queue
from intelli.kit.work import Work


async def test_a_key_that_waits_is_woken_once(database: Database, who: System) -> None:
    for _ in range(3):
        async with database.begin(who) as tx:
            await tx.wake(IDLE, key="lane")
            await tx.wake(IDLE, key="other")
    assert len(await jobs_of(database)) == 2


async def test_a_key_at_work_is_woken_again(database: Database, who: System) -> None:
    begun, go, runs = asyncio.Event(), asyncio.Event(), 0

    async def wait(work: Work) -> None:
        nonlocal runs
        runs += 1
        begun.set()
        await go.wait()

    job = Job("tests.wait", Queue.MAINTENANCE, wait)
    async with database.begin(who) as tx:
        await tx.wake(job, key="lane")
    async with working(database, job):
        await begun.wait()
        async with database.begin(who) as tx:
            await tx.wake(job, key="lane")
        go.set()
        await until_settled(database)
    assert runs == 2


async def test_nobody_takes_a_waiting_job_before_who_woke_it_has_committed(database: Database, who: System) -> None:
    seen: list[int] = []

    async def look(work: Work) -> None:
        seen.append(committed)

    committed = 0
    job = Job("tests.look", Queue.MAINTENANCE, look)
    async with database.begin(who) as tx:
        await tx.wake(job, key="lane")
    async with database.begin(who) as tx:
        await tx.wake(job, key="lane")
        async with working(database, job):
            await asyncio.sleep(0.5)  # room for a worker that would not wait
            committed = 1
            await tx.session.commit()
            await until_settled(database)
    assert seen == [1]
