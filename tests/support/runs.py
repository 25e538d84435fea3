"""Fixtures for tests of runs: a small library, workers with a fake reasoner, and waiting until a run ends or pauses."""

import hashlib
import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any
from uuid import UUID, uuid5

import httpx
from tests.support.jobs import until, working
from tests.support.reasoner import PlainReasoner, words
from tests.support.server import Person

from intelli.app import JOBS, App
from intelli.content.passage import Passage
from intelli.content.span import Span
from intelli.kit.context import System
from intelli.reasoning.reasoners import FixedReasoners
from intelli.runs.ports import Extract, FolderItem, LibraryAccess, RunReasoners, SearchScope

_NAMESPACE = UUID("00000000-0000-4000-8000-000000000000")
CORPUS = {
    "revenue.txt": "Revenue came to 412.7 million euros in 2025.",
    "staff.txt": "The company employed 1204 people at the end of the year.",
    "risks.txt": "The largest risk is the price of copper.",
}
QUESTION = "What did revenue come to and how many people were employed?"


class FakeLibrary:
    """Library of a few texts in memory. Queries that contain a word of `broken` fail."""

    def __init__(self, texts: dict[str, str] = CORPUS, *, broken: frozenset[str] = frozenset()) -> None:
        self._texts = texts
        self._broken = broken
        self.queries: list[str] = []

    async def search(self, who: System, query: str, *, limit: int, scope: SearchScope) -> list[Passage]:
        self.queries.append(query)
        if any(word in query for word in self._broken):
            raise RuntimeError("the index is broken")
        asked = words(query) - {"the", "to", "what", "how", "did", "is", "were"}
        ranked = sorted(
            ((len(asked & words(text)), name) for name, text in self._texts.items() if asked & words(text)),
            reverse=True,
        )
        return [self._passage(name, score) for score, name in ranked[:limit]]

    async def read(self, who: System, document_id: UUID, *, start: int, end: int) -> Extract:
        raise NotImplementedError

    async def list(self, who: System, path: str, *, limit: int) -> list[FolderItem]:
        return [FolderItem(name=name, path=f"/{name}", is_folder=False) for name in self._texts][:limit]

    def library(self) -> LibraryAccess:
        return LibraryAccess(search=self.search, read=self.read, list=self.list)

    def _passage(self, name: str, score: float) -> Passage:
        text = self._texts[name]
        return Passage(
            span=Span(hashlib.sha256(text.encode()).hexdigest(), 0, len(text)),
            text=text,
            title=name,
            path=f"/{name}",
            mime_type="text/plain",
            score=score / 10,
            document_id=uuid5(_NAMESPACE, name),
        )


@asynccontextmanager
async def researching(
    app: App,
    *,
    reasoner: PlainReasoner | None = None,
    library: FakeLibrary | None = None,
    parts: Mapping[type, object] = {},
    **options: object,
) -> AsyncIterator[None]:
    """Run workers that do research on a small library."""
    reasoners = RunReasoners(FixedReasoners(reasoner or PlainReasoner(), PlainReasoner(name="fallback")))
    all_parts = {**app.parts, RunReasoners: reasoners, LibraryAccess: (library or FakeLibrary()).library(), **parts}
    async with working(app.db, *JOBS, parts=all_parts, **options):
        yield


async def ask(person: Person, question: str = QUESTION, **more: Any) -> dict[str, Any]:
    """Start a run."""
    answer = await person.client.post("/runs", json={"question": question, **more})
    return answer.raise_for_status().json()


async def show(person: Person, run: dict[str, Any]) -> dict[str, Any]:
    """Return the run as the API shows it now."""
    return (await person.client.get(f"/runs/{run['id']}")).raise_for_status().json()


async def until_rests(person: Person, run: dict[str, Any], *states: str) -> dict[str, Any]:
    """Wait until the run has ended, waits, or is in one of the states; return it."""
    wanted = states or ("completed", "failed", "cancelled", "waiting")

    async def rests() -> bool:
        return (await show(person, run))["status"] in wanted

    await until(rests)
    return await show(person, run)


async def log_of(person: Person, run: dict[str, Any]) -> list[dict[str, Any]]:
    """The whole log of a run."""
    items: list[dict[str, Any]] = []
    while True:
        after = items[-1]["seq"] if items else 0
        page = (await person.client.get(f"/runs/{run['id']}/events", params={"after": after})).raise_for_status().json()
        items += page["items"]
        if not page["items"] or items[-1]["seq"] >= page["last_seq"]:
            return items


async def read_stream(
    client: httpx.AsyncClient, run_id: str, *, after: int | None = None, most: int | None = None
) -> list[dict[str, Any]]:
    """Events of a stream until it ends, or until `most` were seen."""
    headers = {"Last-Event-ID": str(after)} if after is not None else {}
    events: list[dict[str, Any]] = []
    async with client.stream("GET", f"/runs/{run_id}/stream", headers=headers) as answer:
        answer.raise_for_status()
        async for event in frames(answer.aiter_lines()):
            events.append(event)
            if most is not None and len(events) >= most:
                break
    return events


async def frames(lines: AsyncIterator[str]) -> AsyncIterator[dict[str, Any]]:
    """Server-sent events as {seq, event}; those without an id have no seq."""
    fields: dict[str, str] = {}
    async for line in lines:
        if line:
            name, _, value = line.partition(": ")
            fields[name] = value
        elif fields:
            if "data" in fields:
                seq = int(fields["id"]) if "id" in fields else None
                yield {"seq": seq, "event": json.loads(fields["data"])}
            fields = {}


def text_of(events: list[dict[str, Any]]) -> str:
    """Assemble the answer from its deltas."""
    text = ""
    for event in (each["event"] for each in events):
        if event["type"] == "message_delta":
            text = text[: event["offset"]] + event["delta"]
    return text
