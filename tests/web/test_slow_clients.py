"""Clients that take for ever over a request."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

import httpx
import pytest
from tests.support.server import settings_for

from intelli.kit.settings import HttpSettings
from intelli.settings import Settings

_PATIENCE_S = 60


class Hurried:
    """A server that waits for half a second."""

    @pytest.fixture
    def settings(self, tmp_path) -> Settings:  # type: ignore[no-untyped-def]  # as pytest makes it
        return settings_for(tmp_path, http=HttpSettings(head_timeout_s=0.5, body_bytes_per_s=1_000_000))


@asynccontextmanager
async def connected(address: str) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
    url = httpx.URL(address)
    reader, writer = await asyncio.open_connection(url.host, url.port)
    async with asyncio.timeout(_PATIENCE_S):
        yield reader, writer
    writer.close()


async def say(address: str, *pieces: bytes) -> bytes:
    """Send pieces with nothing after them, and read until the server closes."""
    async with connected(address) as (reader, writer):
        for piece in pieces:
            writer.write(piece)
            await writer.drain()
        return await reader.read()


async def read_while_sending(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, piece: bytes) -> bytes:
    """Read until the server closes, while more comes all the time; what it said last may be lost by that."""

    async def send() -> None:
        with suppress(ConnectionError):
            while not writer.is_closing():
                writer.write(piece)
                await writer.drain()
                await asyncio.sleep(0.01)

    sending = asyncio.create_task(send())
    try:
        return await reader.read()
    except ConnectionError:
        return b""
    finally:
        sending.cancel()


class TestHurried(Hurried):
    async def test_hundreds_of_heads_that_never_end_are_closed_with_408(self, address: str):
        answers = await asyncio.gather(
            *(say(address, b"GET /healthz HTTP/1.1\r\nHost: x\r\n", b"X-More: a") for _ in range(300))
        )
        # On a busy machine the time may be over before the first piece came: then there is nothing to answer.
        assert {answer.split(b"\r\n")[0] for answer in answers} - {b""} == {b"HTTP/1.1 408 Request Timeout"}
        assert all(b"Cache-Control: no-store" in answer for answer in answers if answer)
        async with httpx.AsyncClient(base_url=address, timeout=_PATIENCE_S) as client:
            assert (await client.get("/healthz")).status_code == 200

    async def test_a_head_that_comes_byte_by_byte_gets_no_more_time(self, address: str):
        async with connected(address) as (reader, writer):
            writer.write(b"GET /healthz HTTP/1.1\r\nX-Slow: ")
            assert (await read_while_sending(reader, writer, b"a"))[:12] in {b"HTTP/1.1 408", b""}

    async def test_a_connection_that_says_nothing_is_closed(self, address: str):
        assert await say(address) == b""

    async def test_empty_lines_do_not_keep_a_connection_alive(self, address: str):
        async with connected(address) as (reader, writer):
            writer.write(b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
            assert (await reader.readuntil(b"}")).startswith(b"HTTP/1.1 200")
            assert await read_while_sending(reader, writer, b"\r\n") == b""

    async def test_a_body_that_trickles_is_given_up_and_does_nothing(self, address: str):
        head = b"POST /api/v1/auth/refresh HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n"
        assert (await say(address, head)).startswith(b"HTTP/1.1 408")
        assert (await say(address, head, b"{")).startswith(b"HTTP/1.1 408")

    async def test_a_body_whose_answer_is_given_before_its_end_is_given_up_too(self, address: str):
        head = b"POST /api/v1/nothing HTTP/1.1\r\nHost: x\r\nContent-Length: 90000000\r\n\r\n"
        answer = await say(address, head, b"x" * 1_100_000)
        assert answer.startswith(b"HTTP/1.1 413")
        assert answer.count(b"HTTP/1.1") == 1

    async def test_requests_one_after_another_and_at_once_are_all_answered(self, address: str):
        ask = b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n"
        last = b"GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
        assert (await say(address, ask * 5, ask, last)).count(b"HTTP/1.1 200") == 7


class TestSlowLine(Hurried):
    """A slow line that does move may take as long as it needs."""

    @pytest.fixture
    def settings(self, tmp_path) -> Settings:  # type: ignore[no-untyped-def]  # as pytest makes it
        return settings_for(tmp_path, http=HttpSettings(head_timeout_s=0.5, body_bytes_per_s=1))

    async def test_a_body_that_keeps_the_pace_may_take_longer_than_a_head(self, address: str):
        body = b'{"email": "nobody@example.org", "password": "x"}'
        kind = "Connection: close\r\nContent-Type: application/json\r\n"
        head = f"POST /api/v1/auth/login HTTP/1.1\r\nHost: x\r\n{kind}Content-Length: {len(body)}\r\n\r\n"
        async with connected(address) as (reader, writer):
            writer.write(head.encode())
            loop = asyncio.get_running_loop()
            begun, sent = loop.time(), 0
            while loop.time() - begun < 1.2:
                writer.write(body[sent : sent + 2])
                sent += 2
                await asyncio.sleep(0.1)
            writer.write(body[sent:])
            assert (await reader.read()).startswith(b"HTTP/1.1 401")
