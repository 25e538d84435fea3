"""Does anything starve? Search beside idle streams, uploads and runs; a question behind another workspace's pile."""

import asyncio
import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from statistics import median, quantiles
from typing import Any

import httpx

from bench.figures import Comparison, Size

QUESTION = "Does anything starve? One process serves it all; search is asked four times a second. Less is better."
_MS = 1000
_READY_S = 120
_RUN_S = 600
_PASSWORD = "correct horse battery"  # of an installation that lives for a minute
_SUBJECTS = ("revenue", "staff", "energy", "suppliers", "audit", "risks", "water", "travel", "rent", "insurance")
_TEXT = (
    "# Report {n}\n\nThe {subject} of division {n} came to {n}.5 million euros in 2025. In 2024 it was {n}.1 million.\n"
    "Division {n} employs 5{n} people in Lisbon. The audit found {n} late suppliers.\n"
)


@dataclass(frozen=True)
class Load:
    """Amounts of load."""

    documents: int = 200
    searches: int = 240
    per_s: float = 4
    streams: tuple[int, ...] = (200, 1000)
    runs: int = 30
    pile: int = 60
    questions: int = 7


_LOADS = {
    Size.USUAL: Load(),
    Size.SMALLEST: Load(documents=5, searches=8, per_s=20, streams=(5,), runs=2, pile=4, questions=1),
}


@dataclass
class Person:
    """User with a workspace of their own, and the responses of the server to them."""

    client: httpx.AsyncClient
    token: str
    statuses: list[int] = field(default_factory=list)

    async def ask(self, method: str, path: str, **options: Any) -> httpx.Response:
        answer = await self.client.request(method, f"/api/v1{path}", headers=self.headers, **options)
        self.statuses.append(answer.status_code)
        return answer

    @property
    def headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token}"}


async def measure(size: Size) -> list[Comparison]:
    """Search alone and beside each kind of load, then the wait for an answer alone and behind a pile."""
    return await _measure(_LOADS[size])


async def _measure(load: Load) -> list[Comparison]:
    async with AsyncExitStack() as stack:
        port = stack.enter_context(_server())
        await _until_ready(port)
        people = [await stack.enter_async_context(_person(port, name)) for name in ("ada", "bob")]
        for number in range(load.documents):
            await _upload(people[0], number)
        await _upload(people[1], 1)
        for person in people:
            await _until_read(person)
        latency = {"search alone": await _search(people[0], load)}
        for count in load.streams:
            async with _streams(port, people[0], count):
                latency[f"beside {count} idle streams"] = await _search(people[0], load)
        async with _load(people[0], load):
            latency[f"beside uploads and {load.runs} runs"] = await _search(people[0], load)
        await _until_no_run(people[0])
        waits = await _waits(people[0], people[1], load)
        refused = sum(status >= 500 for person in people for status in person.statuses)
        return [
            Comparison("search, median", "ms", {way: cuts[49] for way, cuts in latency.items()}),
            Comparison("search, 99 of 100", "ms", {way: cuts[98] for way, cuts in latency.items()}),
            Comparison("wait for an answer, median", "ms", waits),
            Comparison("answers with 5xx", "answers", {"of all": float(refused)}),
        ]


async def _search(person: Person, load: Load) -> list[float]:
    """Search at an even pace, whether or not the one before was answered; the cuts of the latencies in ms."""

    async def one(number: int) -> float:
        query = f"{_SUBJECTS[number % len(_SUBJECTS)]} of division {number % load.documents}"
        begun = time.perf_counter()
        await person.ask("POST", "/search", json={"query": query})
        return (time.perf_counter() - begun) * _MS

    await one(0)
    async with asyncio.TaskGroup() as group:
        searches = []
        for number in range(load.searches):
            searches.append(group.create_task(one(number)))
            await asyncio.sleep(1 / load.per_s)
    return quantiles([search.result() for search in searches], n=100, method="inclusive")


@asynccontextmanager
async def _streams(port: int, person: Person, count: int) -> AsyncIterator[None]:
    """So many streams of the library, open and read."""

    async def follow(ready: asyncio.Semaphore) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        head = f"GET /api/v1/library/stream HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer {person.token}\r\n\r\n"
        writer.write(head.encode())
        try:
            await reader.readuntil(b"event: status")
            ready.release()
            while await reader.read(1 << 16):
                pass
        finally:
            writer.close()

    ready = asyncio.Semaphore(0)
    async with asyncio.TaskGroup() as group:
        open_streams = []
        for _ in range(count):
            open_streams.append(group.create_task(follow(ready)))
            await ready.acquire()
        yield
        for stream in open_streams:
            stream.cancel()


@asynccontextmanager
async def _load(person: Person, load: Load) -> AsyncIterator[None]:
    """Uploads without a pause, and so many questions that none of them is ever the last."""

    async def uploads() -> None:
        number = load.documents
        while True:
            number += 1
            await _upload(person, number)

    async def runs() -> None:
        while True:
            for _ in range(load.runs):
                await _question(person)
            await _until_no_run(person)

    async with asyncio.TaskGroup() as group:
        work = [group.create_task(uploads()), group.create_task(runs())]
        yield
        for task in work:
            task.cancel()


async def _waits(busy: Person, other: Person, load: Load) -> dict[str, float]:
    """How long one workspace waits for an answer, alone and behind another's questions."""

    async def wait() -> float:
        begun = time.perf_counter()
        run = await _question(other)
        await _until(lambda: _has_ended(other, run), pause_s=0.05)
        return (time.perf_counter() - begun) * _MS

    await wait()
    alone = [await wait() for _ in range(load.questions)]
    behind = []
    for _ in range(load.questions):
        for _ in range(load.pile):
            await _question(busy)
        behind.append(await wait())
        await _until_no_run(busy)
    return {"alone": median(alone), f"behind {load.pile} of another workspace": median(behind)}


async def _upload(person: Person, number: int) -> None:
    content = _TEXT.format(n=number, subject=_SUBJECTS[number % len(_SUBJECTS)]).encode()
    await person.ask("POST", "/documents", files={"file": (f"report-{number}.md", content, "text/markdown")})


async def _question(person: Person) -> str:
    answer = await person.ask("POST", "/runs", json={"question": "What did the revenue of division 3 come to in 2025?"})
    run_id: str = answer.raise_for_status().json()["id"]
    return run_id


async def _has_ended(person: Person, run_id: str) -> bool:
    answer = await person.ask("GET", f"/runs/{run_id}")
    return answer.json().get("status") in {"completed", "failed", "cancelled"}


async def _until_no_run(person: Person) -> None:
    async def none() -> bool:
        waiting = [
            (await person.ask("GET", "/runs", params={"status": status, "limit": 1})).json().get("items", [None])
            for status in ("pending", "processing")
        ]
        return not any(waiting)

    await _until(none, pause_s=0.5)


async def _until_read(person: Person) -> None:
    async def read() -> bool:
        status = (await person.ask("GET", "/library/status")).json()
        return bool(status["completed"] == status["documents"])

    await _until(read, pause_s=0.2)


async def _until(condition: Callable[[], Awaitable[bool]], *, pause_s: float) -> None:
    async with asyncio.timeout(_RUN_S):
        while not await condition():  # noqa: ASYNC110  # it happens in another process
            await asyncio.sleep(pause_s)


@asynccontextmanager
async def _person(port: int, name: str) -> AsyncIterator[Person]:
    async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", timeout=120) as client:
        account = {"email": f"{name}@example.org", "password": _PASSWORD, "name": name, "workspace_name": name}
        answer = (await client.post("/api/v1/auth/register", json=account)).raise_for_status().json()
        client.cookies.clear()
        yield Person(client, answer["access_token"])


@contextmanager
def _server() -> Iterator[int]:
    """The product as `make run` serves it, worker and all, on a data directory of its own."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    settings = {
        "INTELLI_REGISTRATION": "open",
        "INTELLI_STREAMS_PER_PERSON": "100000",
        "INTELLI_LOG_LEVEL": "error",
        "INTELLI_ACCESS_TOKEN_MINUTES": "600",
    }
    with tempfile.TemporaryDirectory() as data:
        command = [sys.executable, "-m", "intelli.cli", "serve", "--data", data, "--port", str(port)]
        server = subprocess.Popen(command, stdout=subprocess.DEVNULL, env={**os.environ, **settings})
        try:
            yield port
        finally:
            server.terminate()
            server.wait(60)


async def _until_ready(port: int) -> None:
    async with httpx.AsyncClient() as client, asyncio.timeout(_READY_S):
        while True:
            try:
                if (await client.get(f"http://127.0.0.1:{port}/readyz")).is_success:
                    return
            except httpx.TransportError:
                pass
            await asyncio.sleep(0.2)
