"""A small HTTP server on the loopback, in place of the web and of services behind OAuth."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from urllib.parse import parse_qs


@dataclass
class Asked:
    """A request as the origin sees it."""

    method: str
    path: str
    headers: dict[str, str]
    body: str

    @property
    def form(self) -> dict[str, str]:
        return {name: values[0] for name, values in parse_qs(self.body).items()}


@dataclass
class Said:
    """What the origin answers."""

    body: bytes = b""
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)


Answer = Callable[[Asked], Said]


@dataclass
class Origin:
    """The server: its address, what it answers at each path, and what it was asked."""

    url: str
    answers: dict[str, Answer | Said] = field(default_factory=dict)
    asked: list[Asked] = field(default_factory=list)

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            asked = await _read(reader)
            self.asked.append(asked)
            answer = self.answers.get(asked.path.partition("?")[0], Said(b"nothing here", 404))
            said = answer if isinstance(answer, Said) else answer(asked)
            headers = {"Content-Length": str(len(said.body)), "Connection": "close", **said.headers}
            lines = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
            writer.write(f"HTTP/1.1 {said.status} Said\r\n{lines}\r\n".encode() + said.body)
            await writer.drain()
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()


@asynccontextmanager
async def origin() -> AsyncIterator[Origin]:
    """A server for as long as the block lasts."""
    place = Origin("")
    server = await asyncio.start_server(place.serve, "127.0.0.1", 0)
    place.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    async with server:
        yield place


async def _read(reader: asyncio.StreamReader) -> Asked:
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
    first, *lines = head.strip().split("\r\n")
    method, path, _ = first.split(" ")
    headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
    body = await reader.readexactly(int(headers.get("content-length", "0")))
    return Asked(method, path, headers, body.decode())
