"""Tables of vectors: where those of a space are, and the statements that build a table of its own beside them."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np
from sqlalchemy import TextClause, delete, select, text, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.exc import DBAPIError

from intelli.kit.arrays import Longs
from intelli.kit.db import Tx
from intelli.library.status_wire import IndexBuildStep
from intelli.retrieval.tables import Space, VectorBuild, VectorChange

SHARED = "vectors"
_LOCK_NOT_AVAILABLE = "55P03"
_LEFT = text("""
    select split_part(c.relname, '_', 3)::bigint as space, split_part(c.relname, '_', 4)::int as generation
      from pg_class c
     where c.relnamespace = 'vector_tables'::regnamespace and c.relkind = 'r' and starts_with(c.relname::text, :prefix)
       and not exists (select from spaces s where s.tenant_id = :tenant and c.relname in (
           vector_table_name(s.tenant_id, s.number, s.stored_in), vector_table_name(s.tenant_id, s.number, s.building)))
     order by 1, 2
""")
_LOG = text("insert into vector_changes (tenant_id, space, reading) select :tenant, :space, unnest(:readings)")


class TableInUse(Exception):
    """Others use a table that is wanted for ourselves."""


@dataclass(frozen=True, slots=True)
class LeftTable:
    """A table of the workspace that no space uses."""

    space: int
    generation: int


def table_of(space: Space) -> str:
    """Return the table that holds the vectors of a space, as SQL."""
    return SHARED if space.stored_in is None else _name(space, space.stored_in)


def rows_of(space: Space, row: str = "") -> str:
    """Return the condition of the rows of a space in its table, as SQL; `row` is an alias with its dot."""
    mine = f"{row}tenant_id = :tenant"
    return f"{mine} and {row}space = {int(space.number)}" if space.stored_in is None else mine


async def count_up_to(tx: Tx, space: Space, limit: int) -> int:
    """Count the vectors of a space, but no more than `limit`."""
    rows = f"select from {table_of(space)} where {rows_of(space)} limit :limit"  # names of ours
    statement = text(f"select count(*) from ({rows}) held")  # noqa: S608  # likewise
    return await tx.session.scalar(statement, {"tenant": tx.tenant_id, "limit": limit}) or 0


async def count_removed(tx: Tx, space: Space) -> int:
    """Count the vectors that were deleted or changed in a space's own table since it was built, as statistics say."""
    counted = text("select pg_stat_get_tuples_deleted(o) + pg_stat_get_tuples_updated(o) from to_regclass(:name) o")
    return await tx.session.scalar(counted, {"name": table_of(space)}) or 0


async def find_build(tx: Tx, space: int) -> VectorBuild | None:
    """Return the progress of the table that is built for a space; None when none is."""
    mine = select(VectorBuild).where(VectorBuild.tenant_id == tx.tenant_id, VectorBuild.space == space)
    return await tx.session.scalar(mine.execution_options(populate_existing=True))


async def lock_build(tx: Tx, space: int) -> VectorBuild | None:
    """Return the progress of a build, locked until the transaction ends; None when there is none any more."""
    mine = select(VectorBuild).where(VectorBuild.tenant_id == tx.tenant_id, VectorBuild.space == space)
    return await tx.session.scalar(mine.with_for_update().execution_options(populate_existing=True))


async def change_build(tx: Tx, space: int, **values: object) -> None:
    """Update columns of a build."""
    mine = update(VectorBuild).where(VectorBuild.tenant_id == tx.tenant_id, VectorBuild.space == space)
    await tx.session.execute(mine.values(**values), execution_options={"synchronize_session": False})


async def begin_build(tx: Tx, space: Space, *, total: int) -> None:
    """Create a table for a space, to be built; the caller holds the lock on the workspace's spaces."""
    created = text("select vector_table_create(:space)")
    generation = await tx.session.scalar(created, {"space": space.number})
    await _change(tx, space, building=generation)
    values = {"tenant_id": tx.tenant_id, "space": space.number, "step": IndexBuildStep.COPY, "total": total}
    await tx.session.execute(insert(VectorBuild).values(values))


async def copy_batch(tx: Tx, space: Space, build: VectorBuild, *, limit: int) -> int:
    """Copy the next readings, about `limit` vectors of them, into the table that is built; return their number."""
    given = {"tenant": tx.tenant_id, "after": build.position, "limit": limit}
    upto = text(f"""
        select max(reading) from (select reading from {table_of(space)}
         where {rows_of(space)} and reading > :after order by reading limit :limit) batch
    """)  # noqa: S608  # likewise
    last = await tx.session.scalar(upto, given)
    if last is None:
        return 0
    copy = _copy(space, "reading > :after and reading <= :last")
    copied = await tx.session.execute(copy, {"tenant": tx.tenant_id, "after": build.position, "last": last})
    count = int(getattr(copied, "rowcount", 0))
    await change_build(tx, space.number, position=last, done=build.done + count)
    return count


async def index(tx: Tx, space: Space, *, memory_kb: int, workers: int) -> bool | None:
    """Build the HNSW index of the table that is built; False when it has one, None when another session builds it."""
    statement = text("select vector_table_index(:space, :generation, :memory, :workers)")
    given = {"space": space.number, "generation": space.building, "memory": memory_kb, "workers": workers}
    built: bool | None = await tx.session.scalar(statement, given)
    return built


async def log_changes(tx: Tx, space: Space, readings: Iterable[int]) -> None:
    """Note readings whose vectors changed, if a table is being built for their space."""
    if space.building is not None:
        numbers = Longs(np.array(sorted(set(readings)), np.int64))
        await tx.session.execute(_LOG, {"tenant": tx.tenant_id, "space": space.number, "readings": numbers})


async def count_changed(tx: Tx, space: Space) -> int:
    """Count the vectors that are to be copied once more, and the readings that have them or had them."""
    statement = text(f"""
        with changed as (select distinct reading from vector_changes where tenant_id = :tenant and space = :space)
        select (select count(*) from changed) + (select count(*) from {table_of(space)} v
         where {rows_of(space, "v.")} and v.reading in (select reading from changed))
    """)  # noqa: S608  # likewise
    return await tx.session.scalar(statement, {"tenant": tx.tenant_id, "space": space.number}) or 0


async def apply_changes(tx: Tx, space: Space, *, limit: int | None) -> int:
    """Copy readings that changed once more into the table that is built; return the number of changes."""
    assert space.building is not None, "a table is built for it"
    mine = (VectorChange.tenant_id == tx.tenant_id, VectorChange.space == space.number)
    first = select(VectorChange.number).where(*mine).order_by(VectorChange.number).limit(limit)
    # The changes are read before the vectors, so that none is forgotten that is not seen.
    taken = delete(VectorChange).where(VectorChange.tenant_id == tx.tenant_id, VectorChange.number.in_(first))
    found = (await tx.session.scalars(taken.returning(VectorChange.reading))).all()
    if not found:
        return 0
    given = {"tenant": tx.tenant_id, "readings": sorted(set(found))}
    old = f"delete from {_name(space, space.building)} where tenant_id = :tenant and reading = any(:readings)"  # noqa: S608
    await tx.session.execute(text(old), given)
    await tx.session.execute(_copy(space, "reading = any(:readings)"), given)
    return len(found)


async def switch(tx: Tx, space: Space) -> None:
    """Let the table that was built take the place of the other; the caller holds the lock on the spaces."""
    build = await find_build(tx, space.number)
    total = build.total if build is not None else None
    await _change(tx, space, stored_in=space.building, building=None, is_built=True, built_chunks=total)
    await tx.session.execute(
        delete(VectorBuild).where(VectorBuild.tenant_id == tx.tenant_id, VectorBuild.space == space.number)
    )


async def count_indexed(tx: Tx, space: int, generation: int) -> int:
    """Count the vectors that the index which is being built has so far."""
    statement = text("select vector_table_indexed(:space, :generation)")
    return await tx.session.scalar(statement, {"space": space, "generation": generation}) or 0


async def list_left(tx: Tx) -> list[LeftTable]:
    """Return the workspace's tables that no space uses."""
    rows = await tx.session.execute(_LEFT, {"tenant": tx.tenant_id, "prefix": f"vectors_{tx.tenant_id.hex}_"})
    return [LeftTable(row.space, row.generation) for row in rows]


async def drop(tx: Tx, left: LeftTable) -> None:
    """Drop a table that no space uses. Raise TableInUse while others read it."""
    statement = text("select vector_table_drop(:space, :generation)")
    with unless_in_use():
        await tx.session.execute(statement, {"space": left.space, "generation": left.generation})


async def has_shared_rows(tx: Tx, space: Space) -> bool:
    """Return True when the shared table still has vectors of a space."""
    rows = text("select exists (select from vectors where tenant_id = :tenant and space = :space)")
    return bool(await tx.session.scalar(rows, {"tenant": tx.tenant_id, "space": space.number}))


async def sweep(tx: Tx) -> None:
    """Drop tables of workspaces that are gone. The transaction must be opened as `WorkspaceLister`."""
    await tx.session.execute(text("select vector_tables_sweep()"))


@contextmanager
def unless_in_use() -> Iterator[None]:
    """Raise TableInUse when a lock was not to be had in time."""
    try:
        yield
    except DBAPIError as error:
        if getattr(error.orig, "sqlstate", None) == _LOCK_NOT_AVAILABLE:
            raise TableInUse from error
        raise


def _name(space: Space, generation: int) -> str:
    """As the function `vector_table_name` of the database says it."""
    return f"vector_tables.vectors_{space.tenant_id.hex}_{int(space.number)}_{int(generation)}"


def _copy(space: Space, condition: str) -> TextClause:
    assert space.building is not None, "a table is built for it"
    return text(f"""
        insert into {_name(space, space.building)} (tenant_id, reading, chunk_index, embedding)
        select tenant_id, reading, chunk_index, embedding from {table_of(space)}
         where {rows_of(space)} and {condition}
            on conflict (tenant_id, reading, chunk_index) do update set embedding = excluded.embedding
    """)  # noqa: S608  # likewise


async def _change(tx: Tx, space: Space, **values: object) -> None:
    mine = update(Space).where(Space.tenant_id == tx.tenant_id, Space.number == space.number)
    await tx.session.execute(mine.values(**values), execution_options={"synchronize_session": False})
