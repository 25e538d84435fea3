"""Streams in which nothing happens: a proxy that ends silent connections keeps them, and dead clients are noticed."""

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from uuid import UUID

import httpx
import pytest
from tests.support.jobs import until
from tests.support.runs import ask
from tests.support.server import Person, settings_for

from intelli.app import App
from intelli.kit.context import System
from intelli.kit.settings import HttpSettings
from intelli.runs import events, journal
from intelli.settings import Settings

_SILENCE_S = 0.2
_PROXY_CUTS_AFTER_S = 3.0
_HEARTBEATS = 20
_STALL_S = 2.0
_PATIENCE_S = 60


@pytest.fixture
def settings(tmp_path) -> Settings:  # type: ignore[no-untyped-def]  # as pytest makes it
    return settings_for(tmp_path, http=HttpSettings(stream_silence_s=_SILENCE_S, stall_s=_STALL_S))


@asynccontextmanager
async def impatient_proxy(address: str) -> AsyncIterator[str]:
    """A proxy in front of an address that cuts a connection on which the server says nothing for a while."""
    target = httpx.URL(address)

    async def copy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, patience_s: float | None) -> None:
        try:
            async with asyncio.timeout(None) as silence:  # its patience begins with the answer
                while piece := await reader.read(65536):
                    writer.write(piece)
                    await writer.drain()
                    if patience_s is not None:
                        silence.reschedule(asyncio.get_running_loop().time() + patience_s)
        except (TimeoutError, ConnectionError):
            pass
        finally:
            writer.close()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        far_reader, far_writer = await asyncio.open_connection(target.host, target.port)
        await asyncio.gather(
            copy(reader, far_writer, None), copy(far_reader, writer, _PROXY_CUTS_AFTER_S), return_exceptions=True
        )

    async with await asyncio.start_server(serve, "127.0.0.1", 0) as server:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"


async def count_signs_of_life(proxy: str, person: Person, path: str) -> int:
    """Follow a stream through the proxy until it has sent enough signs of life; return how many came."""
    headers = {"Authorization": person.client.headers["Authorization"]}
    seen = 0
    async with (
        asyncio.timeout(_PATIENCE_S),
        httpx.AsyncClient(base_url=f"{proxy}/api/v1", headers=headers, timeout=_PATIENCE_S) as client,
        client.stream("GET", path) as answer,
    ):
        assert answer.status_code == 200
        async for line in answer.aiter_lines():
            seen += line in {": alive", "event: heartbeat"}
            if seen >= _HEARTBEATS:
                break
    return seen


async def test_a_silent_stream_outlives_a_proxy_that_cuts_silent_connections(address: str, owner: Person):
    run = await ask(owner)  # nobody works on it, so it waits without a word
    answer = await owner.client.post("/checks", json={"text": "Revenue came to 412.7 million euros."})
    check = answer.raise_for_status().json()
    paths = [f"/runs/{run['id']}/stream", f"/checks/{check['id']}/events", "/library/stream", "/audit/stream"]
    async with impatient_proxy(address) as proxy:
        seen = await asyncio.gather(*(count_signs_of_life(proxy, owner, path) for path in paths))
    assert seen == [_HEARTBEATS] * len(paths)


async def test_a_client_that_takes_nothing_any_more_is_noticed(app: App, address: str, owner: Person):
    run = await ask(owner)
    await write_much(app, owner, run["id"])
    url = httpx.URL(address)
    with socket.socket() as client:
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        client.setblocking(False)
        await asyncio.get_running_loop().sock_connect(client, (url.host, url.port))
        token = owner.client.headers["Authorization"]
        head = f"GET /api/v1/runs/{run['id']}/stream HTTP/1.1\r\nHost: x\r\nAuthorization: {token}\r\n\r\n"
        await asyncio.get_running_loop().sock_sendall(client, head.encode())
        await until(lambda: is_followed(app, by=1))
        await until(lambda: is_followed(app, by=0))


async def is_followed(app: App, *, by: int) -> bool:
    return app.stream_limit.streams == by


async def write_much(app: App, person: Person, run_id: str) -> None:
    """Write more events than the buffers of a connection hold."""
    me = await person.me()
    who = System(UUID(me["workspace"]["id"]), UUID(me["user"]["id"]))
    async with app.db.begin(who) as tx:
        for number in range(40):
            title = str(number % 10) * 500_000
            await journal.append(tx, UUID(run_id), (events.ChatTitleGenerated(title=title), str(number)))
