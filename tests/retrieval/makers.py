"""Makers for tests about search: documents of given passages, indexed without a worker, and ways to search them."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any
from uuid import UUID

from sqlalchemy import text

from intelli.kit.context import System
from intelli.kit.db import Database, Tx
from intelli.kit.ids import uuid7
from intelli.language.identify import find_language
from intelli.library import readings
from intelli.library.sources import SOURCES, Sources
from intelli.reasoning.embedders import Embedders
from intelli.reasoning.embedding_name import EmbeddingName
from intelli.reasoning.settings import EmbeddingSettings
from intelli.retrieval import frequent_terms, index, maintenance, search, vector_builds, wire
from intelli.retrieval.analysis import parse_query
from intelli.retrieval.rerank import Rerankers
from intelli.retrieval.settings import SearchSettings
from intelli.retrieval.store import lexical, scope
from intelli.retrieval.store.scope import SearchFilter

_ARTIFACT = text("""
    insert into artifacts (tenant_id, sha256, owner_id, media_type, size_bytes, storage_uri, entity_type,
                           entity_metadata)
    values (:tenant, :sha256, :tenant, 'text/plain', 1, 'blob', 'KNOWLEDGE_BASE', '{}') on conflict do nothing
""")
_READING = text("""
    insert into readings (tenant_id, sha256, status, text_sha256, language, chunk_count)
    values (:tenant, :sha256, 'in_progress', :sha256, :language, :count)
    on conflict (tenant_id, sha256) do nothing returning number
""")
_CHUNK = text("""
    insert into chunks (tenant_id, reading, chunk_index, char_start, char_end, page, section, kind, tokens, body)
    values (:tenant, :reading, :index, :start, :end, 1, :section, 'text', 1, :body)
""")
_DOCUMENT = text("""
    insert into documents (tenant_id, id, folder_id, name, path, artifact_sha256, file_size, mime_type, source_type)
    values (:tenant, :id, :folder, :name, :path, :sha256, 1, 'text/plain', :source_type)
""")
_VERSION = text("""
    insert into document_versions
           (tenant_id, document_id, version, name, path, artifact_sha256, file_size, mime_type, change)
    select tenant_id, id, version, name, path, artifact_sha256, 1, mime_type, :change from documents
     where tenant_id = :tenant and id = :id
""")
_STATUS = text("update readings set status = :status where tenant_id = :tenant and sha256 = :sha256")


@dataclass
class Shelf:
    """A workspace that documents are put into and searched in."""

    database: Database
    who: System
    embedders: Embedders = field(default_factory=lambda: Embedders(EmbeddingSettings(name=EmbeddingName.STATIC)))
    reranking: SearchSettings = field(default_factory=SearchSettings)

    async def put(
        self, path: str, *passages: str, source_type: str = "blob_storage", section: str | None = None
    ) -> UUID:
        """A document of these passages, indexed."""
        document_id = uuid7()
        async with self.database.begin(self.who) as tx:
            sha256 = await read(tx, passages, section=section)
            place = {"folder": None, "name": path.rpartition("/")[2], "path": path, "source_type": source_type}
            await tx.session.execute(_DOCUMENT, {"tenant": tx.tenant_id, "id": document_id, "sha256": sha256, **place})
            await tx.session.execute(_VERSION, {"tenant": tx.tenant_id, "id": document_id, "change": "created"})
        await self.index(sha256)
        return document_id

    async def revise(self, document_id: UUID, *passages: str, status: str = "completed") -> None:
        """A new version of a document, indexed unless it is to have another status."""
        async with self.database.begin(self.who) as tx:
            sha256 = await read(tx, passages)
            given = {"tenant": tx.tenant_id, "id": document_id, "sha256": sha256}
            change = """
                update documents set artifact_sha256 = :sha256, version = version + 1
                 where tenant_id = :tenant and id = :id
            """
            await tx.session.execute(text(change), given)
            await tx.session.execute(_VERSION, {"tenant": tx.tenant_id, "id": document_id, "change": "content"})
            given = {"tenant": tx.tenant_id, "sha256": sha256, "status": status}
            await tx.session.execute(_STATUS, given)
        if status == "completed":
            await self.index(sha256)

    async def index(self, sha256: str) -> None:
        begin = partial(self.database.begin, self.who)
        async with begin() as tx:
            reading = await readings.find(tx, sha256)
            assert reading is not None
            chunks = await readings.list_chunks(tx, reading.number)
        await index.add(begin, reading, chunks, embedders=self.embedders)
        async with begin() as tx:
            await readings.mark_completed(tx, reading.number)

    async def put_together(self, *bodies: str) -> None:
        """Readings of one chunk each, indexed as one batch."""
        begin = partial(self.database.begin, self.who)
        texts = []
        async with begin() as tx:
            for body in bodies:
                reading = await readings.find(tx, await read(tx, [body]))
                assert reading is not None
                texts.append(index.ReadingText(reading, await readings.list_chunks(tx, reading.number)))
        await index.add_small(begin, texts, embedders=self.embedders)

    async def occurrences(self, query: str) -> dict[str, int]:
        """In how many chunks each word of a query is found."""
        async with self.database.begin(self.who) as tx:
            looked_at = await scope.load(tx, SearchFilter())
            found = {}
            for word in query.split():
                terms = [term for each in parse_query(word, ["en", "und"]) for term in each.terms]
                hits = await lexical.load_hits(
                    tx, terms, looked_at.within, gone=looked_at.void, total=looked_at.total, depth=100_000
                )
                found[word] = sum(len(each.occurrences.keys) for each in hits.values())
        return {word: count for word, count in found.items() if count}

    async def tend(self) -> None:
        """What the background does as the workspace grows."""
        begin = partial(self.database.begin, self.who)
        await maintenance.remove_void_hits(begin)
        await frequent_terms.update(begin)
        await vector_builds.build_due(begin)

    async def search(self, query: str, **more: Any) -> wire.SearchResult:
        request = wire.Search(query=query, **more)
        begin = partial(self.database.begin, self.who)
        reranker = Rerankers(self.embedders, self.reranking).interactive
        return await search.search(
            begin, request, embedders=self.embedders, reranker=reranker, sources=Sources(SOURCES)
        )

    async def names(self, query: str, **more: Any) -> list[str]:
        """The names of the documents that were found, best first."""
        return [source.file_name for source in (await self.search(query, **more)).sources]

    async def rows(self, statement: str) -> list[Any]:
        async with self.database.begin(self.who) as tx:
            return list((await tx.session.execute(text(statement))).all())


async def read(tx: Tx, passages: Sequence[str], *, section: str | None = None) -> str:
    """The reading of a text that is these passages, one chunk each. Returns its hash."""
    whole = "\n".join(passages)
    sha256 = hashlib.sha256(whole.encode()).hexdigest()
    given: dict[str, object] = {"tenant": tx.tenant_id, "sha256": sha256}
    await tx.session.execute(_ARTIFACT, given)
    number = await tx.session.scalar(_READING, {**given, "language": find_language(whole), "count": len(passages)})
    start = 0
    for number_of_chunk, body in enumerate(passages if number is not None else ()):
        place = {"reading": number, "index": number_of_chunk, "start": start, "end": start + len(body)}
        await tx.session.execute(_CHUNK, {"tenant": tx.tenant_id, **place, "section": section, "body": body})
        start += len(body) + 1
    return sha256
