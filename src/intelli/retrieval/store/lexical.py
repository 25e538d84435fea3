"""Queries of the lexical index."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import bindparam, delete, text
from sqlalchemy.dialects.postgresql import ARRAY, BYTEA, insert
from sqlalchemy.types import BigInteger, Integer

from intelli.kit.db import Tx
from intelli.retrieval import hits
from intelli.retrieval.hits import Occurrences, Postings
from intelli.retrieval.tables import FrequentTerm, Indexed, Posting

_BIGINTS, _INTS = ARRAY(BigInteger), ARRAY(Integer)
_ADD = text("""
    insert into postings (tenant_id, term, reading, part, hits)
    select :tenant, term, :reading, part, hits from unnest(:terms, :parts, :hits) as p(term, part, hits)
""").bindparams(
    bindparam("terms", type_=_BIGINTS), bindparam("parts", type_=_INTS), bindparam("hits", type_=ARRAY(BYTEA))
)
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


async def add(tx: Tx, reading: int, postings: Postings) -> None:
    """Add postings of a reading."""
    given = {"tenant": tx.tenant_id, "reading": reading}
    await tx.session.execute(_ADD, {**given, "terms": postings.terms, "parts": postings.parts, "hits": postings.hits})


async def remove(tx: Tx, reading: int) -> None:
    """Remove the postings of a reading."""
    await tx.session.execute(delete(Posting).where(Posting.tenant_id == tx.tenant_id, Posting.reading == reading))


async def mark(tx: Tx, reading: int, *, version: int, size: Size) -> None:
    """Say that a reading is indexed, and how much it is."""
    values = {"version": version, "language": size.language, "chunks": size.chunks, "length": size.length}
    added = insert(Indexed).values(tenant_id=tx.tenant_id, reading=reading, **values)
    await tx.session.execute(added.on_conflict_do_update(index_elements=["tenant_id", "reading"], set_=values))


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
