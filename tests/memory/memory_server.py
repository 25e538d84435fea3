"""A server at which messages are added over HTTP and remembered by real workers, and a look at what became of them."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any
from uuid import UUID

import httpx
from sqlalchemy import event, text
from tests.support.jobs import until, working
from tests.support.reasoner import PlainReasoner
from tests.support.server import Person, register, running, settings_for

from intelli.app import App
from intelli.engine import Engine
from intelli.kit.context import System
from intelli.memory.jobs import JOBS
from intelli.memory.ports import MemoryReasoners
from intelli.reasoning.ports import Embedder
from intelli.reasoning.reasoner import Reasoner
from intelli.reasoning.reasoners import FixedReasoners
from intelli.reasoning.usage import Usage
from intelli.reasoning.verbs.extract import ExtractedFacts, ExtractInput, NamedThing, StatedFact
from intelli.reasoning.verbs.resolve import Resolution, ResolveInput

ADDED = {"message": "Messages added to processing queue", "success": True}


def day(number: int, month: int = 1, year: int = 2026) -> datetime:
    return datetime(year, month, number, tzinfo=UTC)


def message(content: str, **more: Any) -> dict[str, Any]:
    at = more.pop("at", None)
    when = {} if at is None else {"timestamp": at.isoformat()}
    return {"content": content, "role_type": "user", "role": "Uma", **when, **more}


class Script(PlainReasoner):
    """A model that says what it is told to, by the text it is given, and fails as often as it is told to."""

    def __init__(self) -> None:
        super().__init__(name="script")
        self.things: dict[str, ExtractedFacts] = {}
        self.resolved: dict[str, Resolution] = {}
        self.failures: list[Exception] = []
        self.asked: list[ExtractInput | ResolveInput] = []
        self.at_work = 0
        self.most_at_work = 0

    async def extract(self, asked: ExtractInput) -> tuple[ExtractedFacts, Usage]:
        await self._think(asked)
        return self.things.get(asked.passage.text, ExtractedFacts(things=(), facts=())), self._usage()

    async def resolve(self, asked: ResolveInput) -> tuple[Resolution, Usage]:
        await self._think(asked)
        return self.resolved.get(asked.passage.text, Resolution()), self._usage()

    async def _think(self, asked: ExtractInput | ResolveInput) -> None:
        self.asked.append(asked)
        self.at_work += 1
        self.most_at_work = max(self.most_at_work, self.at_work)
        await asyncio.sleep(0)
        self.at_work -= 1
        if self.failures:
            raise self.failures.pop(0)

    def _usage(self) -> Usage:
        return Usage(model="script", calls=1, input_cost=Decimal(0), output_cost=Decimal(0))


def named(*names: str, kind: str = "person", confidence: float = 0.9) -> tuple[NamedThing, ...]:
    return tuple(NamedThing(name=name, kind=kind, confidence=confidence) for name in names)


def fact(subject: str, relation: str, value: str, quote: str, **more: Any) -> StatedFact:
    return StatedFact(subject=subject, relation=relation, object=value, quote=quote, **more)


@dataclass
class MemoryServer:
    """One workspace of one installation, and its owner at the keyboard."""

    app: App
    owner: Person
    tenant_id: UUID
    statements: list[str] = field(default_factory=list)

    @property
    def client(self) -> httpx.AsyncClient:
        return self.owner.client

    async def add(self, group: str, *messages: dict[str, Any] | str, **handling: Any) -> httpx.Response:
        said = [message(each) if isinstance(each, str) else each for each in messages]
        body = {"group_id": group, "messages": said, **handling}
        return await self.client.post("/memory/messages", json=body)

    async def tell(self, group: str, *messages: dict[str, Any] | str, **handling: Any) -> None:
        """Add messages and wait until none of the group waits any more."""
        answer = await self.add(group, *messages, **handling)
        assert (answer.status_code, answer.json()) == (202, ADDED)
        await self.settled(group)

    async def settled(self, group: str) -> None:
        async def none_waits() -> bool:
            return not await self.rows("memory_arrivals", group, "state = 'queued'")

        await until(none_waits)

    async def group(self, group: str) -> dict[str, Any]:
        found: dict[str, Any] = (await self.client.get(f"/memory/groups/{group}")).raise_for_status().json()
        return found

    async def rows(self, table: str, group: str, which: str = "true", order: str = "1") -> list[Any]:
        order = "id" if order == "1" and table not in {"memory_mentions", "memory_terms", "memory_groups"} else order
        statement = text(f"select * from {table} where group_id = :group and {which} order by {order}")
        async with self.app.db.begin(System(self.tenant_id)) as tx:
            return list((await tx.session.execute(statement, {"group": group})).all())

    async def nodes(self, group: str) -> dict[str, Any]:
        return {row.name: row for row in await self.rows("memory_nodes", group)}

    async def facts(self, group: str) -> list[tuple[str, str, str, datetime | None, datetime | None]]:
        """Subject, relation, value, from and until, in the order of time."""
        names = {row.id: row.name for row in await self.rows("memory_nodes", group)}
        rows = await self.rows("memory_facts", group, order="valid_at nulls first, id")
        return [
            (
                names[row.subject_id],
                row.relation,
                names.get(row.object_id) or row.object_text,
                row.valid_at,
                row.invalid_at,
            )
            for row in rows
        ]

    @contextmanager
    def counted(self) -> Iterator[list[str]]:
        """The statements that the application makes meanwhile."""
        made: list[str] = []

        def note(_connection: Any, _cursor: Any, statement: str, *_rest: Any) -> None:
            made.append(" ".join(statement.split()))

        engine = self.app.db.engine.sync_engine
        event.listen(engine, "before_cursor_execute", note)
        try:
            yield made
        finally:
            event.remove(engine, "before_cursor_execute", note)


@asynccontextmanager
async def opened(data: Path, engine: Engine, **settings: Any) -> AsyncIterator[MemoryServer]:
    """An installation with its owner, without workers."""
    app = App(settings_for(data, **settings), engine)
    try:
        async with running(app) as address, httpx.AsyncClient(base_url=f"{address}/api/v1", timeout=60) as client:
            owner = await register(client, "owner@example.org", workspace_name="Research")
            me = await owner.me()
            yield MemoryServer(app, owner, UUID(me["workspace"]["id"]))
    finally:
        await app.close()


@asynccontextmanager
async def remembering(
    server: MemoryServer, *, reasoner: Reasoner | None = None, embedder: Embedder | None = None, **options: object
) -> AsyncIterator[None]:
    """Workers that remember, with another reasoner if one is given."""
    reasoners = server.app.memory_reasoners
    finder = FixedReasoners(reasoner, server.app.without_model) if reasoner else reasoners.finder
    changed = replace(reasoners, finder=finder, embedder=embedder or reasoners.embedder)
    parts = {**server.app.parts, MemoryReasoners: changed}
    async with working(server.app.db, *JOBS, parts=parts, **options):
        yield
