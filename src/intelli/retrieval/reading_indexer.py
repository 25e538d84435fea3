"""Indexing what was just read: words and vectors are worked out before the transaction that writes a reading.

So a file of usual size is read and findable at once, without another job. What is long, or cannot be embedded now, is
queued in that transaction.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field

import structlog

from intelli.kit.db import Tx
from intelli.library.ports import NewReading
from intelli.reasoning.embedders import Embedders
from intelli.reasoning.errors import EmbeddingNotInstalled
from intelli.reasoning.ports import Embedder, Tokenised, Vectors
from intelli.retrieval import index, jobs, spaces
from intelli.retrieval.index import LexicalEntries, ReadingText
from intelli.retrieval.tables import Space

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class _Batch:
    """Readings with what the index is to hold of them in a space."""

    texts: Sequence[ReadingText]
    words: LexicalEntries
    space: Space
    embedded: Vectors


@dataclass(frozen=True, slots=True)
class IndexEntry:
    """What the index is to hold of some readings; `hashes` are those of their contents, by number."""

    hashes: dict[int, str]
    batch: _Batch | None = None

    async def put(self, tx: Tx, numbers: Sequence[int]) -> set[int]:
        """Put those of these numbers into the index, which the caller holds; the others are queued. Which were put."""
        found = await self._put(tx, numbers)
        left = [self.hashes[number] for number in numbers if number not in found]
        if left:
            await jobs.enqueue(tx, left)
        if found:
            await jobs.tend_if_due(tx)
        return found

    async def _put(self, tx: Tx, numbers: Sequence[int]) -> set[int]:
        if self.batch is None:
            return set()
        made = self.batch
        return await index.put(tx, made.texts, made.words, numbers, space=made.space, embedded=made.embedded)


@dataclass(frozen=True, slots=True)
class ReadingIndexer:
    """Makes entries for the space that a workspace was searched by."""

    turn: asyncio.Lock
    space: Space | None = None
    embedder: Embedder | None = None

    async def prepare(self, fresh: Sequence[NewReading]) -> IndexEntry:
        """Work out words and vectors. It never fails: what cannot be put now is queued."""
        hashes = {each.number: each.sha256 for each in fresh}
        kept = [each for each in fresh if 0 < len(each.chunks) <= jobs.LARGE_CHUNKS]
        if not kept or self.space is None or self.embedder is None:
            return IndexEntry(hashes)
        passages = [Tokenised(index.passage(chunk), chunk.numbers) for each in kept for chunk in each.chunks]
        try:
            embedded = await self.embedder.embed_tokenised(passages)
        except Exception as error:  # noqa: BLE001  # the job that is queued then knows what to do about it, and tells
            log.info("indexing_put_off", error=type(error).__name__)
            return IndexEntry(hashes)
        texts = [ReadingText(each, each.chunks) for each in kept]
        async with self.turn:
            words = await asyncio.to_thread(index.words_of, texts)
        return IndexEntry(hashes, _Batch(texts, words, self.space, embedded))


@dataclass(frozen=True, slots=True)
class RetrievalIndex:
    """Makes readings findable."""

    embedders: Embedders = field(repr=False)
    # Threads that compute at once in one interpreter only hinder each other.
    turn: asyncio.Lock = field(default_factory=asyncio.Lock, repr=False)

    async def find_indexer(self, tx: Tx) -> ReadingIndexer:
        """Look at which space the workspace is searched by."""
        space = await spaces.ensure_active(tx, self.embedders.chosen)
        try:
            return ReadingIndexer(self.turn, space, self.embedders.of_space(space.name))
        except EmbeddingNotInstalled:
            return ReadingIndexer(self.turn)
