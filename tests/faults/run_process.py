"""A worker for a process of its own, which does research and kills itself.

It takes over from workers that were silent for `stall_s`. The mode says where it dies: before the count-th commit,
inside the count-th call of the model, before the count-th commit after a document was written, or whenever a question
is to be planned that is `DEADLY`.
"""

import asyncio
import os
import signal
import sys
from decimal import Decimal
from pathlib import Path

import structlog
from pydantic import SecretStr
from sqlalchemy import event
from tests.support.reasoner import PlainReasoner
from tests.support.runs import FakeLibrary
from tests.support.soak import IS_SOAKING

from intelli.app import JOBS, App, Engine
from intelli.kit.compute import Compute, InProcess
from intelli.reasoning.reasoners import FixedReasoners
from intelli.reasoning.usage import Usage
from intelli.reasoning.verbs.understand import ResearchPlan, UnderstandInput
from intelli.runs.ports import LibraryAccess, RunReasoners
from intelli.settings import Settings
from intelli.worker import Worker

HEARTBEAT_S = 0.3
# For hours beside other work a process may be silent for seconds without being dead.
STALL_S = 6.0 if IS_SOAKING else 1.5
CENTS = Decimal("0.37")
DEADLY = "What is deadly?"


class Countdown:
    """Kills the process, as if the power had failed, when it has been called so many times."""

    def __init__(self, count: int) -> None:
        self._left = count

    def __call__(self, *_: object) -> None:
        self._left -= 1
        if self._left == 0:
            os.kill(os.getpid(), signal.SIGKILL)


class DeadlyReasoner(PlainReasoner):
    """Kills its process when it is asked to plan a certain question."""

    async def plan(self, asked: UnderstandInput) -> tuple[ResearchPlan, Usage]:
        if asked.question == DEADLY:
            os.kill(os.getpid(), signal.SIGKILL)
        return await super().plan(asked)


def _once_written(app: App, countdown: Countdown) -> None:
    """Count commits from the one that keeps a version of a document."""
    engines = [pool.engine.sync_engine for pool in app.pools.all]

    def watch(connection: object, cursor: object, statement: str, *_: object) -> None:
        if "insert into document_versions" in statement.lower() and not event.contains(engines[0], "commit", countdown):
            for engine in engines:
                event.listen(engine, "commit", countdown)

    for engine in engines:
        event.listen(engine, "before_cursor_execute", watch)


def work(url: str, data: Path, death: tuple[str, int], stall_s: float) -> None:
    """Work until the time to die has come."""
    asyncio.run(_work(url, data, death, stall_s))


async def _work(url: str, data: Path, death: tuple[str, int], stall_s: float) -> None:
    mode, count = death
    structlog.configure(
        processors=[structlog.contextvars.merge_contextvars, structlog.processors.JSONRenderer()],
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
    )
    app = App(Settings(data=data, secret_key=SecretStr("k" * 48)), Engine(url, url))
    countdown = Countdown(count)
    kind = DeadlyReasoner if mode == "deadly" else PlainReasoner
    reasoner = kind(cents=CENTS, on_call=countdown if mode == "call" else lambda verb: None)
    if mode == "commit":
        for pool in app.pools.all:
            event.listen(pool.engine.sync_engine, "commit", countdown)
    if mode == "written":
        _once_written(app, countdown)
    reasoners = RunReasoners(FixedReasoners(reasoner, PlainReasoner(name="fallback")))
    # Many such processes begin: none needs children that compute for it.
    parts = {**app.parts, RunReasoners: reasoners, LibraryAccess: FakeLibrary().library(), Compute: InProcess()}
    pace = {"concurrency": 4, "heartbeat_s": HEARTBEAT_S, "stall_s": stall_s}
    worker = Worker(app.pools.maintenance, JOBS, parts=parts, pool_of=app.pools.for_queue, **pace)  # type: ignore[arg-type]  # by name
    await worker.run(asyncio.Event())
