"""A worker that does research in a process of its own and kills itself: `python run_process.py URL DATA MODE COUNT`.

MODE says where: before the COUNT-th commit, or inside the COUNT-th call of the model.
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
from tests.support.runs import Shelf

from intelli.app import JOBS, App, Engine
from intelli.runs.ports import Library, Minds
from intelli.settings import Settings
from intelli.worker import Worker

HEARTBEAT_S = 0.3
STALL_S = 1.5
CENTS = Decimal("0.37")


class Countdown:
    """Kills the process, as if the power had failed, when it has been called so many times."""

    def __init__(self, count: int) -> None:
        self._left = count

    def __call__(self, *_: object) -> None:
        self._left -= 1
        if self._left == 0:
            os.kill(os.getpid(), signal.SIGKILL)


async def main(url: str, data: str, mode: str, count: str) -> None:
    structlog.configure(
        processors=[structlog.contextvars.merge_contextvars, structlog.processors.JSONRenderer()],
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
    )
    app = App(Settings(data=Path(data), secret_key=SecretStr("k" * 48)), Engine(url, url))
    countdown = Countdown(int(count))
    reasoner = PlainReasoner(cents=CENTS, on_call=countdown if mode == "call" else lambda verb: None)
    if mode == "commit":
        event.listen(app.db.engine.sync_engine, "commit", countdown)
    minds = Minds(reasoner, PlainReasoner(name="fallback"))
    parts = {**app.parts, Minds: minds, Library: Shelf().library()}
    await Worker(app.db, JOBS, concurrency=4, heartbeat_s=HEARTBEAT_S, stall_s=STALL_S, parts=parts).run(
        asyncio.Event()
    )


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
