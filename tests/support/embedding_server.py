"""Local HTTP server with OpenAI's embedding endpoint that can be made to fail."""

import asyncio
import hashlib
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import numpy as np

_REASONS = {200: "OK", 400: "Bad Request", 401: "Unauthorized", 429: "Too Many Requests", 500: "Server Error"}


@dataclass
class EmbeddingServer:
    """Fake server. `failures` are the statuses of the next responses; `at_once` is the peak of concurrent ones."""

    url: str = ""
    dimensions: int = 8
    failures: list[int] = field(default_factory=list)
    delay_s: float = 0.0
    retry_after: str | None = None
    garbage: bytes | None = None
    requests: list[dict[str, Any]] = field(default_factory=list)
    authorizations: list[str | None] = field(default_factory=list)
    running: int = 0
    at_once: int = 0

    async def answer(self, body: dict[str, Any]) -> tuple[int, bytes]:
        self.requests.append(body)
        self.running += 1
        self.at_once = max(self.at_once, self.running)
        try:
            await asyncio.sleep(self.delay_s)
        finally:
            self.running -= 1
        if self.failures:
            return self.failures.pop(0), b'{"error": {"message": "no"}}'
        if self.garbage is not None:
            return 200, self.garbage
        data = [{"index": n, "embedding": self._vector(text)} for n, text in enumerate(body["input"])]
        return 200, json.dumps({"data": data[::-1]}).encode()

    def _vector(self, text: str) -> list[float]:
        """Words that two texts share bring their vectors together."""
        total = np.zeros(self.dimensions)
        for word in text.lower().split():
            seed = int.from_bytes(hashlib.sha256(word.encode()).digest()[:4], "big")
            total += np.random.default_rng(seed).normal(size=self.dimensions)
        return [float(value) for value in total * 3]


@asynccontextmanager
async def embedding_server(**options: Any) -> AsyncIterator[EmbeddingServer]:
    """The server, until the block ends."""
    serving = EmbeddingServer(**options)

    async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while head := await _head(reader):
                body = json.loads(await reader.readexactly(int(head["content-length"])))
                serving.authorizations.append(head.get("authorization"))
                status, content = await serving.answer(body)
                more = f"Retry-After: {serving.retry_after}\r\n" if serving.retry_after else ""
                writer.write(
                    f"HTTP/1.1 {status} {_REASONS[status]}\r\nContent-Type: application/json\r\n{more}"
                    f"Content-Length: {len(content)}\r\n\r\n".encode()
                    + content
                )
                await writer.drain()
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()

    server = await asyncio.start_server(handle, "127.0.0.1", 0)
    serving.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1"
    async with server:
        yield serving


async def _head(reader: asyncio.StreamReader) -> dict[str, str]:
    first = await reader.readline()
    headers = {}
    while line := (await reader.readline()).decode().strip():
        name, _, value = line.partition(":")
        headers[name.lower()] = value.strip()
    return headers if first else {}
