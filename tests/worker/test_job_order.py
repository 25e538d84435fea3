"""Turns: nobody waits behind another workspace's, another person's or another queue's pile of jobs."""

import asyncio
from dataclasses import dataclass, field

import psycopg
from tests.support.jobs import PATIENCE_S, defer, make_workspace, until_settled, working

from intelli.kit.context import System
from intelli.kit.db import Database
from intelli.kit.ids import uuid7
from intelli.kit.jobs import Job, Queue
from intelli.kit.work import Work
from intelli.worker.job_order import NEXT, JobOrder


@dataclass
class Recorder:
    """Jobs that note when they begin, and end when they are let go."""

    begun: list[str] = field(default_factory=list)
    go: asyncio.Event = field(default_factory=asyncio.Event)
    news: asyncio.Condition = field(default_factory=asyncio.Condition)

    async def note(self, work: Work, *, name: str) -> None:
        async with self.news:
            self.begun.append(name)
            self.news.notify_all()
        await self.go.wait()

    async def until_begun(self, name: str) -> None:
        async with asyncio.timeout(PATIENCE_S), self.news:
            await self.news.wait_for(lambda: name in self.begun)

    def job(self, queue: Queue) -> Job:
        return Job(f"tests.note_{queue}", queue, self.note)


async def test_a_workspace_is_served_at_once_behind_sixty_jobs_of_another(database: Database):
    first, second = await make_workspace(database), await make_workspace(database)
    recorder = Recorder()
    job = recorder.job(Queue.RUNS)
    for number in range(60):
        await defer(database, System(first.tenant_id, uuid7()), job, name=f"first {number}")
    async with working(database, job, concurrency=2):
        await recorder.until_begun("first 2")
        await defer(database, System(second.tenant_id, uuid7()), job, name="second")
        await recorder.until_begun("second")
        assert len(recorder.begun) == 4
        recorder.go.set()
        await until_settled(database)


async def test_a_person_is_served_at_once_behind_sixty_jobs_of_a_colleague(database: Database):
    who = await make_workspace(database)
    ada, bob = System(who.tenant_id, uuid7()), System(who.tenant_id, uuid7())
    recorder = Recorder()
    job = recorder.job(Queue.RUNS)
    for number in range(60):
        await defer(database, ada, job, name=f"ada {number}")
    async with working(database, job, concurrency=2):
        await recorder.until_begun("ada 1")
        await defer(database, bob, job, name="bob")
        await recorder.until_begun("bob")
        assert len(recorder.begun) == 3
        recorder.go.set()
        await until_settled(database)


async def test_workspaces_take_turns_whatever_came_first(database: Database):
    workspaces = {name: await make_workspace(database) for name in "abc"}
    recorder = Recorder()
    recorder.go.set()
    job = recorder.job(Queue.RUNS)
    for name, who in workspaces.items():
        for _ in range(8):
            await defer(database, who, job, name=name)
    async with working(database, job, concurrency=1):
        await until_settled(database)
    for turn in range(0, 24, 6):
        assert sorted(recorder.begun[turn : turn + 6]) == ["a", "a", "b", "b", "c", "c"]


async def test_a_queue_that_is_full_holds_up_no_other(database: Database, who: System):
    recorder = Recorder()
    reading, asking = recorder.job(Queue.INDEX), recorder.job(Queue.RUNS)
    for number in range(20):
        await defer(database, who, reading, name=f"file {number}")
    async with working(database, reading, asking, concurrency=2):
        await recorder.until_begun("file 1")
        await defer(database, who, asking, name="question")
        await recorder.until_begun("question")
        recorder.go.set()
        await until_settled(database)


async def test_a_higher_priority_goes_before_every_turn(database: Database, who: System):
    recorder = Recorder()
    recorder.go.set()
    usual = recorder.job(Queue.INDEX)
    later = Job("tests.later", Queue.INDEX, recorder.note, priority=-10)
    for _ in range(3):
        await defer(database, who, later, name="later")
    for _ in range(3):
        await defer(database, System(who.tenant_id, uuid7()), usual, name="usual")
    async with working(database, usual, later, concurrency=1):
        await until_settled(database)
    assert recorder.begun == ["usual"] * 3 + ["later"] * 3


async def test_finding_the_next_job_does_not_read_all_that_wait(database: Database, admin_url: str, who: System):
    job = Recorder().job(Queue.INDEX)
    async with database.begin(who) as tx:
        await tx.defer_each(job, {f"key {number}": {"name": str(number)} for number in range(20_000)})
    asked = {"worker_id": None, **(JobOrder(4).parameters([Queue.INDEX.value]) or {})}
    async with await psycopg.AsyncConnection.connect(admin_url, options="-c search_path=public,jobs") as connection:
        await connection.execute("analyze procrastinate_jobs")
        plan = await connection.execute("explain (analyze, buffers off, format json) " + NEXT, asked)
        [[[whole]]] = await plan.fetchall()
        await connection.rollback()
    assert max(rows_of(whole["Plan"])) < 100


def rows_of(node: dict[str, object]) -> list[float]:
    """The rows that each step of a plan gave or threw away."""
    below = [rows for child in node.get("Plans", []) for rows in rows_of(child)]  # type: ignore[attr-defined]
    return [float(node["Actual Rows"]), float(node.get("Rows Removed by Filter", 0)), *below]  # type: ignore[arg-type]
