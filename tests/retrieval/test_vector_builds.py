"""Tables of large spaces: built beside the vectors in use while everyone goes on; whoever is killed, none is lost."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import numpy as np
import psycopg
import pytest
from sqlalchemy import exc, text
from tests.retrieval import large_workspace
from tests.retrieval.makers import Shelf
from tests.support.jobs import make_workspace

from intelli.engine import Engine
from intelli.kit.context import WorkspaceLister
from intelli.kit.db import DatabaseUnavailable, Tx
from intelli.library.sources import SOURCES, Sources
from intelli.migrations import schema
from intelli.retrieval import search, spaces, vector_builds, wire
from intelli.retrieval.rerank import Rerankers
from intelli.retrieval.store import vector_tables, vectors
from intelli.retrieval.store.lexical import ReadingFilter
from intelli.retrieval.vector_builds import BuildLimits

pytestmark = pytest.mark.usefixtures("small_builds")


async def _table(shelf: Shelf) -> str:
    async with shelf.database.begin(shelf.who) as tx:
        (space,) = await vectors.list_spaces(tx)
        return vector_tables.table_of(space)


async def _tables(shelf: Shelf) -> list[str]:
    rows = await shelf.rows("select tablename from pg_tables where schemaname = 'vector_tables' order by 1")
    return [f"vector_tables.{row[0]}" for row in rows]


async def _check_whole(shelf: Shelf) -> None:
    """Every chunk that is indexed has its vector, once, and nothing else is anywhere."""
    chunks = await shelf.rows("select reading, g from indexed, generate_series(0, chunks - 1) g order by 1, 2")
    own = await _table(shelf)
    assert await shelf.rows(f"select reading, chunk_index from {own} order by 1, 2") == chunks
    assert await _tables(shelf) == [own]
    assert await shelf.rows("select from vectors") == []
    assert await shelf.rows("select from vector_changes") == []
    assert await shelf.rows("select from vector_builds") == []


async def test_a_workspace_that_becomes_large_gets_a_table_and_is_searched_and_changed_as_before(filled: Shelf):
    await filled.tend()
    assert (await _table(filled)).startswith(f"vector_tables.vectors_{filled.who.tenant_id.hex}_1_")
    await filled.put("/new.txt", "Steel is hardened in oil.", "It is quenched.")
    assert await filled.names("how is steel hardened", limit=1) == ["new.txt"]
    (row,) = await filled.rows("select sha256 from readings where chunk_count = 2")
    await filled.index(row.sha256)
    await filled.rows("delete from readings where number = (select min(number) from readings) returning number")
    await _check_whole(filled)


async def test_a_small_workspace_stays_in_the_table_of_all(shelf: Shelf):
    await shelf.put("/bees.txt", "Bees dance.")
    await shelf.tend()
    assert await _tables(shelf) == []
    assert await shelf.rows("select count(*)::int from vectors") == [(1,)]


async def test_everyone_writes_on_while_an_index_is_being_built(filled: Shelf):
    """The transaction that builds it stays open: who had to wait for it would be given up after the time limit."""
    begin = large_workspace.begin(filled)
    other = Shelf(filled.database, await make_workspace(filled.database))
    await other.put("/theirs.txt", "Ants carry leaves.")
    await vector_builds._locked(begin, lambda tx: vector_builds._start(tx, 1))
    while await vector_builds._copy_batch(begin, 1):
        pass
    async with begin() as tx:
        space = await vectors.find_number(tx, 1)
        assert space is not None
        assert await vector_tables.index(tx, space, memory_kb=65536, workers=0) is True
        await filled.put("/new.txt", "Steel is hardened in oil.")
        (row,) = await filled.rows("select sha256 from readings order by number limit 1")
        await filled.index(row.sha256)
        await filled.rows("delete from readings where number = (select max(number) - 1 from readings) returning number")
        await other.put("/more.txt", "Ants have queens.")
        await other.rows("delete from readings where number = (select max(number) from readings) returning number")
        assert (await filled.names("steel", limit=1)) == ["new.txt"]
    await filled.tend()
    await _check_whole(filled)


@pytest.mark.parametrize("is_rebuild", [False, True])
@pytest.mark.parametrize(
    "step",
    [
        (vector_tables, "begin_build"),
        (vector_tables, "copy_batch"),
        (vector_tables, "index"),
        (vector_tables, "apply_changes"),
        (vector_tables, "switch"),
        (vector_tables, "list_left"),
        (vectors, "remove_some"),
    ],
    ids=lambda step: step[1] if isinstance(step, tuple) else str(step),
)
@pytest.mark.parametrize("is_done", [False, True])
async def test_whoever_is_killed_at_a_step_the_next_goes_on(
    filled: Shelf, monkeypatch: pytest.MonkeyPatch, step: tuple[Any, str], *, is_rebuild: bool, is_done: bool
):
    """Before the step, and after it but before its transaction ends; others write meanwhile."""
    if is_rebuild:
        if step[1] == "remove_some":
            pytest.skip("a rebuild leaves no rows in the table of all")
        await filled.tend()
        monkeypatch.setattr(vector_tables, "count_removed", _much)
    with monkeypatch.context() as patched:
        patched.setattr(*step, _killed(getattr(*step), is_done=is_done))
        with pytest.raises(_Killed):
            await vector_builds._locked(large_workspace.begin(filled), lambda tx: vector_builds._start(tx, 1))
            await filled.put("/early.txt", "Gold is soft.")
            await vector_builds.build_due(large_workspace.begin(filled))
    await filled.put("/late.txt", "Steel is hardened in oil.")
    await filled.rows("delete from readings where number = (select min(number) from readings) returning number")
    await vector_builds.build_due(large_workspace.begin(filled))
    await _check_whole(filled)
    assert (await filled.names("steel", limit=1)) == ["late.txt"]


async def test_what_changes_during_a_build_is_what_the_new_table_has(filled: Shelf, monkeypatch: pytest.MonkeyPatch):
    changed = np.ones((1, 256), np.float32) / 16
    index = vector_tables.index
    (first, second) = (row[0] for row in await filled.rows("select number from readings order by 1 limit 2"))

    async def change_first(tx: Tx, *given: Any, **more: Any) -> bool | None:
        async with large_workspace.begin(filled)() as other:
            space = await spaces.ensure_active(other, filled.embedders.chosen)
            now = await spaces.hold(other, space)
            assert now is not None
            await vectors.add(other, now, [(first, 0)], changed)
        await filled.rows(f"delete from readings where number = {second} returning number")
        return await index(tx, *given, **more)

    monkeypatch.setattr(vector_tables, "index", change_first)
    await vector_builds.build_due(large_workspace.begin(filled))
    await _check_whole(filled)
    async with large_workspace.begin(filled)() as tx:
        (space,) = await vectors.list_spaces(tx)
        cosines = await vectors.load_cosines(tx, space, changed[0], [(first, 0), (second, 0)])
    assert set(cosines) == {(first, 0)}
    assert cosines[first, 0] == pytest.approx(1, abs=1e-3)


async def test_a_reading_that_is_gone_gets_no_vectors(filled: Shelf):
    await filled.tend()
    async with large_workspace.begin(filled)() as tx:
        (space,) = await vectors.list_spaces(tx)
        await vectors.add(tx, space, [(987654, 0)], np.ones((1, 256), np.float32))
    await _check_whole(filled)


async def test_a_search_that_began_before_the_table_went_is_repeated(filled: Shelf):
    await filled.tend()
    begun = 0

    @asynccontextmanager
    async def begin() -> AsyncIterator[Tx]:
        nonlocal begun
        begun += 1
        async with filled.database.begin(filled.who, is_snapshot=True) as tx:
            await tx.session.execute(text("select count(*) from readings"))
            if begun == 1:
                await vector_builds.build(large_workspace.begin(filled), 1)
                await vector_builds.remove_left(large_workspace.begin(filled))
            yield tx

    request = wire.Search(query="how bees dance", limit=1)
    reranker = Rerankers(filled.embedders, filled.reranking).interactive
    found = await search.search(begin, request, embedders=filled.embedders, reranker=reranker, sources=Sources(SOURCES))
    assert found.search_metadata.semantic
    assert begun > 1


async def test_the_index_finds_what_comparing_with_all_finds_also_in_a_folder(filled: Shelf):
    for number in range(6):
        await filled.put(f"/folder/{number}.txt", f"Honey of hive {number} is sold.")
    await filled.tend()
    vector = await filled.embedders.chosen.embed_query("honey of hive 3")
    async with large_workspace.begin(filled)() as tx:
        (space,) = await vectors.list_spaces(tx)
        inside = [row[0] for row in await filled.rows("select number from readings order by 1 desc limit 6")]
        for within in (ReadingFilter(), ReadingFilter(only=inside), ReadingFilter(never=inside)):
            await tx.session.execute(text("set local enable_seqscan = off"))
            await tx.session.execute(text("set local enable_sort = off"))
            near, exact = [
                await vectors.find_nearest(tx, space, vector, within, limit=10, is_exact=is_exact)
                for is_exact in (False, True)
            ]
            assert [each[:2] for each in near][:3] == [each[:2] for each in exact][:3]
            assert len(near) == len(exact)


async def test_a_table_of_another_workspace_shows_and_takes_nothing(filled: Shelf, engine: Engine):
    await filled.tend()
    table = await _table(filled)
    stranger = Shelf(filled.database, await make_workspace(filled.database))
    await stranger.put_together(*(large_workspace.body(number) for number in range(large_workspace.COUNT)))
    await stranger.tend()
    assert len(await _tables(stranger)) == 2
    assert await stranger.rows(f"select from {table}") == []
    assert await stranger.rows(f"update {table} set chunk_index = 9 returning reading") == []
    assert await stranger.rows(f"delete from {table} returning reading") == []
    own = await _table(stranger)
    copy = f"""
        insert into {table} (tenant_id, reading, chunk_index, embedding)
        select '{{tenant}}', 1, 99, embedding from {{own}} limit 1 returning reading
    """
    for tenant in (filled.who.tenant_id, stranger.who.tenant_id):
        with pytest.raises(exc.DBAPIError):
            await stranger.rows(copy.format(tenant=tenant, own=own))
    with psycopg.connect(engine.app_url, options="-c role=intelli_app") as connection:
        assert connection.execute(f"select from {table}").fetchall() == []
        for function in ("vector_table_create(1)", "vector_table_drop(1, 1)"):
            (done,) = connection.execute(f"select {function}").fetchone() or (None,)
            assert not done
        with pytest.raises(psycopg.errors.RaiseException):
            connection.execute("select vector_tables_sweep()")
    await _check_rows(filled, table)


async def test_a_table_that_is_in_use_is_not_dropped_by_its_number(filled: Shelf):
    await filled.tend()
    assert await filled.rows("select vector_table_drop(1, 1)") == [(False,)]
    await _check_whole(filled)


async def test_a_workspace_that_goes_takes_its_table_along(filled: Shelf, admin_url: str):
    await filled.tend()
    with psycopg.connect(admin_url) as connection:
        connection.execute("delete from workspaces where id = %s", (filled.who.tenant_id,))
    assert await _tables(filled) == []


async def test_a_table_in_use_when_its_workspace_goes_is_swept_later(filled: Shelf, admin_url: str):
    await filled.tend()
    table = await _table(filled)
    async with large_workspace.begin(filled)() as tx:
        await tx.session.execute(text(f"select count(*) from {table}"))
        with psycopg.connect(admin_url) as connection:
            connection.execute("delete from workspaces where id = %s", (filled.who.tenant_id,))
        assert await _tables(filled) == [table]
    other = Shelf(filled.database, await make_workspace(filled.database))
    await other.put_together(*(large_workspace.body(number) for number in range(large_workspace.COUNT)))
    await other.tend()
    async with filled.database.begin(WorkspaceLister()) as tx:
        await vector_builds.sweep(tx)
    await _check_whole(other)


async def test_a_table_that_no_space_uses_is_removed(filled: Shelf):
    await filled.tend()
    await filled.rows("select vector_table_create(1)")
    async with large_workspace.begin(filled)() as tx:
        assert await vector_builds.is_due(tx)
    await filled.tend()
    await _check_whole(filled)
    async with large_workspace.begin(filled)() as tx:
        assert not await vector_builds.is_due(tx)


async def test_the_index_of_an_earlier_release_is_used_until_its_rows_have_moved(filled: Shelf, admin_url: str):
    name = f"vectors_near_{filled.who.tenant_id.hex}_1"
    with psycopg.connect(admin_url) as connection:
        connection.execute(
            f"create index {name} on vectors using hnsw ((embedding::halfvec(256)) halfvec_cosine_ops)"
            f" where tenant_id = '{filled.who.tenant_id}' and space = 1"
        )
        connection.execute("update spaces set is_built = true")
    assert (await filled.search("bees of hive 17")).search_metadata.semantic
    async with large_workspace.begin(filled)() as tx:
        assert await vector_builds.is_due(tx)
    await filled.tend()
    await _check_whole(filled)
    assert await filled.rows(f"select to_regclass('{name}')::text") == [(None,)]


async def test_the_release_before_gets_its_rows_back(filled: Shelf, engine: Engine):
    await filled.tend()
    held = f"select reading, chunk_index, embedding::text from {await _table(filled)} order by 1, 2"
    before = await filled.rows(held)
    schema.downgrade(engine.admin_url, "0023")
    shared = "select reading, chunk_index, embedding::text from vectors order by 1, 2"
    assert await filled.rows(shared) == before
    assert await filled.rows("select is_built from spaces") == [(False,)]
    schema.upgrade(engine.admin_url)
    await filled.tend()
    await _check_whole(filled)


async def test_where_processes_cannot_share_memory_one_builds_alone(filled: Shelf, monkeypatch: pytest.MonkeyPatch):
    index, asked = vector_tables.index, list[int]()

    async def without_shared_memory(tx: Tx, space: Any, *, memory_kb: int, workers: int) -> bool | None:
        asked.append(workers)
        if workers:
            raise DatabaseUnavailable("could not resize shared memory segment")
        return await index(tx, space, memory_kb=memory_kb, workers=workers)

    monkeypatch.setattr(vector_tables, "index", without_shared_memory)
    monkeypatch.setattr(BuildLimits, "of_machine", classmethod(lambda cls: cls(65536, 3)))
    await filled.tend()
    assert asked == [3, 0]
    await _check_whole(filled)


def test_memory_follows_the_vectors_within_what_the_machine_has():
    limits = BuildLimits(memory_kb=1_000_000, workers=1)
    assert limits.memory_for(10, 256) < limits.memory_for(100_000, 256) < limits.memory_for(300_000, 256)
    assert limits.memory_for(10_000_000, 256) == 1_000_000


class _Killed(Exception):
    """The process ended here."""


def _killed(step: Callable[..., Any], *, is_done: bool) -> Callable[..., Any]:
    async def killed(*given: Any, **more: Any) -> Any:
        if is_done:
            await step(*given, **more)
        raise _Killed

    return killed


async def _much(_tx: Tx, _space: object) -> int:
    return 1_000_000


async def _check_rows(shelf: Shelf, table: str) -> None:
    assert await shelf.rows(f"select count(*)::int from {table}") == [(large_workspace.COUNT,)]
