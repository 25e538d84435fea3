"""What does it take to remember a message, and does it stay so? Beside graphiti-core in the same run.

Both have a model that answers at once and knows what every message says, and the same embedder. Ours goes through the
real queue to the embedded PostgreSQL; graphiti-core is called one message after the other, on an embedded Kuzu.
"""

import asyncio
import os
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import partial
from itertools import pairwise
from pathlib import Path
from statistics import median, quantiles
from typing import Any

from pydantic import SecretStr
from sqlalchemy import text
from tests.support.reasoner import PlainReasoner

from bench import memory_messages, peers
from bench.effort import processor_s, taken_bytes
from bench.figures import Comparison, Size
from bench.memory_messages import StatedMessage
from bench.scratch import scratch
from intelli.app import App
from intelli.engine import Engine
from intelli.kit.context import System
from intelli.kit.jobs import Queue
from intelli.memory import enqueue, jobs, search, wire, wire_read
from intelli.memory.ports import MemoryReasoners
from intelli.reasoning import verbs
from intelli.reasoning.reasoners import FixedReasoners
from intelli.reasoning.usage import Usage
from intelli.reasoning.verbs.extract import ExtractedFacts, ExtractInput, NamedThing, StatedFact
from intelli.reasoning.verbs.resolve import Resolution, ResolveInput
from intelli.settings import Settings
from intelli.worker import Worker

QUESTION = "What does it take to remember a message, and does it stay so? With a model that answers at once."
_PEER = "graphiti_kuzu"
_TOGETHER, _ALONE = 300, 5_000
_HUNDRED = 100
_FEW = 12
_QUERIES = 100
_GROUP = "bench"
_MS = 1000
# A processor is billed in ticks of a hundredth.
_LEAST_S = 0.01


class Model(PlainReasoner):
    """Fake model that knows the facts of every message; prompts are built as for a real one."""

    def __init__(self, told: list[StatedMessage]) -> None:
        super().__init__(name="bench")
        self._by_text = {each.text: each for each in told}
        self.count = 0
        self.characters = 0

    async def extract(self, asked: ExtractInput) -> tuple[ExtractedFacts, Usage]:
        told = self._by_text[asked.passage.text]
        things = tuple(NamedThing(name=name, kind="entity", confidence=1) for name in (told.subject, told.object))
        words = told.relation.lower().replace("_", " ")
        fact = StatedFact(subject=told.subject, relation=words, object=told.object, quote=told.text)
        return ExtractedFacts(things=things, facts=(fact,)), self._asked(asked)

    async def resolve(self, asked: ResolveInput) -> tuple[Resolution, Usage]:
        return Resolution(), self._asked(asked)

    def _asked(self, asked: ExtractInput | ResolveInput) -> Usage:
        self.count += 1
        self.characters += len(verbs.build_request(asked, characters=20_000).prompt)
        return Usage(model="bench", calls=1, input_cost=Decimal(0), output_cost=Decimal(0))


@dataclass(frozen=True)
class Figures:
    """Speed, cost and correctness of remembering the messages."""

    name: str
    per_s: float
    cpu_ms: float
    growth: float
    calls: float
    characters: float
    megabytes: float
    search_ms: list[float]
    right: float


async def measure(size: Size = Size.USUAL) -> list[Comparison]:
    """The peer first: every figure of ours is a ratio to it. Then ours alone, with many more messages."""
    found = await size.of(_beside_the_peer, _alone)()

    def row(name: str, unit: str, pick: Any) -> Comparison:
        return Comparison(name, unit, {each.name: float(pick(each)) for each in found})

    return [
        row("messages a second", "/s", lambda each: each.per_s),
        row("CPU time of a message, the database's with it", "ms", lambda each: each.cpu_ms),
        row("CPU time of the last hundred to the second", "x", lambda each: each.growth),
        row("model calls of a message", "", lambda each: each.calls),
        row("characters of a prompt", "", lambda each: each.characters),
        row("memory", "MB", lambda each: each.megabytes),
        row("search, median", "ms", lambda each: median(each.search_ms)),
        row("search, 95 of 100", "ms", lambda each: quantiles(each.search_ms, n=20)[-1]),
        row("one-valued relations right in the end", "%", lambda each: 100 * each.right),
    ]


async def _beside_the_peer() -> list[Figures]:
    few, many = memory_messages.history(_TOGETHER), memory_messages.history(_ALONE)
    return [_theirs(few), await _ours("Intelli", few), await _ours(f"Intelli, {_ALONE:,} messages", many)]


async def _alone() -> list[Figures]:
    return [await _ours("Intelli", memory_messages.history(_FEW), step=_FEW // 4)]


def _theirs(told: list[StatedMessage]) -> Figures:
    with tempfile.TemporaryDirectory() as folder:
        messages = Path(folder) / "messages.jsonl"
        memory_messages.write(told, messages)
        said, effort = peers.run(_PEER, messages, Path(folder))
    values: dict[tuple[str, str], set[str]] = {}
    for subject, relation, value in said["current"]:
        values.setdefault((subject, relation), set()).add(value)
    truth = memory_messages.current(told)
    return Figures(
        name=said["name"],
        per_s=said["episodes"] / said["seconds"],
        cpu_ms=said["cpu_s"] / said["episodes"] * _MS,
        growth=said["hundreds"][-1] / said["hundreds"][1],
        calls=said["calls"],
        characters=said["characters"],
        megabytes=effort.peak_bytes / 1e6,
        search_ms=said["search_ms"],
        right=sum(values.get(key) == {value} for key, value in truth.items()) / len(truth),
    )


async def _ours(name: str, told: list[StatedMessage], *, step: int = _HUNDRED) -> Figures:
    model = Model(told)
    async with _installed() as (app, who):
        await _queue(app, who, told)
        begun, marks = time.perf_counter(), [processor_s(os.getpid())]
        async with _working(app, model):
            for left in range(len(told) - step, -1, -step):
                await _until(app, who, left)
                marks.append(processor_s(os.getpid()))
        seconds = time.perf_counter() - begun
        taken = taken_bytes(os.getpid())
        times = await _search(app, who, told)
        right = await _right(app, who, told)
    hundreds = [later - earlier for earlier, later in pairwise(marks)]
    return Figures(
        name=name,
        per_s=len(told) / seconds,
        cpu_ms=(marks[-1] - marks[0]) / len(told) * _MS,
        growth=median(hundreds[-3:]) / max(median(hundreds[1:4]), _LEAST_S),
        calls=model.count / len(told),
        characters=model.characters / model.count,
        megabytes=taken / 1e6,
        search_ms=times,
        right=right,
    )


@asynccontextmanager
async def _installed() -> AsyncIterator[tuple[App, System]]:
    with scratch(workspaces=1) as place, tempfile.TemporaryDirectory() as folder:
        app = App(Settings(data=Path(folder), secret_key=SecretStr("k" * 48)), Engine(place.app_url, place.admin_url))
        try:
            yield app, System(place.workspaces[0])
        finally:
            await app.close()


@asynccontextmanager
async def _working(app: App, model: Model) -> AsyncIterator[None]:
    stop = asyncio.Event()
    parts = {
        **app.parts,
        MemoryReasoners: replace(app.memory_reasoners, finder=FixedReasoners(model, app.without_model)),
    }
    worker = Worker(app.db, jobs.JOBS, queues=(Queue.MEMORY,), parts=parts)
    async with asyncio.TaskGroup() as group:
        group.create_task(worker.run(stop))
        yield
        stop.set()


async def _queue(app: App, who: System, told: list[StatedMessage]) -> None:
    messages = [
        wire.NewMessage.model_validate({"content": each.text, "role_type": "user", "role": "Uma", "timestamp": each.at})
        for each in told
    ]
    for start in range(0, len(messages), 500):
        async with app.db.begin(who) as tx:
            await enqueue.add_messages(tx, _GROUP, messages[start : start + 500], job=jobs.REMEMBER)


async def _until(app: App, who: System, left: int) -> None:
    waiting = text("select count(*) from memory_arrivals where tenant_id = :tenant")
    while True:
        async with app.db.begin(who) as tx:
            if (await tx.session.scalar(waiting, {"tenant": who.tenant_id}) or 0) <= left:
                return
        await asyncio.sleep(0.5)  # to ask takes time from what is measured


async def _search(app: App, who: System, told: list[StatedMessage]) -> list[float]:
    times = []
    for each in told[-_QUERIES:]:
        asked = wire_read.SearchMemory(group_ids=[_GROUP], query=f"Where is {each.subject}?", limit=10)
        begun = time.perf_counter()
        await search.search(partial(app.db.begin, who), asked, embedder=app.memory_reasoners.embedder)
        times.append((time.perf_counter() - begun) * _MS)
    return times


async def _right(app: App, who: System, told: list[StatedMessage]) -> float:
    statement = text("""
        select s.name, f.relation, o.name from memory_facts f
          join memory_nodes s on s.tenant_id = f.tenant_id and s.id = f.subject_id
          join memory_nodes o on o.tenant_id = f.tenant_id and o.id = f.object_id
         where f.tenant_id = :tenant and f.invalid_at is null
    """)
    async with app.db.begin(who) as tx:
        rows = (await tx.session.execute(statement, {"tenant": who.tenant_id})).all()
    keys = {"employer": "WORKS_FOR", "lives_in": "LIVES_IN"}
    values: dict[tuple[str, str], set[str]] = {}
    for subject, relation, value in rows:
        values.setdefault((subject, keys.get(relation, relation)), set()).add(value)
    truth = memory_messages.current(told)
    return sum(values.get(key) == {value} for key, value in truth.items()) / len(truth)
