"""A web server of raw bytes on the loopback, and what web import makes of it."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress

from intelli.library.settings import LibrarySettings
from intelli.library.sources.web import SOURCE

OPEN = LibrarySettings(web_allow_private=True, fetch_limit_bytes=1 << 20, fetch_timeout_s=20)
OK = b"HTTP/1.1 200 OK\r\nConnection: close\r\n"
Serve = Callable[[asyncio.StreamReader, asyncio.StreamWriter], object]


@asynccontextmanager
async def serving(serve: Serve) -> AsyncIterator[str]:
    """A server of raw bytes."""

    handling: set[asyncio.Task[None]] = set()

    async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            await reader.readuntil(b"\r\n\r\n")
            answer = serve(reader, writer)
            if asyncio.iscoroutine(answer):
                await answer
            elif isinstance(answer, bytes):
                writer.write(answer)
                await writer.drain()
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()
            with suppress(ConnectionError):
                await writer.wait_closed()

    def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        handling.add(asyncio.create_task(handle(reader, writer)))

    async with await asyncio.start_server(connected, "127.0.0.1", 0) as server:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    for task in handling:
        task.cancel()
    await asyncio.gather(*handling, return_exceptions=True)


async def fetched(url: str, options: LibrarySettings = OPEN) -> tuple[str, int, dict[str, object]]:
    """Name, size and what is told of a document."""
    async with SOURCE.fetch(url, options) as document:
        size = sum([len(chunk) async for chunk in document.chunks])
        return document.name, size, dict(document.metadata)
