"""Queries of the vector index and its spaces."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from pgvector import HalfVector
from sqlalchemy import Row, TextClause, bindparam, delete, func, select, text, update
from sqlalchemy.dialects.postgresql import ARRAY, insert
from sqlalchemy.exc import ProgrammingError
from sqlalchemy.types import BigInteger, Integer

from intelli.kit.arrays import Floats, Longs
from intelli.kit.db import Tx
from intelli.kit.errors import Conflict
from intelli.kit.sql_in import in_values
from intelli.reasoning.ports import Vectors
from intelli.retrieval.store import vector_tables
from intelli.retrieval.store.lexical import ReadingFilter
from intelli.retrieval.tables import Space, Vector

ACTIVE, EARLIER, LEAVING = "active", "earlier", "leaving"
_BIGINTS, _INTS = ARRAY(BigInteger), ARRAY(Integer)
_PLACES = """
    select :tenant, reading, {space} chunk_index::int, (:values)[(n - 1) * :width + 1 : n * :width]::halfvec
      from unnest(:readings, :indexes) with ordinality as v(reading, chunk_index, n)
"""
_ADD_SHARED = text(f"""
    insert into vectors (tenant_id, reading, space, chunk_index, embedding) {_PLACES.format(space=":space,")}
        on conflict (tenant_id, reading, space, chunk_index) do update set embedding = excluded.embedding
""")  # names of ours, here and below
# No key leads from here to `readings`: one that is being deleted is waited for, and one that is gone left out.
_ADD_OWN = f"""
    with held as materialized (
        select number from readings where tenant_id = :tenant and number = any(:readings) order by number for key share)
    insert into {{table}} (tenant_id, reading, chunk_index, embedding) {_PLACES.format(space="")}
      join held on held.number = v.reading
        on conflict (tenant_id, reading, chunk_index) do update set embedding = excluded.embedding
"""  # noqa: S608
_UNDEFINED_TABLE = "42P01"


class VectorsMoved(Conflict):
    """The vectors of a space were moved to another table since the transaction began: search again."""

    code = "vectors_moved"


async def find_space(tx: Tx, state: str) -> Space | None:
    """Return the space in a state; None when there is none."""
    mine = select(Space).where(Space.tenant_id == tx.tenant_id, Space.state == state)
    return await tx.session.scalar(mine.execution_options(populate_existing=True))


async def find_number(tx: Tx, number: int) -> Space | None:
    """Return the space of a number; None when there is none."""
    mine = select(Space).where(Space.tenant_id == tx.tenant_id, Space.number == number)
    return await tx.session.scalar(mine.execution_options(populate_existing=True))


async def lock_spaces(tx: Tx) -> None:
    """Lock the workspace's spaces exclusively until the transaction ends, to insert or switch them."""
    key = text("select pg_advisory_xact_lock(hashtextextended('spaces:' || :tenant, 0))")
    await tx.session.execute(key, {"tenant": str(tx.tenant_id)})


async def try_lock_spaces(tx: Tx) -> bool:
    """Lock the workspace's spaces exclusively if nobody writes vectors just now; never make anyone wait."""
    key = text("select pg_try_advisory_xact_lock(hashtextextended('spaces:' || :tenant, 0))")
    return bool(await tx.session.scalar(key, {"tenant": str(tx.tenant_id)}))


async def lock_spaces_shared(tx: Tx) -> None:
    """Lock the workspace's spaces, shared, until the transaction ends: none is inserted or switched."""
    key = text("select pg_advisory_xact_lock_shared(hashtextextended('spaces:' || :tenant, 0))")
    await tx.session.execute(key, {"tenant": str(tx.tenant_id)})


async def add_space(tx: Tx, *, name: str, dimensions: int, state: str) -> Space:
    """Insert a space with the next number."""
    highest = select(func.coalesce(func.max(Space.number), 0)).where(Space.tenant_id == tx.tenant_id)
    number = (await tx.session.scalar(highest) or 0) + 1
    values = {"tenant_id": tx.tenant_id, "number": number, "name": name, "dimensions": dimensions, "state": state}
    return (await tx.session.scalars(insert(Space).values(values).returning(Space))).one()


async def change_space(tx: Tx, space: Space, **values: object) -> None:
    """Update columns of a space."""
    mine = update(Space).where(Space.tenant_id == tx.tenant_id, Space.number == space.number)
    await tx.session.execute(mine.values(**values), execution_options={"synchronize_session": False})


async def list_spaces(tx: Tx) -> Sequence[Space]:
    """Return all spaces of the workspace, whatever their state."""
    mine = select(Space).where(Space.tenant_id == tx.tenant_id).order_by(Space.number)
    return (await tx.session.scalars(mine.execution_options(populate_existing=True))).all()


async def list_leaving_spaces(tx: Tx) -> Sequence[Space]:
    """Return the spaces that are no longer used."""
    return [space for space in await list_spaces(tx) if space.state == LEAVING]


async def remove_some(tx: Tx, space: Space, *, limit: int) -> int:
    """Delete up to `limit` vectors of a space from the shared table; return their number."""
    statement = text("""
        delete from vectors where ctid = any(array(
            select ctid from vectors where tenant_id = :tenant and space = :space limit :limit))
           and tenant_id = :tenant
    """)
    gone = await tx.session.execute(statement, {"tenant": tx.tenant_id, "space": space.number, "limit": limit})
    return int(getattr(gone, "rowcount", 0))


async def remove_space(tx: Tx, space: Space) -> None:
    """Delete a space that has no vectors left in the shared table; its own table is dropped with it."""
    await tx.session.execute(delete(Space).where(Space.tenant_id == tx.tenant_id, Space.number == space.number))


async def add(tx: Tx, space: Space, places: Sequence[tuple[int, int]], embeddings: Vectors) -> None:
    """Insert or update vectors of chunks; `places` are the (reading, chunk index) of each."""
    where = np.array(places, np.int64).reshape(-1, 2)
    values = Floats(np.asarray(embeddings, np.float32))
    given = {"tenant": tx.tenant_id, "values": values, "width": embeddings.shape[1]}
    given |= {"readings": Longs(where[:, 0]), "indexes": Longs(where[:, 1])}
    if space.stored_in is None:
        await tx.session.execute(_ADD_SHARED, {**given, "space": space.number})
    else:
        await tx.session.execute(text(_ADD_OWN.format(table=vector_tables.table_of(space))), given)
    await vector_tables.log_changes(tx, space, where[:, 0].tolist())


async def remove(tx: Tx, spaces: Sequence[Space], readings: Sequence[int]) -> None:
    """Delete the vectors of readings from certain spaces; one that is being filled will find them missing."""
    shared = [space.number for space in spaces if space.stored_in is None]
    if shared:
        mine = delete(Vector).where(Vector.tenant_id == tx.tenant_id, in_values(Vector.reading, readings))
        await tx.session.execute(mine.where(in_values(Vector.space, shared)))
    for space in spaces:
        if space.stored_in is not None:
            own = f"delete from {vector_tables.table_of(space)} where tenant_id = :tenant and reading = any(:readings)"  # noqa: S608
            await tx.session.execute(text(own), {"tenant": tx.tenant_id, "readings": list(readings)})
        await vector_tables.log_changes(tx, space, list(readings))


async def find_nearest(
    tx: Tx, space: Space, vector: Vectors, within: ReadingFilter, *, limit: int, is_exact: bool
) -> list[tuple[int, int, float]]:
    """Return the chunks nearest to a vector as (reading, chunk index, cosine), best first.

    An exact search compares all vectors; `+ 0` keeps the planner from using the HNSW index, which for few rows is
    slower and less exact. How far a search of the index looks is set for all connections, in `kit.db`.
    """
    distance = _distance(space)
    order = f"{distance} + 0" if is_exact else distance
    given: dict[str, object] = {"tenant": tx.tenant_id, "vector": _text(vector), "limit": limit}
    conditions = ""
    for name, readings, condition in (
        ("within", within.only, "and reading = any(:within)"),
        ("beside", within.never or None, "and reading <> all(:beside)"),
    ):
        if readings is not None:
            given[name] = Longs(np.array(readings, np.int64))
            conditions += f" {condition}"
    statement = f"""
        select reading, chunk_index, 1 - {distance} as cosine from {vector_tables.table_of(space)}
         where {vector_tables.rows_of(space)} {conditions} order by {order} limit :limit
    """  # noqa: S608  # what is put in is ours
    rows = await _read(tx, text(statement), given)
    found = [(row.reading, row.chunk_index, row.cosine) for row in rows]
    return sorted(found, key=lambda each: -each[2])


async def load_cosines(
    tx: Tx, space: Space, vector: Vectors, places: Sequence[tuple[int, int]]
) -> dict[tuple[int, int], float]:
    """Return the cosines of certain chunks to a vector, by (reading, chunk index)."""
    statement = text(f"""
        select v.reading, v.chunk_index, 1 - {_distance(space)} as cosine
          from unnest(:readings, :indexes) as p(reading, chunk_index)
          join {vector_tables.table_of(space)} v on {vector_tables.rows_of(space, "v.")}
                        and v.reading = p.reading and v.chunk_index = p.chunk_index
    """).bindparams(bindparam("readings", type_=_BIGINTS), bindparam("indexes", type_=_INTS))  # noqa: S608  # likewise
    given = {"tenant": tx.tenant_id, "vector": _text(vector)}
    readings, indexes = [reading for reading, _ in places], [index for _, index in places]
    rows = await _read(tx, statement, {**given, "readings": readings, "indexes": indexes})
    return {(row.reading, row.chunk_index): row.cosine for row in rows}


async def count(tx: Tx, space: Space) -> int:
    """Count the vectors of a space."""
    rows = f"select count(*) from {vector_tables.table_of(space)} where {vector_tables.rows_of(space)}"  # noqa: S608
    return await tx.session.scalar(text(rows), {"tenant": tx.tenant_id}) or 0


async def drop_index(tx: Tx, space: Space) -> bool:
    """Drop the HNSW index that an earlier release made for a space in the shared table; False when there is none."""
    with vector_tables.unless_in_use():
        return bool(await tx.session.scalar(text("select retrieval_unbuild(:space)"), {"space": space.number}))


def _distance(space: Space) -> str:
    """The distance of a row to the vector `:vector`: in the shared table in the words of its former indexes."""
    kind = f"halfvec({int(space.dimensions)})"
    row = "embedding" if space.stored_in is not None else f"embedding::{kind}"
    return f"({row} <=> cast(:vector as {kind}))"


async def _read(tx: Tx, statement: TextClause, given: dict[str, object]) -> Sequence[Row[Any]]:
    """Execute a search. Raise VectorsMoved when the table was replaced since the transaction began, and is gone."""
    try:
        return (await tx.session.execute(statement, given)).all()
    except ProgrammingError as error:
        if getattr(error.orig, "sqlstate", None) == _UNDEFINED_TABLE:
            raise VectorsMoved("The index was just rebuilt. Search again.") from error
        raise


def _text(vector: Vectors) -> str:
    return HalfVector(np.asarray(vector, dtype=np.float16)).to_text()
