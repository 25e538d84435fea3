"""Makers of documents and folders: over HTTP as a person, and the worker that reads them."""

import asyncio
import importlib
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, TypeVar

import httpx
from tests.support.jobs import PATIENCE_S, working
from tests.support.server import Person

from intelli.app import JOBS, App
from intelli.kit.db import Tx
from intelli.library import readings
from intelli.library.extraction.model import Block, BlockKind, Box, Extraction, PageWord, Refusal, TextPage, Unreadable
from intelli.library.extraction.sandbox import ChildStep
from intelli.library.ports import ExtractorPort, TextReady

Json = dict[str, Any]
Result = TypeVar("Result")


class Reader:
    """An extractor that reads every file as one page of UTF-8, or refuses as it is told."""

    def __init__(self, refused: Unreadable | None = None) -> None:
        self.read: list[int] = []
        self.refused = refused
        self.drawn: list[tuple[int, Sequence[Box], float]] = []

    async def extract(self, path: Path, *, name: str | None) -> Extraction:
        content = await asyncio.to_thread(path.read_bytes)
        self.read.append(len(content))
        if self.refused:
            raise self.refused
        whole = content[:1000].decode(errors="ignore").replace("\0", "")
        words = tuple(PageWord(at, at + 1, (at * 10.0, 10.0, at * 10.0 + 8, 20.0)) for at in range(len(whole)))
        block = Block(0, len(whole), BlockKind.PARAGRAPH)
        pages = (TextPage(1, 0, len(whole), 600, 800, words),)
        return Extraction(whole, (block,) if whole else (), "application/pdf", pages)

    async def prepare(self, path: Path, *, name: str | None, step: ChildStep[Result]) -> Result:
        extraction = await self.extract(path, name=name)
        return step.collect(importlib.import_module(step.module).dump(extraction, **step.options))

    async def extract_plain(
        self, files: Sequence[tuple[Path, str | None]], *, step: ChildStep[Result]
    ) -> list[Result | None]:
        return [None for _ in files]

    async def page_png(self, path: Path, media_type: str, page: int, *, boxes: Sequence[Box], scale: float) -> bytes:
        self.drawn.append((page, boxes, scale))
        return b"\x89PNG"

    async def thumbnail(self, path: Path, media_type: str, *, title: str, text: str) -> bytes:
        raise Unreadable(Refusal.DAMAGED, "no picture")

    async def close(self) -> None:
        """Nothing to close."""


async def send(
    person: Person, filename: str, content: bytes, *, media_type: str = "text/plain", **fields: str
) -> httpx.Response:
    """Upload a document."""
    return await person.client.post("/documents", files={"file": (filename, content, media_type)}, data=fields)


async def add(person: Person, filename: str, content: bytes, **more: str) -> Json:
    return (await send(person, filename, content, **more)).raise_for_status().json()


async def make_folder(person: Person, name: str, parent: Json | None = None) -> Json:
    body = {"name": name, "parent_folder_id": parent["id"] if parent else None}
    return (await person.client.post("/folders", json=body)).raise_for_status().json()


async def get(person: Person, path: str, **params: Any) -> Any:
    return (await person.client.get(path, params=params)).raise_for_status().json()


async def names(person: Person, **params: Any) -> list[str]:
    """The names of a list of documents, page by page."""
    return [document["name"] for document in await listed(person, "/documents", **params)]


async def listed(person: Person, path: str, **params: Any) -> list[Json]:
    """All items of a list, page by page."""
    found, cursor = [], None
    while True:
        page = await get(person, path, **params, **({"cursor": cursor} if cursor else {}))
        found += page["items"]
        cursor = page["next_cursor"]
        if cursor is None:
            return found


async def until_status(person: Person, document: Json, *statuses: str) -> Json:
    """The document once it has one of these statuses."""
    async with asyncio.timeout(PATIENCE_S):
        while True:
            found: Json = await get(person, f"/documents/{document['id']}")
            if found["indexing_status"] in statuses:
                return found
            await asyncio.sleep(0.05)


async def index_at_once(tx: Tx, hashes: Sequence[str]) -> None:
    """In place of retrieval: every chunk counts as indexed."""
    found = await readings.find_all(tx, hashes)
    assert len(found) == len(hashes)
    await readings.mark_completed(tx, *(reading.number for reading in found))


@asynccontextmanager
async def reading_worker(
    app: App, *, extractor: ExtractorPort | None = None, concurrency: int = 4
) -> AsyncIterator[None]:
    """A worker that reads documents; what retrieval would do with them is done at once."""
    held = {**app.parts, TextReady: TextReady(index_at_once)}
    if extractor is not None:
        held[ExtractorPort] = extractor
    async with working(app.db, *JOBS, parts=held, concurrency=concurrency, heartbeat_s=1, stall_s=20):
        yield
