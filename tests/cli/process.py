"""The program as an operator runs it: real processes with a data directory of their own."""

import json
import os
import signal
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import uuid4

from tests.support.database import postgres_version
from tests.support.forks import FORKS

PROGRAM = str(Path(sys.executable).with_name("intelli"))
READY_S = 90
_WRITE = os.O_WRONLY | os.O_CREAT | os.O_APPEND


def environment(**more: str) -> dict[str, str]:
    """The environment without settings from outside."""
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("INTELLI_")}
    return {**inherited, "INTELLI_POSTGRES_VERSION": str(postgres_version()), "COLUMNS": "200", **more}


@dataclass(frozen=True)
class Outcome:
    """How a command ended."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


def intelli(*arguments: object, given: str = "", env: Mapping[str, str] | None = None) -> Outcome:
    """Run a command to its end, in a process forked from one that has the program loaded already."""
    with tempfile.TemporaryDirectory() as folder:
        told = Told(*(Path(folder, name) for name in ("in", "out", "err")))
        told.given.write_text(given)
        child = FORKS.Process(target=_run, args=([str(each) for each in arguments], environment(**(env or {})), told))
        child.start()
        child.join(120)
        if child.exitcode is None:
            child.kill()
            child.join()
        assert child.exitcode is not None
        return Outcome(child.exitcode, told.out.read_text(), told.err.read_text())


@dataclass(frozen=True)
class Told:
    """The files that stand for a command's input and output."""

    given: Path
    out: Path
    err: Path


def _run(arguments: list[str], env: dict[str, str], told: Told) -> None:
    from intelli.cli import main

    for number, path, mode in ((0, told.given, os.O_RDONLY), (1, told.out, _WRITE), (2, told.err, _WRITE)):
        handle = os.open(path, mode)
        os.dup2(handle, number)
        os.close(handle)
    # The one who forks us has neither a terminal nor our input.
    sys.stdin = os.fdopen(0, closefd=False)
    os.environ.clear()
    os.environ.update(env)
    sys.argv = [PROGRAM, *arguments]
    main()


class Process:
    """A command that runs until it is stopped, and says on its first line of JSON that it is ready."""

    def __init__(self, *arguments: object, log: Path, env: Mapping[str, str] | None = None) -> None:
        self.log = log
        told = Told(Path(os.devnull), log.with_name(f"{log.name}.{uuid4().hex}"), log)
        command = [*map(str, arguments), "--json"]
        self.process = FORKS.Process(target=_run, args=(command, environment(**(env or {})), told))
        self.process.start()
        self.said: dict[str, Any] = json.loads(self._first_line(told.out))

    @property
    def url(self) -> str:
        address: str = self.said["url"]
        return address

    @property
    def pid(self) -> int:
        assert self.process.pid is not None
        return self.process.pid

    def send(self, number: signal.Signals) -> None:
        """Send it a signal, if it still runs."""
        if self.process.is_alive():
            os.kill(self.pid, number)

    def stop(self, number: signal.Signals = signal.SIGTERM) -> int:
        """Ask it to end, and wait until it has."""
        self.send(number)
        return self._ended(60)

    def kill(self) -> None:
        """End it with no time for a last word."""
        self.process.kill()
        self._ended(60)

    def _ended(self, timeout_s: float) -> int:
        self.process.join(timeout_s)
        assert self.process.exitcode is not None, "it did not end"
        return self.process.exitcode

    def _first_line(self, out: Path) -> str:
        deadline = time.monotonic() + READY_S
        while time.monotonic() < deadline and self.process.is_alive():
            if out.exists() and (said := out.read_text()).endswith("\n"):
                return said
            time.sleep(0.02)
        self.kill()
        raise AssertionError(f"it did not become ready. Its log:\n{self.log.read_text()[-3000:]}")


@contextmanager
def running(*arguments: object, log: Path, env: Mapping[str, str] | None = None) -> Iterator[Process]:
    """A command that runs while the block does."""
    process = Process(*arguments, log=log, env=env)
    try:
        yield process
    finally:
        process.stop()


@contextmanager
def serving(data: Path, *more: object, env: Mapping[str, str] | None = None) -> Iterator[Process]:
    """A server on a free port while the block runs."""
    with running("serve", "--port", 0, "--data", data, *more, log=data.with_suffix(".log"), env=env) as process:
        yield process


def postmaster_pid(data: Path) -> int:
    """The process of the embedded database."""
    return int((data / "postgres" / "pgdata" / "postmaster.pid").read_text().split()[0])


def until(is_so: Any, *, timeout_s: float = 60) -> None:
    """Wait for something that happens in another process."""
    deadline = time.monotonic() + timeout_s
    while not is_so():
        assert time.monotonic() < deadline, "it did not come to pass"
        time.sleep(0.02)
