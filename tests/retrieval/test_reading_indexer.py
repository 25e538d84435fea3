"""What was just read is findable with the transaction that writes it; what cannot be is queued, and nothing is lost."""

import asyncio
from collections.abc import Sequence

import numpy as np
from tests.retrieval.makers import Shelf, read

from intelli.kit.db import Tx
from intelli.library import readings
from intelli.library.ports import ChunkText, NewReading
from intelli.reasoning.adapters.static import StaticEmbedder
from intelli.reasoning.errors import EmbeddingUnavailable
from intelli.reasoning.ports import Tokenised, Vectors
from intelli.retrieval import spaces
from intelli.retrieval.reading_indexer import ReadingIndexer, RetrievalIndex

BEES, STEEL = ("Bees dance on the comb.", "They fly far."), ("Steel is hardened in oil.",)


class Silent(StaticEmbedder):
    """An embedder that does not answer."""

    async def embed_tokenised(self, texts: Sequence[Tokenised]) -> Vectors:
        raise EmbeddingUnavailable("It does not answer.")


async def test_what_was_just_read_is_in_the_index_as_a_job_would_have_put_it(shelf: Shelf):
    fresh = await _fresh(shelf, BEES, STEEL)
    entry = await (await _indexer(shelf)).prepare(fresh)
    async with shelf.database.begin(shelf.who) as tx:
        assert await entry.put(tx, [each.number for each in fresh]) == {each.number for each in fresh}
    assert await _queued(shelf) == 0
    at_once = await _state(shelf)
    for each in fresh:
        await shelf.index(each.sha256)
    assert await _state(shelf) == at_once
    assert await shelf.occurrences("bees dance steel") == {"bees": 1, "dance": 1, "steel": 1}


async def test_a_reading_that_went_meanwhile_leaves_nothing_in_the_index(shelf: Shelf):
    gone, kept = await _fresh(shelf, BEES, STEEL)
    entry = await (await _indexer(shelf)).prepare([gone, kept])
    async with shelf.database.begin(shelf.who) as tx:
        assert await entry.put(tx, [kept.number]) == {kept.number}
    assert await shelf.occurrences("bees steel") == {"steel": 1}
    assert await shelf.rows("select reading from indexed union select reading from vectors") == [(kept.number,)]


async def test_what_cannot_be_embedded_now_is_queued(shelf: Shelf):
    (fresh,) = await _fresh(shelf, BEES)
    async with shelf.database.begin(shelf.who) as tx:
        space = await spaces.ensure_active(tx, StaticEmbedder())
    entry = await ReadingIndexer(asyncio.Lock(), space, Silent()).prepare([fresh])
    async with shelf.database.begin(shelf.who) as tx:
        assert await entry.put(tx, [fresh.number]) == set()
    assert (await _queued(shelf), await shelf.occurrences("bees")) == (1, {})


async def test_what_was_prepared_for_a_space_that_is_not_searched_any_more_is_queued(shelf: Shelf):
    (fresh,) = await _fresh(shelf, BEES)
    entry = await (await _indexer(shelf)).prepare([fresh])
    await shelf.rows("update spaces set state = 'leaving' returning number")
    async with shelf.database.begin(shelf.who) as tx:
        assert await entry.put(tx, [fresh.number]) == set()
    assert (await _queued(shelf), await shelf.rows("select count(*) from vectors")) == (1, [(0,)])


async def test_a_long_reading_is_queued_and_those_beside_it_are_put(shelf: Shelf):
    long, short = await _fresh(shelf, [f"Line {n} of a long text." for n in range(300)], STEEL)
    entry = await (await _indexer(shelf)).prepare([long, short])
    async with shelf.database.begin(shelf.who) as tx:
        assert await entry.put(tx, [long.number, short.number]) == {short.number}
    assert (await _queued(shelf), await shelf.occurrences("steel line")) == (1, {"steel": 1})


async def _indexer(shelf: Shelf) -> ReadingIndexer:
    async with shelf.database.begin(shelf.who) as tx:
        return await RetrievalIndex(shelf.embedders).find_indexer(tx)


async def _fresh(shelf: Shelf, *texts: Sequence[str]) -> list[NewReading]:
    async with shelf.database.begin(shelf.who) as tx:
        return [await _one(tx, passages) for passages in texts]


async def _one(tx: Tx, passages: Sequence[str]) -> NewReading:
    reading = await readings.find(tx, await read(tx, passages))
    assert reading is not None
    return NewReading(reading.sha256, reading.number, reading.language, [ChunkText(None, body) for body in passages])


async def _queued(shelf: Shelf) -> int:
    (row,) = await shelf.rows("select count(*) from procrastinate_jobs where task_name = 'retrieval.index'")
    return int(row[0])


async def _state(shelf: Shelf) -> list[object]:
    vectors = await shelf.rows("select reading, chunk_index, embedding::real[] from vectors order by 1, 2")
    numbers = [(reading, at, np.asarray(values).tolist()) for reading, at, values in vectors]
    indexed = await shelf.rows("select * from indexed order by reading")
    return [numbers, indexed, await shelf.rows("select * from lexicons")]
