"""Fills a workspace in bulk, directly in the database: documents, their chunks, and the product's index of them.

Rows are written as superuser: the time of reading and indexing is measured elsewhere.
"""

import asyncio
import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import islice
from uuid import UUID

import numpy as np
import psycopg
from pgvector import HalfVector
from sqlalchemy import text as sql

from bench.retrieval_sets import Document, Passage
from intelli.kit.context import System
from intelli.kit.db import Database, Tx
from intelli.kit.ids import uuid7
from intelli.language.identify import find_language
from intelli.reasoning.embedders import Embedders
from intelli.reasoning.ports import Vectors
from intelli.retrieval import (
    analysis,
    chunk_terms,
    excerpts,
    frequent_terms,
    index,
    postings,
    query_vectors,
    ranking,
    spaces,
    vector_builds,
)
from intelli.retrieval.analysis import AnalysedText
from intelli.retrieval.chunk_terms import ChunkTerms
from intelli.retrieval.postings import TermCounts
from intelli.retrieval.ranking import Ranked, RankedQuery
from intelli.retrieval.rerank import DEPTH, PassageMatches, Reranker
from intelli.retrieval.semantic_shares import QueryVector
from intelli.retrieval.store import scope
from intelli.retrieval.store.lexical import ReadingFilter, Size
from intelli.retrieval.store.scope import IndexScope, SearchFilter

_BATCH = 400


@dataclass(frozen=True)
class Reading:
    """A document with its reading number in the index, and its language."""

    number: int
    document: Document
    language: str

    def analyse(self) -> list[AnalysedText]:
        """Analyse its passages as the lexical index does."""
        return [analysis.analyse(index.indexed_text(passage), self.language) for passage in self.document.passages]


def by_space(meaning: QueryVector | None) -> dict[str, QueryVector]:
    """The embedding of a query by the space that it is of."""
    return {meaning.space: meaning} if meaning else {}


@dataclass
class BulkLibrary:
    """Workspace that is filled in bulk; maps (reading number, chunk index) to the passage."""

    database: Database
    admin_url: str
    tenant_id: UUID
    embedders: Embedders
    passages: dict[tuple[int, int], Passage] = field(default_factory=dict)

    async def fill(self, documents: Iterable[Document]) -> None:
        """Add and index documents, then run the maintenance that background jobs do as a workspace grows."""
        async with self._begin() as tx:
            space = await spaces.ensure_active(tx, self.embedders.chosen)
        rest = iter(documents)
        while batch := list(islice(rest, _BATCH)):
            readings = await asyncio.to_thread(self._add, batch)
            texts = [index.indexed_text(passage) for reading in readings for passage in reading.document.passages]
            vectors = await self.embedders.chosen.embed(texts)
            await asyncio.to_thread(self._index, readings, vectors, space.number)
        begin = partial(self.database.begin, System(self.tenant_id), timeout_s=3600)
        await frequent_terms.update(begin)
        await vector_builds.build_due(begin)
        with psycopg.connect(self.admin_url, autocommit=True) as connection:
            connection.execute(
                "vacuum analyze postings, chunk_terms, frequent_terms, vectors, chunks, readings, documents, indexed"
            )

    async def meaning(self, query: str) -> QueryVector | None:
        return await query_vectors.embed_query(query, lambda: self.embedders.chosen)

    async def rank(
        self,
        text: str,
        meaning: QueryVector | None,
        *,
        folder: str | None = None,
        readings: Sequence[int] | None = None,
    ) -> Ranked:
        """Rank chunks as the product does, all of them or those of a folder or of some readings."""
        async with self._begin() as tx:
            searched = await spaces.list_searched(tx)
            looked_at = await scope.load(tx, SearchFilter(folder_path=folder))
            if readings is not None:
                looked_at = await _only(tx, looked_at, readings)
            return await ranking.rank(tx, RankedQuery(text, by_space(meaning), looked_at), searched)

    async def match(self, text: str, ranked: Ranked, reranker: Reranker) -> PassageMatches:
        """Compare the first chunks with a query token by token."""
        first = [self.passages[postings.place_of(key)] for key in ranked.keys[:DEPTH].tolist()]
        texts = [index.indexed_text(passage) for passage in first]
        return await reranker.match(text, texts, tenant_id=self.tenant_id)

    async def rank_anew(self, text: str, ranked: Ranked, reranker: Reranker) -> Ranked:
        """Rank the first chunks anew as the product does."""
        found = await self.match(text, ranked, reranker)
        return ranked.anew(found.matches, model=found.model)

    def items_of(self, ranked: Ranked, *, limit: int = 100) -> list[str]:
        """Return the items that the best chunks count as."""
        found = (self.passages[postings.place_of(key)] for key in ranked.keys[:limit].tolist())
        return [self._item(passage, ranked) for passage in found]

    @staticmethod
    def _item(passage: Passage, ranked: Ranked) -> str:
        if passage.page is None:
            return passage.item
        page = excerpts.find_best_page(passage.body, passage.page, worth=ranked.worth, language="en")
        return f"{passage.item}#{page}"

    @property
    def _begin(self) -> Callable[[], AbstractAsyncContextManager[Tx]]:
        return partial(self.database.begin, System(self.tenant_id))

    def _add(self, documents: Sequence[Document]) -> list[Reading]:
        """Insert the rows that extraction writes."""
        with psycopg.connect(self.admin_url) as connection:
            return [self._add_one(connection, document) for document in documents]

    def _add_one(self, connection: psycopg.Connection, document: Document) -> Reading:
        sha256 = hashlib.sha256(document.path.encode()).hexdigest()
        bodies = [passage.body for passage in document.passages]
        connection.execute(_ARTIFACT, {"workspace": self.tenant_id, "sha256": sha256})
        language = find_language("\n".join(bodies)[:8000])
        row = connection.execute(_READING, (self.tenant_id, sha256, sha256, language, len(bodies))).fetchone()
        assert row is not None
        name = document.path.rpartition("/")[2]
        connection.execute(_DOCUMENT, (self.tenant_id, uuid7(), name, document.path, sha256))
        self.passages |= {(row[0], place): passage for place, passage in enumerate(document.passages)}
        return Reading(row[0], document, language or index.UNKNOWN_LANGUAGE)

    def _index(self, readings: Sequence[Reading], vectors: Vectors, space: int) -> None:
        """Insert the rows that indexing writes, in bulk and without triggers and foreign keys."""
        analysed = {reading.number: reading.analyse() for reading in readings}
        counts = postings.list_counts(postings.by_key(analysed))
        bodies = {reading.number: [passage.body for passage in reading.document.passages] for reading in readings}
        packed = chunk_terms.pack(counts, list(postings.by_key(bodies).values()))
        with psycopg.connect(self.admin_url) as connection:
            (batch,) = connection.execute("select nextval('posting_batches')").fetchone() or (0,)
            connection.execute("set session_replication_role = replica")
            self._copy(connection, _CHUNKS, _chunk_rows(readings))
            self._copy(connection, _POSTINGS, _posting_rows(counts, batch))
            self._copy(connection, _CHUNK_TERMS, _term_rows(packed))
            self._copy(connection, _VECTORS, _vector_rows(readings, vectors, space))
            connection.execute("set session_replication_role = origin")
            sizes = [
                (self.tenant_id, reading.number, analysis.VERSION, reading.language, len(chunks), _length(chunks))
                for reading, chunks in zip(readings, analysed.values(), strict=True)
            ]
            connection.cursor().executemany(_INDEXED, sizes)

    def _copy(self, connection: psycopg.Connection, statement: str, rows: Iterable[str]) -> None:
        with connection.cursor().copy(statement) as copy:
            for row in rows:
                copy.write(f"{self.tenant_id}\t{row}\n")


async def _only(tx: Tx, looked_at: IndexScope, readings: Sequence[int]) -> IndexScope:
    """Return a scope with some readings alone."""
    statement = """
        select language, sum(chunks)::bigint, sum(length)::bigint from indexed
         where tenant_id = :tenant and reading = any(:readings) group by 1
    """
    rows = await tx.session.execute(sql(statement), {"tenant": tx.tenant_id, "readings": list(readings)})
    only = np.array(sorted(readings), np.int64)
    return replace(looked_at, within=ReadingFilter(only), sizes=[Size(*row) for row in rows])


def _chunk_rows(readings: Sequence[Reading]) -> Iterator[str]:
    for reading in readings:
        start = 0
        for place, passage in enumerate(reading.document.passages):
            end = start + len(passage.body)
            texts = f"{_escaped(passage.section)}\ttext\t1\t{_escaped(passage.body)}"
            yield f"{reading.number}\t{place}\t{start}\t{end}\t{texts}"
            start = end + 1


def _posting_rows(counts: TermCounts, batch: int) -> Iterator[str]:
    """In the order of the terms, so that neighbours in the index are written together."""
    for term, part, first, last, found in postings.pack(counts).rows():
        yield f"{term}\t{batch}\t{part}\t{first}\t{last}\t\\\\x{found.hex()}"


def _term_rows(chunks: ChunkTerms) -> Iterator[str]:
    starts = [0, *chunks.ends.tolist()]
    for at, key in enumerate(chunks.keys.tolist()):
        reading, place = postings.place_of(key)
        own = slice(starts[at], starts[at + 1])
        packed = f"\\\\x{chunks.terms[own].astype('<u4').tobytes().hex()}\t\\\\x{chunks.counts[own].tobytes().hex()}"
        yield f"{reading}\t{place}\t{chunks.lengths[at]}\t{chunks.digests[at]}\t{packed}"


def _vector_rows(readings: Sequence[Reading], vectors: Vectors, space: int) -> Iterator[str]:
    rest = iter(np.asarray(vectors, dtype=np.float16))
    for reading in readings:
        for place, _ in enumerate(reading.document.passages):
            yield f"{reading.number}\t{space}\t{place}\t{HalfVector(next(rest)).to_text()}"


def _length(chunks: Sequence[AnalysedText]) -> int:
    return sum(chunk.length for chunk in chunks)


def _escaped(text: str | None) -> str:
    if text is None:
        return "\\N"
    return text.replace("\\", "\\\\").replace("\n", "\\n").replace("\t", "\\t").replace("\r", "\\r")


_ARTIFACT = """
    insert into artifacts
        (tenant_id, owner_id, sha256, media_type, size_bytes, storage_uri, entity_type, entity_metadata)
    values (%(workspace)s, %(workspace)s, %(sha256)s, 'text/plain', 1, 'blob', 'KNOWLEDGE_BASE', '{}')
"""
_READING = """
    insert into readings (tenant_id, sha256, status, text_sha256, language, chunk_count)
    values (%s, %s, 'in_progress', %s, %s, %s) returning number
"""
_DOCUMENT = """
    insert into documents (tenant_id, id, name, path, artifact_sha256, file_size, mime_type)
    values (%s, %s, %s, %s, %s, 1, 'text/plain')
"""
_INDEXED = """
    insert into indexed (tenant_id, reading, version, language, chunks, length) values (%s, %s, %s, %s, %s, %s)
"""
_CHUNKS = """
    copy chunks (tenant_id, reading, chunk_index, char_start, char_end, section, kind, tokens, body) from stdin
"""
_POSTINGS = "copy postings (tenant_id, term, batch, part, first, last, hits) from stdin"
_CHUNK_TERMS = "copy chunk_terms (tenant_id, reading, chunk_index, length, digest, terms, counts) from stdin"
_VECTORS = "copy vectors (tenant_id, reading, space, chunk_index, embedding) from stdin"
