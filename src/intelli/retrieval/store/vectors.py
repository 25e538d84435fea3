"""Queries of the vector index and its spaces."""

from collections.abc import Sequence

import numpy as np
from pgvector import HalfVector
from sqlalchemy import bindparam, delete, func, select, text, update
from sqlalchemy.dialects.postgresql import ARRAY, insert
from sqlalchemy.types import BigInteger, Integer

from intelli.kit.arrays import Floats, Longs
from intelli.kit.db import Tx
from intelli.kit.sql_in import in_values
from intelli.reasoning.ports import Vectors
from intelli.retrieval.store.lexical import ReadingFilter
from intelli.retrieval.tables import Space, Vector

# Candidates the HNSW index visits for each wanted result: with three, recall was 97 % at 100,000 vectors.
_BREADTH = 4
ACTIVE, FILLING, LEAVING = "active", "filling", "leaving"
_BIGINTS, _INTS = ARRAY(BigInteger), ARRAY(Integer)
_ADD = text("""
    insert into vectors (tenant_id, reading, space, chunk_index, embedding)
    select :tenant, reading, :space, chunk_index::int, (:values)[(n - 1) * :width + 1 : n * :width]::halfvec
      from unnest(:readings, :indexes) with ordinality as v(reading, chunk_index, n)
        on conflict (tenant_id, reading, space, chunk_index) do update set embedding = excluded.embedding
""")
_MISSING = """
    from indexed i where i.tenant_id = :tenant and i.chunks > 0 and not exists (
         select from vectors v where v.tenant_id = :tenant and v.reading = i.reading and v.space = :space
                                 and v.chunk_index = i.chunks - 1)
"""
_TUNE = text("""
    select set_config('hnsw.ef_search', :breadth, true), set_config('hnsw.iterative_scan', 'strict_order', true),
           set_config('hnsw.max_scan_tuples', '60000', true)
""")


async def find_space(tx: Tx, state: str) -> Space | None:
    """Return the space in a state; None when there is none."""
    mine = select(Space).where(Space.tenant_id == tx.tenant_id, Space.state == state)
    return await tx.session.scalar(mine.execution_options(populate_existing=True))


async def lock_spaces(tx: Tx) -> None:
    """Lock the workspace's spaces exclusively until the transaction ends, to insert or switch them."""
    key = text("select pg_advisory_xact_lock(hashtextextended('spaces:' || :tenant, 0))")
    await tx.session.execute(key, {"tenant": str(tx.tenant_id)})


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


async def change_space(tx: Tx, number: int, **values: object) -> None:
    """Update columns of a space."""
    mine = update(Space).where(Space.tenant_id == tx.tenant_id, Space.number == number)
    await tx.session.execute(mine.values(**values), execution_options={"synchronize_session": False})


async def list_leaving_spaces(tx: Tx) -> Sequence[Space]:
    """Return the spaces that are no longer used."""
    mine = select(Space).where(Space.tenant_id == tx.tenant_id, Space.state == LEAVING)
    return (await tx.session.scalars(mine)).all()


async def remove_some(tx: Tx, space: int, *, limit: int) -> int:
    """Delete up to `limit` vectors of a space; return their number."""
    statement = text("""
        delete from vectors where ctid = any(array(
            select ctid from vectors where tenant_id = :tenant and space = :space limit :limit))
           and tenant_id = :tenant
    """)
    gone = await tx.session.execute(statement, {"tenant": tx.tenant_id, "space": space, "limit": limit})
    return int(getattr(gone, "rowcount", 0))


async def remove_space(tx: Tx, number: int) -> None:
    """Delete a space that has no vectors left."""
    await tx.session.execute(delete(Space).where(Space.tenant_id == tx.tenant_id, Space.number == number))


async def add(tx: Tx, space: int, places: Sequence[tuple[int, int]], embeddings: Vectors) -> None:
    """Insert or update vectors of chunks; `places` are the (reading, chunk index) of each."""
    where = np.array(places, np.int64).reshape(-1, 2)
    values = Floats(np.asarray(embeddings, np.float32))
    given = {"tenant": tx.tenant_id, "space": space, "values": values, "width": embeddings.shape[1]}
    await tx.session.execute(_ADD, {**given, "readings": Longs(where[:, 0]), "indexes": Longs(where[:, 1])})


async def remove(tx: Tx, readings: Sequence[int]) -> None:
    """Delete the vectors of readings from all spaces: one that is being filled will find them missing, and add them."""
    await tx.session.execute(
        delete(Vector).where(Vector.tenant_id == tx.tenant_id, in_values(Vector.reading, readings))
    )


async def find_nearest(
    tx: Tx, space: Space, vector: Vectors, within: ReadingFilter, *, limit: int, is_exact: bool
) -> list[tuple[int, int, float]]:
    """Return the chunks nearest to a vector as (reading, chunk index, cosine), best first.

    An exact search compares all vectors; `+ 0` keeps the planner from using the HNSW index, which for few rows is
    slower and less exact.
    """
    distance = f"(embedding::halfvec({space.dimensions}) <=> cast(:vector as halfvec({space.dimensions})))"
    order = f"{distance} + 0" if is_exact else distance
    given: dict[str, object] = {"tenant": tx.tenant_id, "space": space.number, "vector": _text(vector), "limit": limit}
    conditions = ""
    for name, readings, condition in (
        ("within", within.only, "and reading = any(:within)"),
        ("beside", within.never or None, "and reading <> all(:beside)"),
    ):
        if readings is not None:
            given[name] = Longs(np.array(readings, np.int64))
            conditions += f" {condition}"
    statement = f"""
        select reading, chunk_index, 1 - {distance} as cosine from vectors
         where tenant_id = :tenant and space = :space {conditions} order by {order} limit :limit
    """  # noqa: S608  # what is put in is ours
    if not is_exact:
        await tx.session.execute(_TUNE, {"breadth": str(_BREADTH * limit)})
    rows = await tx.session.execute(text(statement), given)
    return [(row.reading, row.chunk_index, row.cosine) for row in rows]


async def load_cosines(
    tx: Tx, space: Space, vector: Vectors, places: Sequence[tuple[int, int]]
) -> dict[tuple[int, int], float]:
    """Return the cosines of certain chunks to a vector, by (reading, chunk index)."""
    statement = text(f"""
        select v.reading, v.chunk_index,
               1 - (embedding::halfvec({space.dimensions}) <=> cast(:vector as halfvec({space.dimensions}))) as cosine
          from unnest(:readings, :indexes) as p(reading, chunk_index)
          join vectors v on v.tenant_id = :tenant and v.space = :space
                        and v.reading = p.reading and v.chunk_index = p.chunk_index
    """).bindparams(bindparam("readings", type_=_BIGINTS), bindparam("indexes", type_=_INTS))  # noqa: S608  # likewise
    given = {"tenant": tx.tenant_id, "space": space.number, "vector": _text(vector)}
    readings, indexes = [reading for reading, _ in places], [index for _, index in places]
    rows = await tx.session.execute(statement, {**given, "readings": readings, "indexes": indexes})
    return {(row.reading, row.chunk_index): row.cosine for row in rows}


async def count(tx: Tx, space: int) -> int:
    """Count the vectors of a space."""
    mine = select(func.count()).where(Vector.tenant_id == tx.tenant_id, Vector.space == space)
    return await tx.session.scalar(mine) or 0


async def build_index(tx: Tx, space: int) -> bool:
    """Build the HNSW index of a space; return False when it exists already."""
    return bool(await tx.session.scalar(text("select retrieval_build(:space)"), {"space": space}))


async def drop_index(tx: Tx, space: int) -> bool:
    """Drop the HNSW index of a space; return False when there is none."""
    return bool(await tx.session.scalar(text("select retrieval_unbuild(:space)"), {"space": space}))


async def list_missing(tx: Tx, space: int, *, limit: int) -> Sequence[int]:
    """Return readings that are in the lexical index but have no vectors in a space."""
    statement = text(f"select i.reading {_MISSING} order by i.reading limit :limit")
    found = await tx.session.scalars(statement, {"tenant": tx.tenant_id, "space": space, "limit": limit})
    return found.all()


async def count_missing(tx: Tx, space: int) -> int:
    """Count the readings that are in the lexical index but have no vectors in a space."""
    statement = text(f"select count(*) {_MISSING}")
    return await tx.session.scalar(statement, {"tenant": tx.tenant_id, "space": space}) or 0


def _text(vector: Vectors) -> str:
    return HalfVector(np.asarray(vector, dtype=np.float16)).to_text()
