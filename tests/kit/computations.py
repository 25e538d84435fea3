"""Functions for tests to compute with: some come to an end, some do not."""

import os
import signal
import time
from pathlib import Path


def double(number: int) -> int:
    return 2 * number


def pid_of(_: object) -> int:
    return os.getpid()


def spin(_: object) -> None:
    while True:
        pass


def hoard(_: object) -> None:
    kept = []
    while True:
        kept.append(bytearray(1 << 20))


def flood(size: int) -> str:
    return "x" * size


def die(_: object) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def stumble(secret: str) -> None:
    raise ValueError(secret)


def inherited(_: object) -> dict[str, str]:
    """Every variable, and where each open descriptor leads."""
    opened = {each.name: str(each.readlink()) for each in Path("/proc/self/fd").iterdir() if each.exists()}
    return {**os.environ, **opened}


def nap(seconds: float) -> int:
    time.sleep(seconds)
    return os.getpid()


def spin_as(path: str) -> None:
    """Write down who spins, then spin."""
    Path(path).write_text(str(os.getpid()))
    spin(None)
