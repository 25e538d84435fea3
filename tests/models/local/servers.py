"""Processes that run the model server of a data directory, and what can be seen of it from outside."""

import asyncio
import os
import signal
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from pathlib import Path

import psutil
from tests.support.forks import Fork

from intelli.models.local.folder import InstalledFile, ModelsFolder
from intelli.models.local.model_process import PROGRAM
from intelli.models.local.supervise import LocalModelServer, SuperviseTiming

QUICK = SuperviseTiming(look_s=0.1, ready_s=60, backoff_s=(0, 0, 0))
PATIENCE_S = 60


def run_server(data: Path) -> None:
    """Run the model server until killed."""
    asyncio.run(LocalModelServer(data, timing=QUICK).run())


@contextmanager
def holding(data: Path) -> Iterator[Fork]:
    """A process that runs the model server while the block lasts."""
    process = Fork(run_server, data, log=data / f"holder-{time.monotonic_ns()}.log")
    try:
        yield process
    finally:
        process.end()


@asynccontextmanager
async def supervised(data: Path, *, timing: SuperviseTiming = QUICK) -> AsyncIterator[LocalModelServer]:
    """The model server of a directory, run or followed by this process."""
    server = LocalModelServer(data, timing=timing)
    task = asyncio.create_task(server.run())
    try:
        yield server
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task


def find_children(pid: int | None = None) -> list[psutil.Process]:
    """The model servers that a process has as its children."""
    found = []
    with suppress(psutil.NoSuchProcess):
        for child in psutil.Process(pid or os.getpid()).children():
            with suppress(psutil.NoSuchProcess):
                found += [child] if str(PROGRAM) in child.cmdline() else []
    return found


async def until(is_so: Callable[[], object]) -> None:
    """Wait for something to become true."""
    async with asyncio.timeout(PATIENCE_S):
        while not is_so():  # noqa: ASYNC110  # what happens in another process tells no event
            await asyncio.sleep(0.05)


def kill(process: psutil.Process) -> None:
    """End a process with no time for a last word."""
    process.send_signal(signal.SIGKILL)


def accept(model: InstalledFile, folder: ModelsFolder) -> None:
    """Pass any file in a trial: for tests whose files are no models."""
