"""Port through which rooms run computations on untrusted text."""

from collections.abc import Callable
from typing import Protocol, TypeVar, TypeVarTuple

Arguments = TypeVarTuple("Arguments")
Result = TypeVar("Result")


class Compute(Protocol):
    """Runs pure module-level functions. The return annotation of a function decides how its result is parsed."""

    async def run(self, function: Callable[[*Arguments], Result], *arguments: *Arguments) -> Result:
        """Return the function's result. Raise OutOfTime, OutOfMemory or ComputationCrashed when there is none."""


class InProcess:
    """Runs functions in the calling process without limits, for tools and tests that may be stopped as a whole."""

    async def run(self, function: Callable[[*Arguments], Result], *arguments: *Arguments) -> Result:
        """Return the function's result."""
        return function(*arguments)
