"""Queries of the lexical index."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass

import numpy as np
from sqlalchemy import bindparam, delete, text
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.types import BigInteger

from intelli.kit.arrays import Longs
from intelli.kit.db import AS_BYTES, Tx
from intelli.retrieval import postings as retrieval_postings
from intelli.retrieval.postings import Keys, Occurrences, Postings
from intelli.retrieval.tables import FrequentTerm

_BIGINTS = ARRAY(BigInteger)
Place = tuple[int, int, int]
_MOST_RANGES = 1_000  # for more readings, postings are filtered here rather than by the database
BEFORE_ALL: Place = (-(1 << 63), 0, 0)
_ADD = text("""
    insert into postings (tenant_id, term, batch, part, first, last, hits)
    select :tenant, term, :batch, part::int, first, last, substr(:hits, start::int, size::int)
      from unnest(:terms, :parts, :first, :last, :starts, :sizes) as p(term, part, first, last, start, size)
""")
# Hits of these readings in earlier batches are void. Readings that were never indexed have none.
_REPLACE = text("""
    insert into strays (tenant_id, reading, before)
    select tenant_id, reading, :batch from indexed where tenant_id = :tenant and reading = any(:readings)
        on conflict (tenant_id, reading) do update set before = excluded.before
""").bindparams(bindparam("readings", type_=_BIGINTS))
_OF_TERMS = """
    select term, string_agg(hits, '') as hits, {batch} as batch from postings p
     where tenant_id = :tenant and term = any(:terms) {within} group by 1, 3
"""
# Batches are separated only where some of their hits may be void.
_BATCH_IF_VOID = """
    case when exists (select from strays s where s.tenant_id = p.tenant_id and s.reading between p.first and p.last
                                             and s.before > p.batch) then batch end
"""
_WITHIN = """
    and int8range(first, last, '[]') && (select range_agg(int8range(w, w, '[]')) from unnest(:within) w)
"""
_COUNT = text(f"""
    insert into frequent_terms (tenant_id, term, chunks, rows)
    select tenant_id, term, sum(octet_length(hits)) / {retrieval_postings.HIT_BYTES} as chunks, count(*) from postings
     where tenant_id = :tenant group by 1, 2 having sum(octet_length(hits)) >= :chunks * {retrieval_postings.HIT_BYTES}
""")  # noqa: S608  # a number of ours
_SUSPECT = text("""
    select term, batch, part, hits from postings p
     where tenant_id = :tenant and (term, batch, part) > (:term, :batch, :part)
       and exists (select from strays s where s.tenant_id = p.tenant_id and s.reading between p.first and p.last
                                          and s.before > p.batch)
     order by term, batch, part limit :limit
""")
_CLEANSE = text("""
    update postings set hits = :hits, first = :first, last = :last
     where tenant_id = :tenant and term = :term and batch = :batch and part = :part
""")
_FORGET = text("""
    delete from strays s using unnest(:reading, :before) as g(reading, before)
     where s.tenant_id = :tenant and s.reading = g.reading and s.before = g.before
""").bindparams(bindparam("reading", type_=_BIGINTS), bindparam("before", type_=_BIGINTS))
_MARK = text("""
    insert into indexed as i (tenant_id, reading, version, language, chunks, length)
    select :tenant, reading, :version, language, chunks, length from jsonb_to_recordset(cast(:rows as jsonb))
        as v(reading bigint, language text, chunks int, length bigint) order by reading
        on conflict (tenant_id, reading) do update
       set version = excluded.version, language = excluded.language, chunks = excluded.chunks, length = excluded.length
""")
_EMPTY = text("""
    delete from postings where tenant_id = :tenant and term = :term and batch = :batch and part = :part
""")


@dataclass(frozen=True, slots=True)
class Size:
    """Size of the index in a language: its chunks, and the terms in them."""

    language: str
    chunks: int
    length: int


@dataclass(frozen=True, slots=True)
class ReadingFilter:
    """Readings to search: those in `only` (None: all), without those in `never`."""

    only: Sequence[int] | None = None
    never: Sequence[int] = ()


@dataclass(frozen=True, slots=True)
class VoidReadings:
    """Readings in rising order, whose hits in batches below `before` are void: deleted, or indexed again."""

    readings: Keys
    before: Keys

    def in_batch(self, batch: int) -> Keys:
        """Return the readings whose hits in a batch are void."""
        return self.readings[self.before > batch]

    def between(self, first: int, last: int) -> "VoidReadings":
        """Return those from the reading `first` to `last`, both included."""
        some = slice(*np.searchsorted(self.readings, [first, last + 1]))
        return VoidReadings(self.readings[some], self.before[some])

    def __len__(self) -> int:
        return len(self.readings)


_NONE = np.empty(0, np.int64)
NO_VOID_READINGS = VoidReadings(_NONE, _NONE)


async def list_void_readings(tx: Tx) -> VoidReadings:
    """Return the readings that have void hits in the postings."""
    statement = text("select reading, before from strays where tenant_id = :tenant order by reading")
    rows = (await tx.session.execute(statement, {"tenant": tx.tenant_id})).all()
    columns = np.array([tuple(row) for row in rows], np.int64).reshape(-1, 2)
    return VoidReadings(columns[:, 0], columns[:, 1])


async def count_void_readings(tx: Tx) -> int:
    """Count the readings that have void hits."""
    statement = text("select count(*) from strays where tenant_id = :tenant")
    return await tx.session.scalar(statement, {"tenant": tx.tenant_id}) or 0


async def count_indexed(tx: Tx) -> int:
    """Count the indexed readings."""
    statement = text("select count(*) from indexed where tenant_id = :tenant")
    return await tx.session.scalar(statement, {"tenant": tx.tenant_id}) or 0


async def load_sizes(tx: Tx, within: ReadingFilter) -> list[Size]:
    """Return the size of the index within a filter, by language."""
    if within.only is None:
        statement = text("select language, chunks, length from lexicons where tenant_id = :tenant and chunks > 0")
        rows = await tx.session.execute(statement, {"tenant": tx.tenant_id})
    else:
        statement = text("""
            select language, sum(chunks)::bigint as chunks, sum(length)::bigint as length from indexed
             where tenant_id = :tenant and reading = any(:only) group by 1
        """)
        only = Longs(np.array(within.only, np.int64))
        rows = await tx.session.execute(statement, {"tenant": tx.tenant_id, "only": only})
    return [Size(row.language, row.chunks, row.length) for row in rows]


async def load_occurrences(
    tx: Tx, terms: Sequence[int], within: ReadingFilter, *, gone: VoidReadings, also: Sequence[int] | None = None
) -> dict[int, Occurrences]:
    """Return the occurrences of terms within a filter, by term, without void ones; with `also`, in these readings."""
    if not terms:
        return {}
    only = [np.asarray(each, np.int64) for each in (within.only, also) if each is not None]
    given: dict[str, object] = {"tenant": tx.tenant_id, "terms": Longs(np.array(terms, np.int64))}
    few = min(only, key=len, default=_NONE)
    is_few = 0 < len(few) <= _MOST_RANGES
    if is_few:
        given["within"] = Longs(few)
    statement = _OF_TERMS.format(within=_WITHIN if is_few else "", batch=_BATCH_IF_VOID if gone else "null::bigint")
    rows = await tx.session.execute(text(statement).execution_options(**{AS_BYTES: True}), given)
    found: dict[int, list[Occurrences]] = {}
    for row in rows:
        void = _NONE if row.batch is None else gone.in_batch(row.batch)
        never = np.append(void, np.array(within.never, np.int64))
        found.setdefault(row.term, []).append(_filter(retrieval_postings.unpack(row.hits), only, never))
    return {term: retrieval_postings.concatenate(parts) for term, parts in found.items()}


def _filter(found: Occurrences, only: Sequence[Keys], never: Keys) -> Occurrences:
    """Filter occurrences by reading: a posting covers several readings."""
    if not only and not len(never):
        return found
    readings = retrieval_postings.readings_of_keys(found.keys)
    is_kept = np.ones(len(readings), bool)
    for each in only:
        is_kept &= np.isin(readings, each)
    if len(never):
        is_kept &= ~np.isin(readings, never)
    return found.where(is_kept)


async def find_frequent(tx: Tx, terms: Sequence[int]) -> Mapping[int, int]:
    """Return those of the terms that are frequent, with their number of chunks."""
    statement = text("select term, chunks from frequent_terms where tenant_id = :tenant and term = any(:terms)")
    bound = statement.bindparams(bindparam("terms", type_=_BIGINTS))
    rows = await tx.session.execute(bound, {"tenant": tx.tenant_id, "terms": list(terms)})
    return {row.term: row.chunks for row in rows}


async def add(tx: Tx, postings: Postings, *, replacing: Sequence[int] = ()) -> None:
    """Insert postings as a batch. Hits of the readings `replacing` in earlier batches are void from now on.

    The caller has locked the readings, so that of two batches with one reading the later is valid.
    """
    batch = await tx.session.scalar(text("select nextval('posting_batches')"))
    if replacing:
        await tx.session.execute(_REPLACE, {"tenant": tx.tenant_id, "batch": batch, "readings": list(replacing)})
    sizes = postings.counts * retrieval_postings.HIT_BYTES
    rows = {
        "terms": postings.terms,
        "parts": postings.parts,
        "first": postings.first,
        "last": postings.last,
        "starts": np.cumsum(sizes) - sizes + 1,
        "sizes": sizes,
    }
    packed = {name: Longs(np.asarray(values, np.int64)) for name, values in rows.items()}
    await tx.session.execute(_ADD, {"tenant": tx.tenant_id, "batch": batch, "hits": postings.hits, **packed})


async def remove_void_hits(tx: Tx, gone: VoidReadings, *, after: Place, limit: int) -> Place | None:
    """Remove void hits from up to `limit` postings after a place; return where to continue, None at the end."""
    start = dict(zip(("term", "batch", "part"), after, strict=True))
    rows = (await tx.session.execute(_SUSPECT, {"tenant": tx.tenant_id, **start, "limit": limit})).all()
    kept, emptied = [], []
    for term, batch, part, raw in rows:
        left = retrieval_postings.remove_readings(
            raw, gone.between(*retrieval_postings.reading_range(raw)).in_batch(batch)
        )
        row = {"tenant": tx.tenant_id, "term": term, "batch": batch, "part": part}
        if left:
            kept.append(
                {
                    **row,
                    "hits": left,
                    **dict(zip(("first", "last"), retrieval_postings.reading_range(left), strict=True)),
                }
            )
        else:
            emptied.append(row)
    for statement, given in ((_CLEANSE, kept), (_EMPTY, emptied)):
        if given:
            await tx.session.execute(statement, given)
    return (rows[-1].term, rows[-1].batch, rows[-1].part) if len(rows) == limit else None


async def delete_void_readings(tx: Tx, gone: VoidReadings) -> None:
    """Delete void readings that have no hits in the postings any more, unless they became void again meanwhile."""
    given = {"reading": gone.readings.tolist(), "before": gone.before.tolist()}
    await tx.session.execute(_FORGET, {"tenant": tx.tenant_id, **given})


async def save_indexed(tx: Tx, sizes: Mapping[int, Size], *, version: int) -> None:
    """Insert or update readings as indexed, with their sizes."""
    rows = [{"reading": reading, **asdict(size)} for reading, size in sorted(sizes.items())]
    await tx.session.execute(_MARK, {"tenant": tx.tenant_id, "version": version, "rows": json.dumps(rows)})


async def load_growth(tx: Tx) -> tuple[int, int]:
    """Return the number of indexed chunks now, and at the last count of frequent terms."""
    statement = text(
        "select coalesce(sum(chunks), 0)::bigint, coalesce(sum(counted), 0)::bigint from lexicons "
        "where tenant_id = :tenant"
    )
    chunks, counted = (await tx.session.execute(statement, {"tenant": tx.tenant_id})).one()
    return chunks, counted


async def set_counted(tx: Tx) -> None:
    """Store the current size as the base from which growth is measured."""
    statement = text("update lexicons set counted = chunks where tenant_id = :tenant")
    await tx.session.execute(statement, {"tenant": tx.tenant_id})


async def count_frequent(tx: Tx, *, chunks: int) -> None:
    """Recompute the table of frequent terms: those in at least so many chunks."""
    await tx.session.execute(delete(FrequentTerm).where(FrequentTerm.tenant_id == tx.tenant_id))
    await tx.session.execute(_COUNT, {"tenant": tx.tenant_id, "chunks": chunks})


async def list_outdated(tx: Tx, *, version: int, limit: int) -> Sequence[int]:
    """Return readings that were indexed with another version of the analysis."""
    statement = text("""
        select reading from indexed where tenant_id = :tenant and version <> :version order by reading limit :limit
    """)
    found = await tx.session.scalars(statement, {"tenant": tx.tenant_id, "version": version, "limit": limit})
    return found.all()


async def count_outdated(tx: Tx, *, version: int) -> int:
    """Count the readings that were indexed with another version of the analysis."""
    statement = text("select count(*) from indexed where tenant_id = :tenant and version <> :version")
    return await tx.session.scalar(statement, {"tenant": tx.tenant_id, "version": version}) or 0
