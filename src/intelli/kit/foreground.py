"""Priority of requests over background jobs that share one event loop.

Before each of its transactions a job waits until no request is being answered, for at most a few hundredths of a
second: it is delayed but never starved.
"""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager

_LONGEST_S = 0.04


class Foreground:
    """Counter of the requests that this process is answering."""

    def __init__(self) -> None:
        self._requests = 0
        self._idle = asyncio.Event()
        self._idle.set()

    @contextmanager
    def request(self) -> Iterator[None]:
        """Count a request while the block lasts."""
        self._requests += 1
        self._idle.clear()
        try:
            yield
        finally:
            self._requests -= 1
            if not self._requests:
                self._idle.set()

    async def step_aside(self) -> None:
        """Wait until no request is being answered, at most 40 ms."""
        if self._idle.is_set():
            return
        try:
            async with asyncio.timeout(_LONGEST_S):
                await self._idle.wait()
        except TimeoutError:
            return
