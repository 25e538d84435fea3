"""Foreground: background work steps aside for a moment while somebody waits for an answer.

Requests and jobs of one process share its event loop. A job asks before each of its transactions, waits until no
request is being answered, and goes on after a few hundredths of a second whatever happens: it is never starved.
"""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager

_LONGEST_S = 0.04


class Foreground:
    """Counts the requests that are being answered in this process."""

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
        """Wait until no request is being answered, a moment at most."""
        if self._idle.is_set():
            return
        try:
            async with asyncio.timeout(_LONGEST_S):
                await self._idle.wait()
        except TimeoutError:
            return
