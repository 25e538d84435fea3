"""A workspace filled below HTTP: documents with their chunks, through the product's own indexing."""

import asyncio
import hashlib
from collections.abc import Iterable, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from functools import partial
from uuid import UUID

import psycopg

from bench.retrieval_sets import Document, Passage
from intelli.kit.context import System
from intelli.kit.db import Database, Tx
from intelli.kit.ids import uuid7
from intelli.library import readings
from intelli.library.language import find_language
from intelli.reasoning.embedders import Embedders
from intelli.retrieval import focus, hits, index, ranking, search, spaces, tend
from intelli.retrieval.ranking import Meaning, Question, Ranked
from intelli.retrieval.store import lexical, scope
from intelli.retrieval.store.lexical import Within
from intelli.retrieval.store.scope import Wanted


@dataclass
class Shelf:
    """One workspace, and the passage of each of its chunks, by reading and index."""

    database: Database
    admin_url: str
    tenant_id: UUID
    embedders: Embedders
    passages: dict[tuple[int, int], Passage] = field(default_factory=dict)

    async def fill(self, documents: Iterable[Document]) -> None:
        """Add documents and index them."""
        rows = await asyncio.to_thread(self._add, list(documents))
        for sha256 in rows:
            async with self._begin() as tx:
                reading = await readings.find(tx, sha256)
                assert reading is not None
                chunks = await readings.chunks_of(tx, reading.number)
            await index.add(self._begin, reading, chunks, embedders=self.embedders)
        await self.tend()

    async def tend(self) -> None:
        for step in (tend.count_words, tend.build):
            async with self.database.begin(System(self.tenant_id), timeout_s=3600) as tx:
                await step(tx)
        with psycopg.connect(self.admin_url, autocommit=True) as connection:
            connection.execute("vacuum analyze postings, vectors, chunks, readings, documents, indexed")

    async def meaning(self, query: str) -> Meaning | None:
        return await search.read(query, lambda: self.embedders.chosen)

    async def rank(self, text: str, meaning: Meaning | None, *, folder: str | None = None) -> Ranked:
        """Chunks as the product ranks them."""
        async with self._begin() as tx:
            space = await spaces.find_active(tx)
            within = Within(await scope.readings(tx, Wanted(folder_path=folder)) if folder else None)
            question = Question(text, meaning, within, await lexical.sizes(tx, within))
            return await ranking.rank(tx, question, space)

    def items_of(self, ranked: Ranked, *, limit: int = 100) -> list[str]:
        """What the best chunks count as."""
        found = (self.passages[hits.place_of(key)] for key in ranked.keys[:limit].tolist())
        return [self._item(passage, ranked) for passage in found]

    @staticmethod
    def _item(passage: Passage, ranked: Ranked) -> str:
        if passage.page is None:
            return passage.item
        page = focus.page_of(passage.body, passage.page, worth=ranked.worth, language="en")
        return f"{passage.item}#{page}"

    @property
    def _begin(self) -> "partial[AbstractAsyncContextManager[Tx]]":
        return partial(self.database.begin, System(self.tenant_id))

    def _add(self, documents: Sequence[Document]) -> list[str]:
        """Rows as extraction leaves them. Written as superuser, in bulk: reading files is measured elsewhere."""
        hashes = []
        with psycopg.connect(self.admin_url) as connection:
            for number, document in enumerate(documents):
                sha256 = hashlib.sha256(f"{number}{document.path}".encode()).hexdigest()
                hashes.append(sha256)
                self._add_one(connection, document, sha256)
        return hashes

    def _add_one(self, connection: psycopg.Connection, document: Document, sha256: str) -> None:
        tenant, document_id = self.tenant_id, uuid7()
        bodies = [passage.body for passage in document.passages]
        connection.execute(_ARTIFACT, (tenant, sha256))
        language = find_language("\n".join(bodies)[:8000])
        row = connection.execute(_READING, (tenant, sha256, sha256, language, len(bodies))).fetchone()
        assert row is not None
        number = row[0]
        name = document.path.rpartition("/")[2]
        connection.execute(_DOCUMENT, (tenant, document_id, name, document.path, sha256))
        start = 0
        rows = []
        for place, passage in enumerate(document.passages):
            self.passages[number, place] = passage
            end = start + len(passage.body)
            rows.append((tenant, number, place, start, end, passage.section, 1, passage.body))
            start = end + 1
        connection.cursor().executemany(_CHUNK, rows)


_ARTIFACT = """
    insert into artifacts (tenant_id, sha256, media_type, size_bytes, storage_uri, entity_type, entity_metadata)
    values (%s, %s, 'text/plain', 1, 'blob', 'KNOWLEDGE_BASE', '{}')
"""
_READING = """
    insert into readings (tenant_id, sha256, status, text_sha256, language, chunk_count)
    values (%s, %s, 'in_progress', %s, %s, %s) returning number
"""
_DOCUMENT = """
    insert into documents (tenant_id, id, name, path, artifact_sha256, file_size, mime_type)
    values (%s, %s, %s, %s, %s, 1, 'text/plain')
"""
_CHUNK = """
    insert into chunks (tenant_id, reading, chunk_index, char_start, char_end, section, kind, tokens, body)
    values (%s, %s, %s, %s, %s, %s, 'text', %s, %s)
"""
