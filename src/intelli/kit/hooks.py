"""Hook: extension point of a room. The room calls it; the composition root fills it with functions of later rooms."""

from collections.abc import Awaitable, Callable
from typing import Generic, ParamSpec

Parameters = ParamSpec("Parameters")


class Hook(Generic[Parameters]):
    """Async callables that are called in order; the first that raises stops the rest and the caller."""

    def __init__(self, *calls: Callable[Parameters, Awaitable[None]]) -> None:
        self._calls = calls

    async def __call__(self, *args: Parameters.args, **kwargs: Parameters.kwargs) -> None:
        """Call all of them in order."""
        for call in self._calls:
            await call(*args, **kwargs)
