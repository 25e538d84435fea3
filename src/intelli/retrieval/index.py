"""Indexing: write postings and vectors of a reading's chunks. Idempotent: repeated, it gives the same index."""

import asyncio
from collections.abc import Callable, Mapping, Sequence, Set
from contextlib import AbstractAsyncContextManager, suppress
from dataclasses import dataclass
from itertools import zip_longest

from intelli.kit.db import Tx
from intelli.library import chunk as library_chunk
from intelli.library import readings
from intelli.reasoning.embedders import Embedders
from intelli.reasoning.ports import Embedder, Vectors
from intelli.retrieval import analysis, spaces
from intelli.retrieval import chunk_terms as retrieval_chunk_terms
from intelli.retrieval import postings as retrieval_postings
from intelli.retrieval.analysis import AnalysedText
from intelli.retrieval.chunk_terms import ChunkTerms
from intelli.retrieval.ports import ChunkPiece, ReadingLanguage
from intelli.retrieval.postings import Postings
from intelli.retrieval.store import chunk_terms, lexical, moves, vectors
from intelli.retrieval.store.lexical import Size
from intelli.retrieval.tables import Space

Begin = Callable[[], AbstractAsyncContextManager[Tx]]
UNKNOWN_LANGUAGE = "und"
_EMBED_BATCH = 256
_POSTINGS_BATCH = 20_000
# Analysis version of a reading whose words are only partly indexed: no analysis has it, so `reindex` repeats it.
_BEGUN = 0


@dataclass(frozen=True, slots=True)
class LexicalEntries:
    """Postings of readings and the terms of their chunks, to be written to the index, and the size of each reading."""

    postings: Postings
    chunks: ChunkTerms
    sizes: Mapping[int, Size]

    @property
    def batches(self) -> Sequence[Postings]:
        """The postings in batches that one transaction may write; at least one, which may be empty."""
        return list(self.postings.batches(_POSTINGS_BATCH)) or [self.postings]


@dataclass(frozen=True, slots=True)
class ReadingText:
    """A reading with the text of its chunks."""

    reading: ReadingLanguage
    chunks: Sequence[ChunkPiece]


async def add(begin: Begin, reading: ReadingLanguage, chunks: Sequence[ChunkPiece], *, embedders: Embedders) -> None:
    """Index a reading, replacing its present entries; opens its own transactions.

    Its words are indexed even when embedding fails, and the error is raised then. When the space that is written to is
    taken out of use meanwhile, the vectors are written to another.
    """
    words = await analyse_reading(reading, chunks)
    is_done = False
    try:
        while not is_done:
            async with begin() as tx:
                space = await spaces.ensure_written(tx, embedders)
            embedder = embedders.of_space(space.name)
            is_done = await _write(begin, reading, chunks, words=words, embedder=embedder, space=space)
    except _Gone:
        return
    except Exception:
        await write_words(begin, reading, words)
        raise


async def add_small(begin: Begin, texts: Sequence[ReadingText], *, embedders: Embedders) -> None:
    """Index several small readings in one transaction, replacing their present entries, and mark them as completed.

    Their words are indexed even when embedding fails, which then raises. Readings removed meanwhile are left out.
    """
    words = await asyncio.to_thread(analyse_readings, texts)
    try:
        while True:
            async with begin() as tx:
                space = await spaces.ensure_written(tx, embedders)
            embedder = embedders.of_space(space.name)
            embedded = await embedder.embed([indexed_text(chunk) for text in texts for chunk in text.chunks])
            async with begin() as tx:
                held = await _put_all_words(tx, texts, words)
                if await _put_all_vectors(tx, texts, held, space=space, embedded=embedded):
                    await readings.mark_completed(tx, *held)
                    return
    except Exception:
        async with begin() as tx:
            await _put_all_words(tx, texts, words)
        raise


async def write_prepared(
    tx: Tx,
    texts: Sequence[ReadingText],
    words: LexicalEntries,
    numbers: Sequence[int],
    *,
    space: Space,
    embedded: Vectors,
) -> set[int]:
    """Write the prepared entries of those readings that are among `numbers`, which the caller has locked.

    Return the numbers of the readings written: none when the space was replaced meanwhile.
    """
    now = await spaces.hold(tx, space)
    if now is None:
        return set()
    held = words.sizes.keys() & set(numbers)
    await _put_held_words(tx, texts, words, held)
    await _put_held_vectors(tx, texts, held, space=now, embedded=embedded)
    return held


async def analyse_reading(reading: ReadingLanguage, chunks: Sequence[ChunkPiece]) -> LexicalEntries:
    """Analyse the chunks of a reading in a thread."""
    return await asyncio.to_thread(analyse_readings, [ReadingText(reading, chunks)])


async def write_words(begin: Begin, reading: ReadingLanguage, words: LexicalEntries) -> None:
    """Replace a reading's entries in the lexical index; do nothing when the reading is gone."""
    with suppress(_Gone):
        for batch in range(len(words.batches)):
            async with begin() as tx:
                await _put_batch(tx, reading.number, words, batch)


async def write_small_words(begin: Begin, texts: Sequence[ReadingText]) -> None:
    """Replace the entries of several small readings in the lexical index, as one batch."""
    words = await asyncio.to_thread(analyse_readings, texts)
    async with begin() as tx:
        await _put_all_words(tx, texts, words)


def indexed_text(chunk: ChunkPiece) -> str:
    """Return the text of a chunk that is indexed: headings and body."""
    return library_chunk.searchable_text(chunk.section, chunk.body)


async def _write(
    begin: Begin,
    reading: ReadingLanguage,
    chunks: Sequence[ChunkPiece],
    *,
    words: LexicalEntries,
    embedder: Embedder,
    space: Space,
) -> bool:
    """Write words and vectors in batches, each in a transaction that is not open while we embed; most need one batch.

    Return False when the space was replaced meanwhile. Raises _Gone when the reading was removed.
    """
    batches = [chunks[at : at + _EMBED_BATCH] for at in range(0, len(chunks), _EMBED_BATCH)]
    done = 0
    for number, (batch, postings) in enumerate(zip_longest(batches, words.batches)):
        embedded = await embedder.embed([indexed_text(chunk) for chunk in batch]) if batch else None
        async with begin() as tx:
            if postings is not None:
                await _put_batch(tx, reading.number, words, number)
            if embedded is not None and not await _put_vectors(tx, reading, space, first=done, embedded=embedded):
                return False
            done += len(batch or ())
            if embedded is not None and done == len(chunks):
                await moves.save(tx, space, {reading.number: done})
    return True


class _Gone(Exception):
    """The reading was removed meanwhile."""


async def _put_batch(tx: Tx, reading: int, words: LexicalEntries, number: int) -> None:
    """Write one batch of a reading's postings; the first replaces the old ones, the last marks it as indexed."""
    if not await readings.lock_existing(tx, reading):
        raise _Gone
    batches = words.batches
    if number == 0:
        await chunk_terms.remove(tx, [reading])
    if number == 0 and len(batches) > 1:
        await lexical.save_indexed(tx, {reading: Size(words.sizes[reading].language, 0, 0)}, version=_BEGUN)
    await lexical.add(tx, batches[number], replacing=[reading] if number == 0 else ())
    await chunk_terms.add(tx, list(words.chunks.split(len(batches)))[number])
    if number == len(batches) - 1:
        await lexical.save_indexed(tx, words.sizes, version=analysis.VERSION)


async def _put_all_words(tx: Tx, texts: Sequence[ReadingText], words: LexicalEntries) -> set[int]:
    """Write the words of small readings as one batch; return the numbers of the readings that exist, now locked."""
    held = await readings.lock_existing(tx, *words.sizes)
    await _put_held_words(tx, texts, words, held)
    return held


async def _put_held_words(tx: Tx, texts: Sequence[ReadingText], words: LexicalEntries, held: Set[int]) -> None:
    if held != words.sizes.keys():
        words = await asyncio.to_thread(analyse_readings, [text for text in texts if text.reading.number in held])
    if held:
        await chunk_terms.remove(tx, sorted(held))
        await chunk_terms.add(tx, words.chunks)
        await lexical.add(tx, words.postings, replacing=sorted(held))
        await lexical.save_indexed(tx, words.sizes, version=analysis.VERSION)


async def _put_vectors(tx: Tx, reading: ReadingLanguage, space: Space, *, first: int, embedded: Vectors) -> bool:
    now = await spaces.hold(tx, space)
    if now is None:
        return False
    if first == 0:
        await _remove_vectors(tx, [reading.number])
    places = [(reading.number, index) for index in range(first, first + len(embedded))]
    await vectors.add(tx, now, places, embedded)
    await readings.set_progress(tx, reading.number, first + len(embedded))
    return True


async def _put_all_vectors(
    tx: Tx, texts: Sequence[ReadingText], held: Set[int], *, space: Space, embedded: Vectors
) -> bool:
    now = await spaces.hold(tx, space)
    if now is None:
        return False
    await _put_held_vectors(tx, texts, held, space=now, embedded=embedded)
    return True


async def _put_held_vectors(
    tx: Tx, texts: Sequence[ReadingText], held: Set[int], *, space: Space, embedded: Vectors
) -> None:
    places = [(text.reading.number, index) for text in texts for index in range(len(text.chunks))]
    kept = [row for row, (number, _) in enumerate(places) if number in held]
    if kept:
        await _remove_vectors(tx, list(held))
        await vectors.add(tx, space, [places[row] for row in kept], embedded[kept])
        counts = {text.reading.number: len(text.chunks) for text in texts if text.reading.number in held}
        await moves.save(tx, space, {number: count for number, count in counts.items() if count})


async def _remove_vectors(tx: Tx, numbers: Sequence[int]) -> None:
    """Delete all vectors of readings, wherever they are."""
    await vectors.remove(tx, await vectors.list_spaces(tx), numbers)
    await moves.forget(tx, numbers)


def analyse_readings(texts: Sequence[ReadingText]) -> LexicalEntries:
    """Analyse the chunks of readings. CPU-bound."""
    analysed = {text.reading.number: _analyse(text) for text in texts}
    bodies = {text.reading.number: [chunk.body for chunk in text.chunks] for text in texts}
    counts = retrieval_postings.list_counts(retrieval_postings.by_key(analysed))
    chunks = retrieval_chunk_terms.pack(counts, list(retrieval_postings.by_key(bodies).values()))
    sizes = {
        text.reading.number: Size(
            _language(text), len(text.chunks), sum(chunk.length for chunk in analysed[text.reading.number])
        )
        for text in texts
    }
    return LexicalEntries(retrieval_postings.pack(counts), chunks, sizes)


def _analyse(text: ReadingText) -> list[AnalysedText]:
    return [analysis.analyse(indexed_text(chunk), _language(text)) for chunk in text.chunks]


def _language(text: ReadingText) -> str:
    return text.reading.language or UNKNOWN_LANGUAGE
