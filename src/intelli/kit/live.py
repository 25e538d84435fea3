"""Live: one LISTEN connection per process that wakes any number of subscribers.

A wake-up carries nothing: the table is the truth, and each subscriber reads on from its own cursor. A wake may come
for no reason, but none is missed: after a reconnect, and every few seconds, everybody is woken to look.
"""

import asyncio
import random
from collections import defaultdict
from types import TracebackType
from typing import Any, Self

import psycopg
import structlog
from psycopg import sql

from intelli.kit.db import session_options

_IDLE_S = 10
_CONNECT_S = 10
_LONGEST_PAUSE_S = 5.0

log = structlog.get_logger()


class Subscription:
    """One subscriber's place. Look at the table first, then wait: a wake between the two is kept."""

    def __init__(self, live: "Live", channel: str, key: str) -> None:
        self._live = live
        self._place = (channel, key)
        self._wake = asyncio.Event()

    def __enter__(self) -> Self:
        self._live._places[self._place].add(self)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._live._leave(self._place, self)

    @property
    def closed(self) -> bool:
        """True when the process is shutting down and the stream should end."""
        return self._live.closed

    async def wait(self, timeout_s: float) -> bool:
        """True when there may be something new, False when `timeout_s` passed without a wake."""
        if self.closed:
            return True
        try:
            async with asyncio.timeout(timeout_s):
                await self._wake.wait()
        except TimeoutError:
            return False
        self._wake.clear()
        return True

    def wake(self) -> None:
        """Have the subscriber look again."""
        self._wake.set()


class Live:
    """The fan-out. `run` belongs into the process's task group; `subscribe` is a context manager."""

    def __init__(self, url: str, channels: tuple[str, ...]) -> None:
        self._url = url
        self._channels = channels
        self._places: defaultdict[tuple[str, str], set[Subscription]] = defaultdict(set)
        self._closing = asyncio.Event()

    @property
    def closed(self) -> bool:
        """True after `close`."""
        return self._closing.is_set()

    @property
    def subscribers(self) -> int:
        """How many subscribers there are now."""
        return sum(len(place) for place in self._places.values())

    def subscribe(self, channel: str, key: str) -> Subscription:
        """A place among those woken when a notification on `channel` names `key`."""
        if channel not in self._channels:
            raise ValueError(f"nobody listens to the channel {channel!r}; name it when Live is made")
        return Subscription(self, channel, key)

    async def run(self) -> None:
        """Listen until closed, through any number of lost connections."""
        async with asyncio.TaskGroup() as group:
            listening = group.create_task(self._listen_for_ever())
            await self._closing.wait()
            listening.cancel()

    def close(self) -> None:
        """Wake everybody for the last time, so that their streams end."""
        self._closing.set()
        self._wake_all()

    async def _listen_for_ever(self) -> None:
        failures = 0
        while True:
            try:
                async with asyncio.timeout(_CONNECT_S):
                    connection = await self._connect()
                async with connection:
                    failures = 0
                    await self._listen(connection)
            except (psycopg.Error, OSError, TimeoutError) as error:
                failures += 1
                log.warning("live_connection_lost", error=type(error).__name__, failures=failures)
                await asyncio.sleep(min(_LONGEST_PAUSE_S, 0.1 * 2**failures) * random.uniform(0.5, 1))  # noqa: S311

    async def _connect(self) -> psycopg.AsyncConnection[Any]:
        return await psycopg.AsyncConnection.connect(
            self._url, autocommit=True, options=session_options(), connect_timeout=_CONNECT_S, application_name="live"
        )

    async def _listen(self, connection: psycopg.AsyncConnection[Any]) -> None:
        for channel in self._channels:
            await connection.execute(sql.SQL("listen {}").format(sql.Identifier(channel)))
        while True:
            self._wake_all()
            async for notification in connection.notifies(timeout=_IDLE_S):
                self._wake(notification.channel, notification.payload)
            async with asyncio.timeout(_CONNECT_S):
                await connection.execute("select 1")  # a peer that vanished without a word shows here

    def _wake(self, channel: str, payload: str) -> None:
        """Wake those whom the payload names: `key` or `key:n`, separated by commas."""
        for item in payload.split(","):
            for subscription in self._places.get((channel, item.partition(":")[0]), ()):
                subscription.wake()

    def _wake_all(self) -> None:
        for place in self._places.values():
            for subscription in place:
                subscription.wake()

    def _leave(self, place: tuple[str, str], subscription: Subscription) -> None:
        self._places[place].discard(subscription)
        if not self._places[place]:
            del self._places[place]
