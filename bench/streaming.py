"""How fast do events reach many readers of one server process, from append over NOTIFY to the reader's socket?"""

import asyncio
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from statistics import quantiles
from uuid import UUID

import httpx

from bench.figures import Comparison, Size
from bench.scratch import Scratch, scratch
from intelli.kit.context import System
from intelli.kit.db import Database
from intelli.runs.events import ChatTitleGenerated
from intelli.runs.journal import Journal
from intelli.runs.lease import Lease
from intelli.runs.store import runs as store

QUESTION = "How fast do events reach many readers of one process? Latency includes the 30 ms in which events gather."
_OURS = ("one listener for all", "/api/v1/runs/{run}/stream")
_NAIVE = ("one LISTEN for each reader", "/naive/{run}")
# PostgreSQL admits 100 connections unless told otherwise: there the naive design ends below a hundred readers. Here it
# is given more, as many as a server of this size can hold; a thousand it is not asked for.
_CONNECTIONS = 600
_ROUNDS = ((1, (_OURS, _NAIVE)), (100, (_OURS, _NAIVE)), (500, (_OURS, _NAIVE)), (1000, (_OURS,)))
_EVENTS = 100
_PER_S = 10
_MS = 1000
_SAID = re.compile(rb'"title": ?"([0-9]+)"')
_OWNER = {"email": "bench@example.org", "password": "correct horse battery", "name": "Bench", "workspace_name": "Bench"}


@dataclass
class Place:
    """Database to append events to, and server to read them from."""

    database: Database
    client: httpx.AsyncClient
    port: int
    token: str
    who: System
    events: int


@dataclass(frozen=True)
class RoundFigures:
    """Latencies of the readers in one round, and the CPU time of the server."""

    latencies_s: list[float]
    taken_s: float
    cpu_s: float


async def measure(size: Size = Size.USUAL) -> list[Comparison]:
    """Our design for up to a thousand readers, the naive one for as many as it is given connections."""
    with (
        scratch(workspaces=0, connections=size.of(_CONNECTIONS, 60)) as installed,
        tempfile.TemporaryDirectory() as data,
        _server(installed, data) as port,
    ):
        async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", timeout=30) as client:
            database = Database(installed.app_url)
            try:
                place = await _settle(database, client, port, events=size.of(_EVENTS, 4))
                rounds = size.of(_ROUNDS, ((2, (_OURS, _NAIVE)),))
                return [line for readers, ways in rounds for line in await _compare(place, readers, ways)]
            finally:
                await database.close()


async def _compare(place: Place, readers: int, ways: tuple[tuple[str, str], ...]) -> list[Comparison]:
    latency, rates, costs = {}, {}, {}
    for way, path in ways:
        told = await _round(place, path, readers)
        cuts = quantiles(told.latencies_s, n=100)
        latency |= {f"{way}, median": cuts[49] * _MS, f"{way}, 99 of 100": cuts[98] * _MS}
        rates[way] = len(told.latencies_s) / told.taken_s
        costs[way] = told.cpu_s * _MS * _MS / len(told.latencies_s)
    return [
        Comparison(f"{readers} readers: latency", "ms", latency),
        Comparison(f"{readers} readers: events told", "events/s", rates),
        Comparison(f"{readers} readers: CPU of the server", "us/event", costs),
    ]


async def _round(place: Place, path: str, readers: int) -> RoundFigures:
    """Tell some events to all readers, at an even pace, once they are all there."""
    headers = {"Authorization": f"Bearer {place.token}"}
    answer = await place.client.post("/api/v1/runs", json={"question": "bench"}, headers=headers)
    run_id = UUID(answer.raise_for_status().json()["id"])
    lease = await _claim(place, run_id)
    journal = Journal(place.database)
    ready = asyncio.Semaphore(0)
    async with asyncio.TaskGroup() as group:
        reading = [group.create_task(_read(place, path.format(run=run_id), ready)) for _ in range(readers)]
        for _ in range(readers):
            await ready.acquire()
        pump = group.create_task(journal.pump())
        cpu_s, begun = await _cpu_s(place), time.perf_counter()
        for number in range(place.events):
            journal.emit(lease, ChatTitleGenerated(title=str(time.perf_counter_ns())), f"event:{number}")
            await asyncio.sleep(1 / _PER_S)
        await journal.settle(lease)
        pump.cancel()
    latencies = [latency for task in reading for latency in task.result()]
    return RoundFigures(latencies, time.perf_counter() - begun, await _cpu_s(place) - cpu_s)


async def _cpu_s(place: Place) -> float:
    used: float = (await place.client.get("/cpu")).json()
    return used


async def _read(place: Place, path: str, ready: asyncio.Semaphore) -> list[float]:
    """One reader on a plain socket: the client must cost less than the server it measures."""
    reader, writer = await asyncio.open_connection("127.0.0.1", place.port, limit=1 << 20)
    writer.write(f"GET {path} HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer {place.token}\r\n\r\n".encode())
    latencies: list[float] = []
    rest, is_welcome = b"", False
    try:
        async with asyncio.timeout(600):
            while len(latencies) < place.events:
                piece = await reader.read(1 << 16)
                if not is_welcome and b"welcome" in rest + piece:
                    is_welcome = True
                    ready.release()
                now = time.perf_counter_ns()
                *lines, rest = (rest + piece).split(b"\n")
                latencies += [(now - int(said)) / 1e9 for line in lines for said in _SAID.findall(line)]
    finally:
        writer.close()
        with suppress(OSError):
            await writer.wait_closed()
    return latencies


async def _settle(database: Database, client: httpx.AsyncClient, port: int, *, events: int) -> Place:
    tokens = (await client.post("/api/v1/auth/register", json=_OWNER)).raise_for_status().json()
    headers = {"Authorization": f"Bearer {tokens['access_token']}"}
    me = (await client.get("/api/v1/auth/me", headers=headers)).raise_for_status().json()
    who = System(UUID(me["workspace"]["id"]), UUID(me["user"]["id"]))
    return Place(database, client, port, tokens["access_token"], who, events)


async def _claim(place: Place, run_id: UUID) -> Lease:
    async with place.database.begin(place.who) as tx:
        epoch = await store.claim(tx, run_id, job_id=1, lease_s=600)
    assert epoch is not None
    assert place.who.user_id is not None
    return Lease(place.database, place.who.tenant_id, place.who.user_id, run_id, epoch)


@contextmanager
def _server(installed: Scratch, data: str) -> Iterator[int]:
    command = [sys.executable, "-m", "bench.streaming_server", installed.app_url, installed.admin_url, data]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    assert server.stdout is not None
    try:
        yield int(server.stdout.readline())
    finally:
        server.terminate()
        server.wait(30)
        server.stdout.close()
