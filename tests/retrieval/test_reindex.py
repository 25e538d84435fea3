"""Another embedder takes over while searches and uploads go on; interrupted, it is taken up again."""

import asyncio
from functools import partial

import pytest
from tests.retrieval.makers import Shelf
from tests.support.embedding_server import EmbeddingServer, embedding_server

from intelli.reasoning.embedders import Embedders
from intelli.reasoning.embedding_name import EmbeddingName
from intelli.reasoning.errors import EmbeddingUnavailable
from intelli.reasoning.settings import EmbeddingSettings
from intelli.retrieval import analysis, reindex, spaces

_QUERY = "bees dance"


def _embedders(server: EmbeddingServer) -> Embedders:
    """Those of an installation whose settings name an endpoint, but whose index may still be the bundled model's."""
    return Embedders(
        EmbeddingSettings(name=EmbeddingName.OPENAI_COMPATIBLE, base_url=server.url, model="m", dimensions=8, batch=200)
    )


async def _fill(shelf: Shelf, count: int) -> None:
    for number in range(count):
        await shelf.put(f"/{number}.txt", f"Bees of hive {number} dance on the comb.")


async def test_searches_and_uploads_go_on_during_a_move(shelf: Shelf):
    await _fill(shelf, 8)
    async with embedding_server(delay_s=0.02) as server:
        shelf.embedders = _embedders(server)
        begin = partial(shelf.database.begin, shelf.who)
        moving = asyncio.create_task(reindex.reindex(begin, shelf.embedders.chosen, shelf.embedders))
        number, seen = 8, set()
        while not moving.done():
            await shelf.put(f"/{number}.txt", f"Bees of hive {number} dance on the comb.")
            found = await shelf.search(_QUERY, limit=100)
            assert len(found.sources) == number + 1
            assert found.search_metadata.semantic
            seen.add((await shelf.rows("select name from spaces where state = 'active'"))[0][0].partition(":")[0])
            number += 1
        await moving
        assert seen <= {"static", "openai-compatible"}
        assert await shelf.rows("select name, state from spaces") == [("openai-compatible:m:8", "active")]
        assert await shelf.rows("select count(*)::int, count(distinct space)::int from vectors") == [(number, 1)]
        await shelf.embedders.close()


async def test_an_interrupted_move_is_taken_up_where_it_stopped(shelf: Shelf):
    for number in range(6):  # so long that each is moved by itself
        await shelf.put(f"/{number}.txt", *(f"Bees of hive {number} dance {at}." for at in range(150)))
    async with embedding_server(retry_after="0") as server:
        shelf.embedders = _embedders(server)
        begin = partial(shelf.database.begin, shelf.who)
        asked = 0

        def stop_half_way(_: int) -> None:
            nonlocal asked
            asked += 1
            if asked == 3:
                server.failures += [500, 500]

        with pytest.raises(EmbeddingUnavailable):
            await reindex.reindex(begin, shelf.embedders.chosen, shelf.embedders, on_progress=stop_half_way)
        assert len((await shelf.search(_QUERY)).sources) == 6
        async with begin() as tx:
            assert await reindex.count_remaining(tx, shelf.embedders.chosen) == 3
        before = len(server.requests)
        await reindex.reindex(begin, shelf.embedders.chosen, shelf.embedders)
        assert len(server.requests) - before == 3
        assert await shelf.rows("select state from spaces") == [("active",)]
        await shelf.embedders.close()


async def test_what_an_older_analysis_wrote_is_written_again(shelf: Shelf):
    await _fill(shelf, 3)
    await shelf.rows(f"update indexed set version = {analysis.VERSION - 1} returning reading")
    await shelf.rows("update postings set term = term + 1 returning term")
    begin = partial(shelf.database.begin, shelf.who)
    await reindex.reindex(begin, shelf.embedders.chosen, shelf.embedders)
    assert await shelf.rows("select distinct version from indexed") == [(analysis.VERSION,)]
    assert (await shelf.names("hive 2", limit=1)) == ["2.txt"]


async def test_a_move_back_to_the_active_embedder_only_cleans_up(shelf: Shelf):
    await _fill(shelf, 2)
    begin = partial(shelf.database.begin, shelf.who)
    await reindex.reindex(begin, shelf.embedders.chosen, shelf.embedders)
    assert await shelf.rows("select state from spaces") == [("active",)]


async def test_a_server_without_the_settings_of_its_index_says_why_it_searches_words_alone(shelf: Shelf):
    async with embedding_server() as server:
        shelf.embedders = _embedders(server)
        await _fill(shelf, 1)
        async with shelf.database.begin(shelf.who) as tx:
            assert await spaces.find_fault(tx, shelf.embedders) is None
        await shelf.embedders.close()
    shelf.embedders = Embedders(EmbeddingSettings())
    metadata = (await shelf.search(_QUERY)).search_metadata
    assert not metadata.semantic
    assert metadata.words_only_reason
    assert "openai-compatible:m:8, which the settings do not name" in metadata.words_only_reason
    async with shelf.database.begin(shelf.who) as tx:
        assert await spaces.find_fault(tx, shelf.embedders) == metadata.words_only_reason
