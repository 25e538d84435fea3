"""Live: fan-out of PostgreSQL notifications, with one LISTEN connection per process for any number of subscribers.

A callback gets no data: the table is the truth, and each subscriber reads on from its own cursor. A callback may come
without a change, but none is missed: PostgreSQL loses no notification while the connection lasts, and after a reconnect
all subscribers are called. There is no polling.
"""

import asyncio
import random
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import psycopg
import structlog
from psycopg import sql

from intelli.kit.db import session_options

_IDLE_S = 10
_CONNECT_S = 10
_LONGEST_PAUSE_S = 5.0

Call = Callable[[], None]
log = structlog.get_logger()


class Live:
    """Dispatcher of notifications. `run` belongs into the process's task group; `subscribe` is a context manager."""

    def __init__(self, url: str, channels: tuple[str, ...]) -> None:
        self._url = url
        self._channels = channels
        self._subscribers: defaultdict[tuple[str, str], dict[object, Call]] = defaultdict(dict)
        self._closing = asyncio.Event()

    @property
    def closed(self) -> bool:
        """True after `close` was called."""
        return self._closing.is_set()

    @property
    def subscribers(self) -> int:
        """Number of current subscribers."""
        return sum(len(calls) for calls in self._subscribers.values())

    @contextmanager
    def subscribe(self, channel: str, key: str, call: Call) -> Iterator[None]:
        """Call `call` on each notification on `channel` that names `key`, after a reconnect, and on `close`.

        Raises ValueError for a channel that was not given to the constructor.
        """
        if channel not in self._channels:
            raise ValueError(f"nobody listens to the channel {channel!r}; name it when Live is made")
        place, token = (channel, key), object()
        self._subscribers[place][token] = call
        try:
            yield
        finally:
            del self._subscribers[place][token]
            if not self._subscribers[place]:
                del self._subscribers[place]

    async def run(self) -> None:
        """Listen until `close`; reconnect with backoff when the connection is lost."""
        async with asyncio.TaskGroup() as group:
            listening = group.create_task(self._keep_listening())
            await self._closing.wait()
            listening.cancel()

    async def until_closed(self) -> None:
        """Wait until `close` was called, that is, until the process shuts down."""
        await self._closing.wait()

    def close(self) -> None:
        """Mark as closed and call all subscribers a last time, so that their streams end."""
        self._closing.set()
        self._call_all()

    async def _keep_listening(self) -> None:
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
        self._call_all()
        while True:
            async for notification in connection.notifies(timeout=_IDLE_S):
                self._call(notification.channel, notification.payload)
            async with asyncio.timeout(_CONNECT_S):
                await connection.execute("select 1")  # detects a peer that vanished without closing the connection

    def _call(self, channel: str, payload: str) -> None:
        """Call the subscribers that the payload names: `key` or `key:n`, separated by commas."""
        for item in payload.split(","):
            for call in list(self._subscribers.get((channel, item.partition(":")[0]), {}).values()):
                call()

    def _call_all(self) -> None:
        for calls in list(self._subscribers.values()):
            for call in list(calls.values()):
                call()
