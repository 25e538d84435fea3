"""Queries of the forward index."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from sqlalchemy import Row, text

from intelli.kit.arrays import Longs
from intelli.kit.db import AS_BYTES, Tx
from intelli.retrieval.chunk_terms import NO_CHUNKS, ChunkTerms
from intelli.retrieval.postings import CHUNK_BITS, Keys

_ROW = np.dtype([("key", ">i8"), ("digest", ">i8"), ("length", ">i4"), ("size", ">i4")])
_PACKED = f"""
    string_agg(int8send((c.reading << {CHUNK_BITS}) + c.chunk_index) || int8send(c.digest)
               || int4send(c.length) || int4send(octet_length(c.counts)), '') as rows,
    string_agg(c.terms, '') as terms, string_agg(c.counts, '') as counts
"""
# Looked up one by one: the planner does not know that few rows are wanted, and might read the whole table.
_OF_KEYS = text(f"""
    select {_PACKED} from unnest(cast(:keys as bigint[])) as p(key)
      cross join lateral (
           select * from chunk_terms t where t.tenant_id = :tenant and t.reading = p.key >> {CHUNK_BITS}
              and t.chunk_index = (p.key & {(1 << CHUNK_BITS) - 1})::int limit 1) c
""").execution_options(**{AS_BYTES: True})  # noqa: S608  # numbers of ours, here and below
_OF_READINGS = text(f"""
    select {_PACKED} from chunk_terms c where c.tenant_id = :tenant and c.reading = any(:readings)
""").execution_options(**{AS_BYTES: True})  # noqa: S608
_ADD = text(f"""
    insert into chunk_terms (tenant_id, reading, chunk_index, length, digest, terms, counts)
    select :tenant, key >> {CHUNK_BITS}, (key & {(1 << CHUNK_BITS) - 1})::int, length::int, digest,
           substr(:terms, (start * 4)::int + 1, size::int * 4), substr(:counts, start::int + 1, size::int)
      from unnest(:keys, :lengths, :digests, :starts, :sizes) as c(key, length, digest, start, size)
""")  # noqa: S608
_REMOVE = text("delete from chunk_terms where tenant_id = :tenant and reading = any(:readings)")


async def load(tx: Tx, keys: Keys) -> ChunkTerms:
    """Return the terms of chunks by key, without those that have no row."""
    return _unpack((await tx.session.execute(_OF_KEYS, {"tenant": tx.tenant_id, "keys": Longs(keys)})).one())


async def load_of_readings(tx: Tx, readings: Keys) -> ChunkTerms:
    """Return the terms of all chunks of readings, without those that have no row."""
    given = {"tenant": tx.tenant_id, "readings": Longs(readings)}
    return _unpack((await tx.session.execute(_OF_READINGS, given)).one())


async def add(tx: Tx, chunks: ChunkTerms) -> None:
    """Insert chunks, whose readings have no rows for them."""
    sizes = np.diff(chunks.ends, prepend=0)
    columns = {
        "keys": chunks.keys,
        "lengths": chunks.lengths,
        "digests": chunks.digests,
        "starts": chunks.ends - sizes,
        "sizes": sizes,
    }
    packed = {name: Longs(np.asarray(values, np.int64)) for name, values in columns.items()}
    words = {"terms": chunks.terms.astype("<u4").tobytes(), "counts": chunks.counts.tobytes()}
    await tx.session.execute(_ADD, {"tenant": tx.tenant_id, **words, **packed})


async def remove(tx: Tx, readings: Sequence[int]) -> None:
    """Delete the rows of readings."""
    await tx.session.execute(_REMOVE, {"tenant": tx.tenant_id, "readings": Longs(np.array(readings, np.int64))})


def _unpack(row: Row[tuple[Any, ...]]) -> ChunkTerms:
    rows, terms, counts = row.rows, row.terms, row.counts
    if rows is None:
        return NO_CHUNKS
    read = np.frombuffer(rows, _ROW)
    key, digest, length, size = (read[name].astype(np.int64) for name in ("key", "digest", "length", "size"))
    return ChunkTerms(key, length, digest, np.cumsum(size), np.frombuffer(terms, "<u4"), np.frombuffer(counts, "u1"))
