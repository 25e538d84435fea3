"""Queries of the lexical index."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass

import numpy as np
from sqlalchemy import bindparam, delete, text
from sqlalchemy.dialects.postgresql import ARRAY, insert
from sqlalchemy.types import BigInteger

from intelli.kit.arrays import Longs
from intelli.kit.db import Tx
from intelli.retrieval import hits
from intelli.retrieval.hits import Occurrences, Postings
from intelli.retrieval.tables import FrequentTerm, Indexed, Posting

_BIGINTS = ARRAY(BigInteger)
_ADD = text("""
    insert into postings (tenant_id, term, reading, part, hits)
    select :tenant, term, reading, part::int, substr(:hits, start::int, size::int)
      from unnest(:terms, :readings, :parts, :starts, :sizes) as p(term, reading, part, start, size)
""")
_OF_TERMS = """
    select term, string_agg(hits, '') as hits from postings
     where tenant_id = :tenant and term = any(:terms) {within} {beside} group by term
"""
_COUNT = text(f"""
    insert into frequent_terms (tenant_id, term, chunks, rows)
    select tenant_id, term, sum(octet_length(hits)) / {hits.HIT_BYTES}, count(*) from postings
     where tenant_id = :tenant group by 1, 2 having count(*) >= :rows
""")  # noqa: S608  # a number of ours
_WITHIN = "and reading = any(:within)"
_BESIDE = "and reading <> all(:beside)"


@dataclass(frozen=True, slots=True)
class Size:
    """How much is indexed in a language: chunks, and the terms in them."""

    language: str
    chunks: int
    length: int


@dataclass(frozen=True, slots=True)
class Within:
    """Which readings a search looks at: those in `only` when it is given, and none of `never`."""

    only: Sequence[int] | None = None
    never: Sequence[int] = ()


async def sizes(tx: Tx, within: Within) -> list[Size]:
    """What a search looks at, by language."""
    if within.only is None:
        statement = text("select language, chunks, length from lexicons where tenant_id = :tenant and chunks > 0")
        rows = await tx.session.execute(statement, {"tenant": tx.tenant_id})
    else:
        statement = text("""
            select language, sum(chunks)::bigint as chunks, sum(length)::bigint as length from indexed
             where tenant_id = :tenant and reading = any(:only) group by 1
        """).bindparams(bindparam("only", type_=_BIGINTS))
        rows = await tx.session.execute(statement, {"tenant": tx.tenant_id, "only": list(within.only)})
    return [Size(row.language, row.chunks, row.length) for row in rows]


async def occurrences(
    tx: Tx, terms: Sequence[int], within: Within, *, also: Sequence[int] | None = None
) -> dict[int, Occurrences]:
    """Where terms occur; with `also`, only in these readings of those."""
    if not terms:
        return {}
    only = also if also is not None else within.only
    given: dict[str, object] = {"tenant": tx.tenant_id, "terms": list(terms)}
    kinds = [bindparam("terms", type_=_BIGINTS)]
    for name, readings in (("within", only), ("beside", within.never or None)):
        if readings is not None:
            given[name] = list(readings)
            kinds.append(bindparam(name, type_=_BIGINTS))
    statement = _OF_TERMS.format(
        within=_WITHIN if "within" in given else "", beside=_BESIDE if "beside" in given else ""
    )
    rows = await tx.session.execute(text(statement).bindparams(*kinds), given)
    return {row.term: hits.unpack(row.hits) for row in rows}


async def frequent(tx: Tx, terms: Sequence[int]) -> Mapping[int, int]:
    """Those of the terms that are frequent, with how many chunks hold them."""
    statement = text("select term, chunks from frequent_terms where tenant_id = :tenant and term = any(:terms)")
    bound = statement.bindparams(bindparam("terms", type_=_BIGINTS))
    rows = await tx.session.execute(bound, {"tenant": tx.tenant_id, "terms": list(terms)})
    return {row.term: row.chunks for row in rows}


async def add(tx: Tx, postings: Sequence[tuple[int, Postings]]) -> None:
    """Add postings, each with the reading they are of."""
    sizes = np.array([len(hits) for _, each in postings for hits in each.hits], np.int64)
    rows = {
        "terms": [term for _, each in postings for term in each.terms],
        "readings": [reading for reading, each in postings for _ in each.terms],
        "parts": [part for _, each in postings for part in each.parts],
        "starts": np.cumsum(sizes) - sizes + 1,
        "sizes": sizes,
    }
    packed = {name: Longs(np.asarray(values, np.int64)) for name, values in rows.items()}
    given = {"tenant": tx.tenant_id, "hits": b"".join(hits for _, each in postings for hits in each.hits)}
    await tx.session.execute(_ADD, {**given, **packed})


async def remove(tx: Tx, readings: Sequence[int]) -> None:
    """Remove the postings of readings."""
    await tx.session.execute(delete(Posting).where(Posting.tenant_id == tx.tenant_id, Posting.reading.in_(readings)))


async def mark(tx: Tx, sizes: Mapping[int, Size], *, version: int) -> None:
    """Say that readings are indexed, and how much each is."""
    rows = [
        {"tenant_id": tx.tenant_id, "reading": reading, "version": version, **asdict(size)}
        for reading, size in sorted(sizes.items())
    ]
    added = insert(Indexed).values(rows)
    written = {name: added.excluded[name] for name in ("version", "language", "chunks", "length")}
    await tx.session.execute(added.on_conflict_do_update(index_elements=["tenant_id", "reading"], set_=written))


async def growth(tx: Tx) -> tuple[int, int]:
    """How many chunks are indexed, and how many were when frequent terms were last counted."""
    statement = text(
        "select coalesce(sum(chunks), 0)::bigint, coalesce(sum(counted), 0)::bigint from lexicons "
        "where tenant_id = :tenant"
    )
    chunks, counted = (await tx.session.execute(statement, {"tenant": tx.tenant_id})).one()
    return chunks, counted


async def set_counted(tx: Tx) -> None:
    """Take the size of now as the one from which growth is told."""
    statement = text("update lexicons set counted = chunks where tenant_id = :tenant")
    await tx.session.execute(statement, {"tenant": tx.tenant_id})


async def count_frequent(tx: Tx, *, rows: int) -> None:
    """Find the terms that at least so many postings tell of."""
    await tx.session.execute(delete(FrequentTerm).where(FrequentTerm.tenant_id == tx.tenant_id))
    await tx.session.execute(_COUNT, {"tenant": tx.tenant_id, "rows": rows})


async def outdated(tx: Tx, *, version: int, limit: int) -> Sequence[int]:
    """Readings that another version of the analysis indexed."""
    statement = text("""
        select reading from indexed where tenant_id = :tenant and version <> :version order by reading limit :limit
    """)
    found = await tx.session.scalars(statement, {"tenant": tx.tenant_id, "version": version, "limit": limit})
    return found.all()


async def count_outdated(tx: Tx, *, version: int) -> int:
    """How many readings another version of the analysis indexed."""
    statement = text("select count(*) from indexed where tenant_id = :tenant and version <> :version")
    return await tx.session.scalar(statement, {"tenant": tx.tenant_id, "version": version}) or 0
