"""Queries of the lexical index."""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from sqlalchemy import Row, bindparam, text
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.types import BigInteger

from intelli.kit.arrays import Longs
from intelli.kit.db import AS_BYTES, Tx
from intelli.retrieval import postings as retrieval_postings
from intelli.retrieval.postings import Keys, Occurrences, Postings

_BIGINTS = ARRAY(BigInteger)
Place = tuple[int, int, int]
_MOST_RANGES = 1_000  # for more readings, postings are filtered here rather than by the database
# Of a term in more than this share of the chunks, fewer hits are read: it says little about each.
_COMMON = 0.06
BEFORE_ALL: Place = (-(1 << 63), 0, 0)
_NEXT_BATCH = text("""
    select nextval('posting_batches')
      from (select pg_advisory_xact_lock_shared(hashtextextended('postings:' || :tenant, 0))) as writing
""")
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
# Of a frequent term its best hits, up to a depth that is greater the rarer it is, and the postings of later batches.
_OF_TERMS = """
    select f.term, f.until as batch, f.chunks,
           substr(f.hits, 1, {hit} * ceil(least(1, :common * :total / f.chunks::float8) * :depth)::int) as hits
      from frequent_terms f where f.tenant_id = :tenant and f.term = any(:terms)
    union all
    select p.term, {batch}, null, string_agg(p.hits, '')
      from (select t.term, coalesce(f.until, 0) as until from unnest(cast(:terms as bigint[])) as t(term)
              left join frequent_terms f on f.tenant_id = :tenant and f.term = t.term) t
      join postings p on p.tenant_id = :tenant and p.term = t.term and p.batch > t.until {within} group by 1, 2
"""
# Batches are separated only where some of their hits may be void.
_BATCH_IF_VOID = """
    case when exists (select from strays s where s.tenant_id = p.tenant_id and s.reading between p.first and p.last
                                             and s.before > p.batch) then p.batch end
"""
_WITHIN = """
    and int8range(p.first, p.last, '[]') && (select range_agg(int8range(w, w, '[]')) from unnest(:within) w)
"""
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


@dataclass(frozen=True, slots=True, eq=False)
class ReadingFilter:
    """Readings to search: those in `only`, in rising order (None: all), without those in `never`."""

    only: Keys | None = None
    never: Sequence[int] = ()

    def is_few(self, most: int) -> bool:
        """True when at least one and at most so many readings are to be searched."""
        return self.only is not None and 0 < len(self.only) <= most


@dataclass(frozen=True, slots=True)
class TermHits:
    """Occurrences of a term within a filter: all of them, or the best of a frequent one's.

    `chunks` is the number that the best were chosen from, everywhere; 0 when these are all.
    """

    occurrences: Occurrences
    chunks: int = 0


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


async def load_hits(
    tx: Tx, terms: Sequence[int], within: ReadingFilter, *, gone: VoidReadings, total: int, depth: int
) -> dict[int, TermHits]:
    """Return the hits of terms within a filter, by term, without void ones.

    Of a frequent term, these are up to `depth` of the best; fewer of one that is in many of the `total` chunks.
    """
    if not terms:
        return {}
    given: dict[str, object] = {"tenant": tx.tenant_id, "terms": Longs(np.array(terms, np.int64))}
    given |= {"common": _COMMON, "total": total, "depth": depth}
    if within.is_few(_MOST_RANGES):
        given["within"] = Longs(np.asarray(within.only, np.int64))
    statement = text(
        _OF_TERMS.format(
            hit=retrieval_postings.HIT_BYTES,
            within=_WITHIN if "within" in given else "",
            batch=_BATCH_IF_VOID if gone else "null::bigint",
        )
    )
    rows = await tx.session.execute(statement.execution_options(**{AS_BYTES: True}), given)
    return _gather(rows.all(), within, gone)


def _gather(rows: Sequence[Row[tuple[Any, ...]]], within: ReadingFilter, gone: VoidReadings) -> dict[int, TermHits]:
    """Unpack, filter and join the rows of each term."""
    wanted = ReadingMask(within)
    parts: dict[int, list[Occurrences]] = {}
    chosen_from, later = dict[int, int](), Counter[int]()
    for row in rows:
        term, batch, chunks, hits = row.term, row.batch, row.chunks, row.hits
        void = _NONE if batch is None else gone.in_batch(batch)
        found = wanted.select(retrieval_postings.unpack(hits), without=void)
        parts.setdefault(term, []).append(found)
        if chunks is None:
            later[term] += len(found.keys)
        else:
            chosen_from[term] = chunks
    return {
        term: TermHits(
            retrieval_postings.concatenate(each), chosen_from[term] + later[term] if term in chosen_from else 0
        )
        for term, each in parts.items()
    }


class ReadingMask:
    """Filter of readings as a table over their numbers, so that each hit costs one look-up."""

    def __init__(self, within: ReadingFilter) -> None:
        self._is_everything = within.only is None and not len(within.never)
        never = np.asarray(within.never, np.int64)
        named = never if within.only is None else within.only
        self._first = int(named.min()) - 1 if len(named) else 0
        size = int(named.max()) - self._first + 2 if len(named) else 1
        # The first and the last entry are for all numbers beyond.
        self._table = np.full(size, within.only is None)
        if within.only is not None:
            self._table[within.only - self._first] = True
        inside = never[(never > self._first) & (never < self._first + size - 1)]
        self._table[inside - self._first] = False

    def select(self, found: Occurrences, *, without: Keys) -> Occurrences:
        """Return the occurrences in the readings of the filter that are not among those `without`."""
        if self._is_everything and not len(without):
            return found
        readings = retrieval_postings.readings_of_keys(found.keys)
        is_kept = self._table.take(readings - self._first, mode="clip")
        if len(without):
            is_kept &= ~np.isin(readings, without)
        return found.where(is_kept)


async def add(tx: Tx, postings: Postings, *, replacing: Sequence[int] = ()) -> None:
    """Insert postings as a batch. Hits of the readings `replacing` in earlier batches are void from now on.

    The caller has locked the readings, so that of two batches with one reading the later is valid.
    """
    batch = await tx.session.scalar(_NEXT_BATCH, {"tenant": str(tx.tenant_id)})
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


async def load_totals(tx: Tx) -> tuple[int, int]:
    """Return the number of indexed chunks, and of the terms in them."""
    statement = text(
        "select coalesce(sum(chunks), 0)::bigint, coalesce(sum(length), 0)::bigint from lexicons "
        "where tenant_id = :tenant"
    )
    chunks, length = (await tx.session.execute(statement, {"tenant": tx.tenant_id})).one()
    return chunks, length


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
