"""Queries of the best hits of frequent terms."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from sqlalchemy import text

from intelli.kit.arrays import Longs
from intelli.kit.db import AS_BYTES, Tx
from intelli.retrieval import postings
from intelli.retrieval.postings import Occurrences
from intelli.retrieval.store.lexical import VoidReadings

_LOCK = text("select pg_advisory_xact_lock(hashtextextended('frequent terms:' || :tenant, 0))")
# Batches are numbered when they are written, and committed later: those below the number are, once no writer is left.
_WATERMARK = text("""
    select nextval('posting_batches')
      from (select pg_advisory_xact_lock(hashtextextended('postings:' || :tenant, 0))) as all_written
""")
_TERMS = text("select term from frequent_terms where tenant_id = :tenant order by term")
_UNTIL = text("select term, until from frequent_terms where tenant_id = :tenant and term = any(:terms)")
_HITS = text("""
    select term, until, chunks, hits from frequent_terms where tenant_id = :tenant and term = any(:terms)
""").execution_options(**{AS_BYTES: True})
_LATER = text("""
    select p.term, case when exists (
               select from strays s where s.tenant_id = p.tenant_id and s.reading between p.first and p.last
                                      and s.before > p.batch) then p.batch end as batch,
           string_agg(p.hits, '') as hits
      from unnest(cast(:terms as bigint[]), cast(:after as bigint[])) as t(term, after)
      join postings p on p.tenant_id = :tenant and p.term = t.term and p.batch > t.after and p.batch <= :until
     group by 1, 2
""").execution_options(**{AS_BYTES: True})
_SAVE = text("""
    insert into frequent_terms (tenant_id, term, chunks, until, hits) values (:tenant, :term, :chunks, :until, :hits)
        on conflict (tenant_id, term) do update
       set chunks = excluded.chunks, until = excluded.until, hits = excluded.hits
""")
_REMOVE = text("delete from frequent_terms where tenant_id = :tenant and term = any(:terms)")
# Every `step`-th chunk of the workspace, from a random one of the first on.
_SAMPLE = text("""
    with r as (select reading, chunks, language, sum(chunks) over (order by reading) - chunks as before
                 from indexed where tenant_id = :tenant and chunks > 0)
    select r.language, c.section, c.body
      from r cross join lateral generate_series((:step - 1 - (before + :first) % :step), chunks - 1, :step) as n(at)
      join chunks c on c.tenant_id = :tenant and c.reading = r.reading and c.chunk_index = n.at::int
""")


@dataclass(frozen=True, slots=True)
class FrequentHits:
    """The best hits of a frequent term: chosen from `chunks`, in batches up to `until`."""

    term: int
    until: int
    chunks: int
    hits: bytes


@dataclass(frozen=True, slots=True)
class SampledChunk:
    """Text of a chunk, and the language of its reading."""

    language: str
    section: str | None
    body: str


async def lock(tx: Tx) -> None:
    """Lock the workspace's frequent terms against other writers until the transaction ends."""
    await tx.session.execute(_LOCK, {"tenant": str(tx.tenant_id)})


async def find_last_batch(tx: Tx) -> int:
    """Return a batch number, when all batches up to it are committed or given up: waits for who is writing now."""
    return int(await tx.session.scalar(_WATERMARK, {"tenant": str(tx.tenant_id)}))


async def list_terms(tx: Tx) -> Sequence[int]:
    """Return the frequent terms."""
    return (await tx.session.scalars(_TERMS, {"tenant": tx.tenant_id})).all()


async def find_until(tx: Tx, terms: Sequence[int]) -> dict[int, int]:
    """Return the batch up to which the best hits of each of these terms were chosen; others are not frequent."""
    rows = await tx.session.execute(_UNTIL, {"tenant": tx.tenant_id, "terms": Longs(np.array(terms, np.int64))})
    return {row.term: row.until for row in rows}


async def load(tx: Tx, terms: Sequence[int]) -> dict[int, FrequentHits]:
    """Return the best hits of terms, by term."""
    rows = await tx.session.execute(_HITS, {"tenant": tx.tenant_id, "terms": Longs(np.array(terms, np.int64))})
    return {row.term: FrequentHits(*row) for row in rows}


async def load_later(tx: Tx, after: dict[int, int], *, until: int, gone: VoidReadings) -> dict[int, Occurrences]:
    """Return the occurrences of terms in the batches that come after the one given for each, up to `until`."""
    given = {
        "tenant": tx.tenant_id,
        "terms": Longs(np.array(list(after), np.int64)),
        "after": Longs(np.array(list(after.values()), np.int64)),
        "until": until,
    }
    parts: dict[int, list[Occurrences]] = {}
    for term, batch, hits in await tx.session.execute(_LATER, given):
        left = hits if batch is None else postings.remove_readings(hits, gone.in_batch(batch))
        parts.setdefault(term, []).append(postings.unpack(left))
    return {term: postings.concatenate(each) for term, each in parts.items()}


async def save(tx: Tx, found: Sequence[FrequentHits]) -> None:
    """Insert or replace the best hits of terms."""
    rows = [
        {"tenant": tx.tenant_id, "term": each.term, "chunks": each.chunks, "until": each.until, "hits": each.hits}
        for each in found
    ]
    if rows:
        await tx.session.execute(_SAVE, rows)


async def remove(tx: Tx, terms: Sequence[int]) -> None:
    """Delete terms that are not frequent any more."""
    await tx.session.execute(_REMOVE, {"tenant": tx.tenant_id, "terms": Longs(np.array(terms, np.int64))})


async def sample_chunks(tx: Tx, *, step: int, first: int) -> list[SampledChunk]:
    """Return every `step`-th chunk of the workspace."""
    rows = await tx.session.execute(_SAMPLE, {"tenant": tx.tenant_id, "step": step, "first": first})
    return [SampledChunk(*row) for row in rows]
