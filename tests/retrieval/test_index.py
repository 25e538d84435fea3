"""The index: exact whatever comes and goes, closed between workspaces, the same by every way to it."""

from functools import partial

import psycopg
import pytest
from tests.retrieval.makers import Shelf
from tests.support.embedding_server import embedding_server
from tests.support.jobs import make_workspace

from intelli.kit.context import System
from intelli.kit.db import Database
from intelli.library import readings
from intelli.reasoning.embedders import Embedders
from intelli.reasoning.embedding_name import EmbeddingName
from intelli.reasoning.errors import EmbeddingUnavailable
from intelli.reasoning.settings import EmbeddingSettings
from intelli.retrieval import index, maintenance, vector_builds

_TABLES = ("postings", "chunk_terms", "vectors", "indexed")


async def test_removing_a_reading_removes_all_that_searches_see_of_it(shelf: Shelf):
    await shelf.put("/bees.txt", "Bees dance on the comb.", "They fly far.")
    await shelf.put("/steel.txt", "Steel is hardened in oil.")
    await shelf.rows("delete from readings where number = (select min(number) from readings) returning number")
    for table in ("vectors", "chunk_terms", "indexed"):
        (count,) = await shelf.rows(f"select count(distinct reading) from {table}")
        assert count[0] == 1, table
    assert await shelf.occurrences("bees dance steel") == {"steel": 1}
    assert await shelf.rows("select sum(chunks)::int, sum(length)::int from lexicons") == [(1, 5)]
    assert (await shelf.search("bees dance")).search_metadata.total_chunks_searched == 1


async def test_a_workspace_that_goes_takes_its_index_along(shelf: Shelf, admin_url: str):
    await shelf.put("/bees.txt", "Bees dance on the comb.")
    with psycopg.connect(admin_url) as connection:
        connection.execute("delete from workspaces where id = %s", (shelf.who.tenant_id,))
        for table in (*_TABLES, "strays"):
            (count,) = connection.execute(f"select count(*) from {table} where tenant_id = %s", (shelf.who.tenant_id,))
            assert count == (0,), table


async def test_indexing_again_changes_nothing_that_searches_see(shelf: Shelf):
    await shelf.put("/bees.txt", "Bees dance on the comb.", "They fly far.")
    await shelf.put("/more.txt", "Other bees dance as well.")

    async def state() -> list[object]:
        tables = [
            await shelf.rows(f"select * from {table} order by 1, 2, 3, 4")
            for table in ("vectors", "chunk_terms", "indexed")
        ]
        return [*tables, await shelf.rows("select * from lexicons"), await shelf.occurrences("bees dance comb")]

    before = await state()
    (row,) = await shelf.rows("select sha256 from readings order by number limit 1")
    for _ in range(3):
        await shelf.index(row.sha256)
    assert await state() == before


async def test_tending_removes_what_became_void_and_nothing_else(shelf: Shelf, monkeypatch: pytest.MonkeyPatch):
    """Postings are shared by readings that were indexed together; here are those of one that goes, and of one anew."""
    monkeypatch.setattr(maintenance, "_MANY_VOID", 1)
    monkeypatch.setattr(maintenance, "_CLEANSE_BATCH", 3)
    await shelf.put_together("Bees dance on the comb.", "Steel and bees.", "Steel is hardened in oil.")
    (first, second, _) = await shelf.rows("select number, sha256 from readings order by number")
    await shelf.rows(f"delete from readings where number = {first.number} returning number")
    await shelf.index(second.sha256)
    before = await shelf.occurrences("bees dance comb steel oil")
    assert before == {"bees": 1, "steel": 2, "oil": 1}
    async with shelf.database.begin(shelf.who) as tx:
        assert await maintenance.is_due(tx)
    await shelf.tend()
    assert await shelf.rows("select from strays") == []
    assert await shelf.occurrences("bees dance comb steel oil") == before
    (hits_left,) = await shelf.rows("select sum(octet_length(hits))::int / 11 from postings")
    assert hits_left[0] == 8, "three terms of one reading, five of the other"


async def test_a_reading_that_goes_while_it_is_indexed_leaves_nothing(shelf: Shelf):
    await shelf.put("/bees.txt", "Bees dance on the comb.")
    begin = partial(shelf.database.begin, shelf.who)
    async with begin() as tx:
        (reading,) = await readings.find_all(tx, [(await shelf.rows("select sha256 from readings"))[0].sha256])
        chunks = await readings.list_chunks(tx, reading.number)
    words = await index.analyse_reading(reading, chunks)
    await shelf.rows("delete from readings returning number")
    await index.write_words(begin, reading, words)
    await index.add(begin, reading, chunks, embedders=shelf.embedders)
    assert await shelf.occurrences("bees") == {}
    assert await shelf.rows("select from indexed") == []


async def test_another_workspace_finds_and_sees_nothing(shelf: Shelf, database: Database):
    await shelf.put("/bees.txt", "Bees dance on the comb.")
    stranger = Shelf(database, await make_workspace(database))
    await stranger.put("/mine.txt", "Ants carry leaves.")
    found = await stranger.search("bees dance")
    assert [source.file_name for source in found.sources] in ([], ["mine.txt"])
    assert found.search_metadata.total_chunks_searched == 1
    for table in (*_TABLES, "lexicons", "spaces", "frequent_terms"):
        assert {row[0] for row in await stranger.rows(f"select tenant_id from {table}")} <= {stranger.who.tenant_id}


async def test_statistics_and_the_index_of_vectors_follow_growth(shelf: Shelf, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(vector_builds, "BUILD_AT", 30)
    for number in range(40):
        await shelf.put(f"/{number}.txt", f"Bees of hive {number} dance on the comb.")
    async with shelf.database.begin(shelf.who) as tx:
        assert await maintenance.is_due(tx)
        assert not await maintenance.is_due(tx)
    await shelf.tend()
    assert len(await _indexes(shelf)) == 1
    assert (await shelf.names("bees of hive 17", limit=1)) == ["17.txt"]
    within = await shelf.search("bees of hive 17", folder="/", limit=3)
    assert len(within.sources) == 3


async def test_words_are_found_while_the_embedding_endpoint_is_down(database: Database, who: System):
    async with embedding_server(failures=[500] * 20, retry_after="0") as server:
        settings = EmbeddingSettings(name=EmbeddingName.OPENAI_COMPATIBLE, base_url=server.url, model="m", dimensions=8)
        shelf = Shelf(database, who, Embedders(settings))
        with pytest.raises(EmbeddingUnavailable):
            await shelf.put("/bees.txt", "Bees dance on the comb.")
        found = await shelf.search("bees dance")
        assert [source.file_name for source in found.sources] == ["bees.txt"]
        assert not found.search_metadata.semantic
        assert found.search_metadata.words_only_reason
        server.failures.clear()
        (row,) = await shelf.rows("select sha256 from readings")
        await shelf.index(row.sha256)
        assert (await shelf.search("bees dance")).search_metadata.semantic
        await shelf.embedders.close()


async def test_a_reading_of_very_many_chunks_is_indexed_in_steps(shelf: Shelf):
    bodies = [f"Row {number} tells of item{number} and of the depot." for number in range(700)]
    await shelf.put("/table.csv", *bodies)
    found = await shelf.search("item567", limit=1)
    assert found.sources[0].excerpts[0].chunk_index == 567
    assert (await shelf.rows("select count(*) from vectors"))[0][0] == 700
    assert (await shelf.rows("select count(*) from chunk_terms"))[0][0] == 700
    assert (await shelf.rows("select chunks from indexed"))[0][0] == 700


async def _indexes(shelf: Shelf) -> list[str]:
    rows = await shelf.rows(
        "select indexname from pg_indexes where schemaname = 'vector_tables' and indexdef like '%USING hnsw%'"
    )
    return [row[0] for row in rows]
