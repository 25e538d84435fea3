"""Amount of randomised testing: little in every run, much with `make soak`."""

import os
from collections.abc import Hashable, Iterator, Sequence
from itertools import cycle, islice
from typing import TypeVar

IS_SOAKING = bool(os.environ.get("INTELLI_TEST_SOAK"))
_Value = TypeVar("_Value", bound=Hashable)


def often(times: int, *, soaking: int) -> int:
    """Return the number of repetitions of a randomised test."""
    return soaking if IS_SOAKING else times


class Turns:
    """Distributes values over call sites: each gets the next one in turn, or all of them when soaking.

    With as many call sites as values, every value is tried somewhere in every run.
    """

    def __init__(self) -> None:
        self._rings: dict[Hashable, Iterator[Hashable]] = {}

    def deal(self, values: Sequence[_Value], *, times: int = 1) -> list[_Value]:
        """The next few of these values."""
        if IS_SOAKING or times >= len(values):
            return list(values)
        ring = self._rings.setdefault(tuple(values), cycle(values))
        return list(islice(ring, times))  # type: ignore[arg-type]  # a ring holds what its key does
