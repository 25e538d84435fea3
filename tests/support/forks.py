"""Child processes forked from one that has imported the product: the import takes longer than most of them run."""

import multiprocessing
import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

FORKS = multiprocessing.get_context("forkserver")
_LOADED = ("cli.program", "app", "web.server", "migrations.schema", "runs.execute")
FORKS.set_forkserver_preload([f"intelli.{module}" for module in _LOADED])
_END_S = 60


class Fork:
    """A function that runs in a forked process; its standard error goes to a file."""

    def __init__(self, work: Callable[..., None], *given: Any, log: Path) -> None:
        self._log = log
        self._log.touch()
        self._process = FORKS.Process(target=_say_to, args=(log, work, given))
        self._process.start()

    @property
    def pid(self) -> int:
        assert self._process.pid is not None
        return self._process.pid

    @property
    def is_alive(self) -> bool:
        return self._process.is_alive()

    def send(self, number: int) -> None:
        """Send it a signal."""
        os.kill(self.pid, number)

    def said(self, word: str) -> bool:
        """Tell whether its standard error contains a text."""
        return word in self._log.read_text()

    def wait(self) -> None:
        """Wait until it has ended by itself; it is killed when it does not."""
        self._process.join(_END_S)
        self.end()

    def end(self) -> None:
        """Kill it, running or paused, and wait until it is gone."""
        if self.is_alive:
            self.send(signal.SIGKILL)
        self._process.join(_END_S)


def _say_to(log: Path, work: Callable[..., None], given: tuple[Any, ...]) -> None:
    sys.stderr = log.open("a", buffering=1)
    work(*given)
