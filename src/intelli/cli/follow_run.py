"""Following a run of a server: its events, each once, across lost connections."""

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


async def events(client: "httpx.AsyncClient", run_id: UUID) -> AsyncGenerator[Event, None]:
    """What a run tells, from its beginning to its end."""
    import httpx

    seen = failures = 0
    while True:
        try:
            async with aclosing(_connection(client, run_id, after=seen)) as told:
                async for number, event in told:
                    seen, failures = number, 0
                    yield event
                    if event["type"] in _ENDS:
                        return
        except httpx.TransportError:
            failures += 1
        if failures > _MOST_FAILURES:
            raise Unavailable("The server does not answer any more. The run goes on there; ask again later.")
        await asyncio.sleep(_PAUSE_S * failures)


async def _connection(
    client: "httpx.AsyncClient", run_id: UUID, *, after: int
) -> AsyncGenerator[tuple[int, Event], None]:
    async with client.stream("GET", f"runs/{run_id}/stream", params={"after": after}) as response:
        if not response.is_success:
            await response.aread()
            remote.answer(response)
        number = 0
        async for line in response.aiter_lines():
            field, _, value = line.partition(": ")
            if field == "id":
                number = int(value)
            elif field == "data" and number:
                yield number, json.loads(value)
