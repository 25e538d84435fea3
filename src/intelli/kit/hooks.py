"""Hook: what a room lets later rooms add to one of its moments. The room calls it, the composition root fills it."""

from collections.abc import Awaitable, Callable
from typing import Generic, ParamSpec

Parameters = ParamSpec("Parameters")


class Hook(Generic[Parameters]):
    """Awaitables that are called one after the other; the first that raises refuses the moment."""

    def __init__(self, *calls: Callable[Parameters, Awaitable[None]]) -> None:
        self._calls = calls

    async def __call__(self, *args: Parameters.args, **kwargs: Parameters.kwargs) -> None:
        """Call them all."""
        for call in self._calls:
            await call(*args, **kwargs)
