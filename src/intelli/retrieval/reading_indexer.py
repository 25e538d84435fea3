"""Indexing of new readings: words and vectors are computed before the transaction that writes the reading.

So a file of usual size is findable as soon as it is read, without another job. Readings that are long, or cannot be
embedded now, are enqueued in that transaction.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field

import structlog

from intelli.kit.db import Tx
from intelli.library.ports import EncodingProgress, IndexBuildProgress, NewReading
from intelli.reasoning.embedders import Embedders
from intelli.reasoning.errors import EmbeddingNotInstalled
from intelli.reasoning.ports import Embedder, Tokenised, Vectors
from intelli.retrieval import index, jobs, spaces, vector_builds
from intelli.retrieval.index import LexicalEntries, ReadingText
from intelli.retrieval.tables import Space

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class _Batch:
    """Readings with their lexical entries, and their vectors for a space."""

    texts: Sequence[ReadingText]
    words: LexicalEntries
    space: Space
    embedded: Vectors


@dataclass(frozen=True, slots=True)
class IndexEntry:
    """Prepared index entries of new readings; `hashes` are those of their contents, by reading number."""

    hashes: dict[int, str]
    batch: _Batch | None = None

    async def put(self, tx: Tx, numbers: Sequence[int]) -> set[int]:
        """Write the entries of these readings, locked by the caller; enqueue the others. Return those written."""
        found, made = await self._put(tx, numbers), self.batch
        left = [self.hashes[number] for number in numbers if number not in found]
        if left:
            await jobs.enqueue(tx, left)
        if found and made is not None:
            await jobs.enqueue_maintenance(tx)
            await jobs.wake_move(tx, made.space)
        return found

    async def _put(self, tx: Tx, numbers: Sequence[int]) -> set[int]:
        if self.batch is None:
            return set()
        made = self.batch
        return await index.write_prepared(tx, made.texts, made.words, numbers, space=made.space, embedded=made.embedded)


@dataclass(frozen=True, slots=True)
class ReadingIndexer:
    """Prepares index entries for the space that is written to. Without space and embedder, all are enqueued."""

    turn: asyncio.Lock
    space: Space | None = None
    embedder: Embedder | None = None

    async def prepare(self, fresh: Sequence[NewReading]) -> IndexEntry:
        """Compute words and vectors of new readings. Never fails: `put` enqueues those without entries."""
        hashes = {each.number: each.sha256 for each in fresh}
        kept = [each for each in fresh if 0 < len(each.chunks) <= jobs.LARGE_CHUNKS]
        if not kept or self.space is None or self.embedder is None:
            return IndexEntry(hashes)
        passages = [Tokenised(index.indexed_text(chunk), chunk.numbers) for each in kept for chunk in each.chunks]
        try:
            embedded = await self.embedder.embed_tokenised(passages)
        except Exception as error:  # noqa: BLE001  # the job that is enqueued then handles and reports it
            log.info("indexing_put_off", error=type(error).__name__)
            return IndexEntry(hashes)
        texts = [ReadingText(each, each.chunks) for each in kept]
        async with self.turn:
            words = await asyncio.to_thread(index.analyse_readings, texts)
        return IndexEntry(hashes, _Batch(texts, words, self.space, embedded))


@dataclass(frozen=True, slots=True)
class RetrievalIndex:
    """Index of the workspaces, as the library's `IndexPort`."""

    embedders: Embedders = field(repr=False)
    # CPU-bound threads of one interpreter only slow each other down.
    turn: asyncio.Lock = field(default_factory=asyncio.Lock, repr=False)

    async def load_progress(self, tx: Tx) -> EncodingProgress:
        """Return how far the move to the active space is."""
        return await spaces.load_progress(tx)

    async def find_build(self, tx: Tx) -> IndexBuildProgress | None:
        """Return how far the build of the workspace's index is."""
        return await vector_builds.find_progress(tx)

    async def find_indexer(self, tx: Tx) -> ReadingIndexer:
        """Return an indexer for the space that new readings are written to, created when there is none."""
        space = await spaces.ensure_written(tx, self.embedders)
        try:
            return ReadingIndexer(self.turn, space, self.embedders.of_space(space.name))
        except EmbeddingNotInstalled:
            return ReadingIndexer(self.turn)
