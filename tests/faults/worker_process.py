"""A worker for a process of its own, which tests kill or pause."""

import asyncio
import sys

import structlog
from sqlalchemy import text

from intelli.kit.db import Database, Tx
from intelli.kit.jobs import Job, Queue
from intelli.kit.work import Work
from intelli.worker import Worker

HEARTBEAT_S = 0.3
STALL_S = 1.5


async def mark(tx: Tx, word: str, work: Work) -> None:
    values = {"word": word, "attempt": work.attempt}
    await tx.session.execute(text("insert into marks (word, attempt) values (:word, :attempt)"), values)


async def pass_gate(work: Work) -> None:
    """Wait until the test opens the gate of this attempt."""
    while True:
        async with work.db.begin(work.who) as tx:
            if await tx.session.scalar(text("select 1 from gates where attempt = :n"), {"n": work.attempt}):
                return
        await asyncio.sleep(0.05)


async def count(work: Work, *, word: str) -> None:
    """One effect."""
    async with work.begin() as tx:
        if await work.once(tx, word):
            await mark(tx, word, work)


async def two_steps(work: Work) -> None:
    """One effect before the gate and one after it."""
    async with work.db.begin(work.who) as tx:
        await mark(tx, "seen", work)
    await count(work, word="first")
    await pass_gate(work)
    await count(work, word="second")


async def gate_inside(work: Work) -> None:
    """An effect whose transaction is still open at the gate."""
    async with work.begin() as tx:
        if await work.once(tx, "inside"):
            await mark(tx, "inside", work)
        async with work.db.begin(work.who) as other:
            await mark(other, "seen", work)
        await pass_gate(work)


COUNT = Job("tests.count", Queue.INDEX, count)
TWO_STEPS = Job("tests.two_steps", Queue.INDEX, two_steps)
GATE_INSIDE = Job("tests.gate_inside", Queue.INDEX, gate_inside)
JOBS = (COUNT, TWO_STEPS, GATE_INSIDE)


def work(url: str) -> None:
    """Work until killed."""
    asyncio.run(_work(url))


async def _work(url: str) -> None:
    structlog.configure(
        processors=[structlog.contextvars.merge_contextvars, structlog.processors.JSONRenderer()],
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
    )
    worker = Worker(Database(url), JOBS, concurrency=4, heartbeat_s=HEARTBEAT_S, stall_s=STALL_S)
    await worker.run(asyncio.Event())
