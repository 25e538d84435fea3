"""New readings are found at once by quick vectors; a background job moves them to the encoder's space one by one."""

from functools import partial

import pytest
from tests.retrieval.makers import Shelf

from intelli.reasoning.embedders import Embedders
from intelli.reasoning.embedding_name import EmbeddingName
from intelli.reasoning.settings import EmbeddingSettings
from intelli.retrieval import encode, reindex, spaces
from intelli.retrieval.encode import IsEnding
from intelli.retrieval.store import moves

STATIC, ENCODER = "static:wordllama-l2-supercat-256", "encoder:all-minilm-l6-v2-dynamic"
_WRITTEN = """
    select chunk_index, v.xmin::text from vectors v join spaces s on s.number = v.space and s.state = 'active'
     order by 1
"""


@pytest.fixture
def encoding(shelf: Shelf) -> Shelf:
    """A shelf of an installation as it comes."""
    shelf.embedders = Embedders(EmbeddingSettings())
    return shelf


async def move(shelf: Shelf, *, together: int = 64, is_ending: IsEnding = lambda: False) -> bool:
    begin = partial(shelf.database.begin, shelf.who)
    async with begin() as tx:
        active = await spaces.find_active(tx)
        assert active is not None
    embedder = shelf.embedders.of_space(active.name)
    return await encode.move_readings(begin, active, embedder, together=together, is_ending=is_ending)


async def places(shelf: Shelf) -> set[tuple[str, int]]:
    """Which space has vectors, and of how many chunks."""
    return {
        (name, count)
        for name, count in await shelf.rows(
            "select s.name, count(*)::int from vectors v join spaces s on s.number = v.space group by 1"
        )
    }


async def progress(shelf: Shelf) -> tuple[int, int]:
    async with shelf.database.begin(shelf.who) as tx:
        found = await moves.load_progress(tx)
    return found.done, found.total


def after(steps: int) -> IsEnding:
    """Ends after some steps."""
    left = iter(range(steps))
    return lambda: next(left, None) is None


async def test_a_new_reading_is_found_at_once_and_better_once_it_is_moved(encoding: Shelf):
    await encoding.put("/car.txt", "The automobile was repaired by a mechanic.")
    await encoding.put("/cake.txt", "The oven must be hot before the dough goes in.")
    assert await places(encoding) == {(STATIC, 2)}
    assert (await encoding.search("vehicle fixed in a garage")).search_metadata.semantic
    assert (await encoding.names("automobile mechanic"))[0] == "car.txt"
    assert await progress(encoding) == (0, 2)
    assert await move(encoding)
    assert await places(encoding) == {(ENCODER, 2)}
    assert await progress(encoding) == (2, 2)
    assert (await encoding.names("vehicle fixed in a garage", limit=1)) == ["car.txt"]


async def test_while_readings_are_moved_those_of_both_spaces_are_found_by_meaning(encoding: Shelf):
    for number in range(4):
        await encoding.put(f"/{number}.txt", f"Physicians treat illness number {number} with care.")
    assert not await move(encoding, together=1, is_ending=after(2))
    assert await places(encoding) == {(STATIC, 2), (ENCODER, 2)}
    found = await encoding.search("doctors cure disease")
    assert found.search_metadata.semantic
    assert len(found.sources) == 4


async def test_the_newest_readings_are_moved_first(encoding: Shelf):
    for number in range(3):
        await encoding.put(f"/{number}.txt", f"Reading number {number}.")
    await move(encoding, together=1, is_ending=after(1))
    moved = "select reading::int from reading_spaces where space = (select number from spaces where state = 'active')"
    newest = await encoding.rows("select max(number)::int from readings")
    assert await encoding.rows(moved) == newest


async def test_a_long_reading_goes_on_where_it_was_interrupted(encoding: Shelf):
    await encoding.put("/long.txt", *(f"Line {number} of a long text about bees." for number in range(10)))
    assert not await move(encoding, together=3, is_ending=after(3))
    assert await places(encoding) == {(STATIC, 10), (ENCODER, 6)}
    assert await progress(encoding) == (6, 10)
    found = await encoding.search("insects")
    assert found.search_metadata.semantic
    before = await encoding.rows(_WRITTEN)
    assert await move(encoding, together=3)
    assert (await encoding.rows(_WRITTEN))[:6] == before
    assert await places(encoding) == {(ENCODER, 10)}


async def test_a_reading_that_is_written_anew_is_moved_again(encoding: Shelf):
    await encoding.put("/a.txt", "Bees dance on the comb.")
    assert await move(encoding)
    ((sha256,),) = await encoding.rows("select sha256 from readings")
    await encoding.index(sha256)
    assert await places(encoding) == {(STATIC, 1)}
    assert await move(encoding)
    assert await places(encoding) == {(ENCODER, 1)}


async def test_a_workspace_of_the_release_before_is_moved_by_itself(shelf: Shelf):
    await shelf.put("/a.txt", "The automobile was repaired.")
    assert await shelf.rows("select name, state from spaces") == [(STATIC, "active")]
    shelf.embedders = Embedders(EmbeddingSettings())
    begin = partial(shelf.database.begin, shelf.who)
    async with begin() as tx:
        assert await spaces.begin_upgrade(tx, shelf.embedders)
    assert (await shelf.search("a vehicle")).search_metadata.semantic
    assert await move(shelf)
    await reindex.finish_move(begin, shelf.embedders)
    assert await places(shelf) == {(ENCODER, 1)}
    async with begin() as tx:
        assert not await spaces.begin_upgrade(tx, shelf.embedders)


async def test_between_other_embedders_nothing_is_moved_by_itself(encoding: Shelf):
    await encoding.put("/a.txt", "The automobile was repaired.")
    await move(encoding)
    encoding.embedders = Embedders(EmbeddingSettings(name=EmbeddingName.STATIC))
    begin = partial(encoding.database.begin, encoding.who)
    async with begin() as tx:
        assert not await spaces.begin_upgrade(tx, encoding.embedders)
    assert (await encoding.search("a vehicle")).search_metadata.semantic
    await reindex.reindex(begin, encoding.embedders.chosen, encoding.embedders)
    assert await places(encoding) == {(STATIC, 1)}
    assert await encoding.rows("select name, state from spaces") == [(STATIC, "active")]
