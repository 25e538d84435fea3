"""Leader election in a database: one process handles the notifications of a channel, another succeeds it."""

import asyncio
from collections.abc import Awaitable, Callable, Set
from dataclasses import dataclass
from typing import Any

import psycopg
import structlog
from psycopg import sql

from intelli.kit.db import session_options

_CONNECT_S = 10
_PAUSE_S = 5.0
_IDLE_S = 15
_LOCK = "select pg_try_advisory_lock(hashtextextended(%s, 0))"

log = structlog.get_logger()

Round = Callable[[Set[str] | None], Awaitable[Set[str]]]


@dataclass(frozen=True, slots=True)
class Leader:
    """Task of an elected leader. `round` gets the payloads notified since the last round, at most every `every_s`.

    The first round of a leader gets None: it handles everything, because nobody may have listened before. A round
    returns what it could not do, which the next round gets again. A process that waits to lead runs a round with None
    every `standby_s` all the same: the leader may hang, or the lock may be held by some other client.
    """

    url: str
    name: str
    channel: str
    every_s: float
    round: Round
    standby_s: float = 60

    async def run(self, stop: asyncio.Event) -> None:
        """Lead, or wait to lead, until `stop` is set; a leader then does one last round."""
        while not stop.is_set():
            try:
                await self._run_connected(stop)
            except* Exception as errors:  # noqa: BLE001  # the edge of the task: the process goes on and retries
                log.warning("leader_interrupted", leader=self.name, error=type(errors.exceptions[0]).__name__)
            await _pause(stop, _PAUSE_S)

    async def _run_connected(self, stop: asyncio.Event) -> None:
        async with asyncio.timeout(_CONNECT_S):
            connection = await psycopg.AsyncConnection.connect(
                self.url, autocommit=True, options=session_options(), application_name=self.name
            )
        async with connection:
            waited_s, pause_s = 0.0, min(_PAUSE_S, self.standby_s)
            while not await _is_leader(connection, self.name):
                if await _pause(stop, pause_s):
                    return
                waited_s += pause_s
                if waited_s >= self.standby_s:
                    waited_s = 0.0
                    await self.round(None)
            await self._lead(connection, stop)

    async def _lead(self, connection: psycopg.AsyncConnection[Any], stop: asyncio.Event) -> None:
        pending = set[str]()
        await connection.execute(sql.SQL("listen {}").format(sql.Identifier(self.channel)))
        async with asyncio.TaskGroup() as group:
            listening = group.create_task(_listen(connection, pending))
            pending |= await self.round(None)
            is_last = False
            while not is_last:
                is_last = await _pause(stop, self.every_s)
                payloads = frozenset(pending)
                pending.clear()
                if payloads:
                    pending |= await self.round(payloads)
            listening.cancel()


async def _is_leader(connection: psycopg.AsyncConnection[Any], name: str) -> bool:
    async with asyncio.timeout(_CONNECT_S):
        row = await (await connection.execute(_LOCK, [name])).fetchone()
    return bool(row and row[0])


async def _listen(connection: psycopg.AsyncConnection[Any], pending: set[str]) -> None:
    while True:
        async for notification in connection.notifies(timeout=_IDLE_S):
            pending.add(notification.payload)
        async with asyncio.timeout(_CONNECT_S):
            await connection.execute("select 1")  # detects a peer that vanished without closing the connection


async def _pause(stop: asyncio.Event, seconds: float) -> bool:
    """Wait for some seconds; return True at once when `stop` is set, else False."""
    try:
        async with asyncio.timeout(seconds):
            await stop.wait()
    except TimeoutError:
        return False
    return True
