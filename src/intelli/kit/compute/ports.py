"""What rooms ask for when they compute on outside text."""

from collections.abc import Callable
from typing import Protocol, TypeVar, TypeVarTuple

Arguments = TypeVarTuple("Arguments")
Result = TypeVar("Result")


class Compute(Protocol):
    """Runs pure functions of a module's top level, whose return type says how their result is read."""

    async def run(self, function: Callable[[*Arguments], Result], *arguments: *Arguments) -> Result:
        """What the function returns. Raises OutOfTime, OutOfMemory or Crashed when it comes to no end."""


class InProcess:
    """Computes where it is called, without limits: for tools and tests that may be stopped as a whole."""

    async def run(self, function: Callable[[*Arguments], Result], *arguments: *Arguments) -> Result:
        """What the function returns."""
        return function(*arguments)
