"""Follows the event stream of a run or a check, each event once, across lost connections."""

import asyncio
import json
from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import TYPE_CHECKING, Any
from uuid import UUID

from intelli.cli import remote
from intelli.kit.errors import Unavailable

if TYPE_CHECKING:
    import httpx

_ENDS = frozenset({"done", "ERROR"})
_MOST_FAILURES = 8
_PAUSE_S = 0.5
Event = dict[str, Any]


def events(client: "httpx.AsyncClient", run_id: UUID) -> AsyncGenerator[Event, None]:
    """Yield the events of a run until it ends; raise Unavailable after several failed connections in a row."""
    return _follow(client, f"runs/{run_id}/stream")


def events_of_check(client: "httpx.AsyncClient", check_id: UUID) -> AsyncGenerator[Event, None]:
    """Yield the events of a check until it ends; raise Unavailable after several failed connections in a row."""
    return _follow(client, f"checks/{check_id}/events")


async def _follow(client: "httpx.AsyncClient", path: str) -> AsyncGenerator[Event, None]:
    import httpx

    seen = failures = 0
    while True:
        try:
            async with aclosing(_read_stream(client, path, after=seen)) as numbered:
                async for number, event in numbered:
                    seen, failures = number, 0
                    yield event
                    if event["type"] in _ENDS:
                        return
        except httpx.TransportError:
            failures += 1
        if failures > _MOST_FAILURES:
            raise Unavailable("The server does not answer any more. The work goes on there; ask again later.")
        await asyncio.sleep(_PAUSE_S * failures)


async def _read_stream(
    client: "httpx.AsyncClient", path: str, *, after: int
) -> AsyncGenerator[tuple[int, Event], None]:
    async with client.stream("GET", path, params={"after": after}) as response:
        if not response.is_success:
            await response.aread()
            remote.parse_response(response)
        number = 0
        async for line in response.aiter_lines():
            field, _, value = line.partition(": ")
            if field == "id":
                number = int(value)
            elif field == "data" and number:
                yield number, json.loads(value)
