"""Functions for tests to compute with: some come to an end, some do not."""

import os
import signal
import time


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
    opened = {number: os.readlink(f"/proc/self/fd/{number}") for number in os.listdir("/proc/self/fd")[:-1]}
    return {**os.environ, **opened}


def doze(seconds: float) -> float:
    time.sleep(seconds)
    return seconds
