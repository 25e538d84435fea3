"""Frequent terms: those in so many chunks that a search reads only their best hits.

Which they are is estimated from a sample of the chunks, so that it takes as long in a workspace of a million chunks as
in a small one. Their best hits are then kept up to date with the batches that were written since.
"""

import asyncio
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager

import numpy as np

from intelli.kit.db import Tx
from intelli.library import chunk as library_chunk
from intelli.retrieval import analysis, postings
from intelli.retrieval.bm25 import impact
from intelli.retrieval.postings import Occurrences
from intelli.retrieval.store import frequent_terms as store
from intelli.retrieval.store import lexical
from intelli.retrieval.store.frequent_terms import FrequentHits, SampledChunk
from intelli.retrieval.store.lexical import VoidReadings

Begin = Callable[[], AbstractAsyncContextManager[Tx]]
# A term in fewer chunks is read whole. Of one in more, so many hits are kept; a search in a folder reads them all.
_FREQUENT, _KEPT = 4_000, 12_000
# Hits in later batches are read one by one until they are so many.
_LATER = 3_000
_SAMPLE = 4_000
# A term may be in fewer chunks than the sample made believe.
_DOUBT = 0.75
_TOGETHER = 16


async def update(begin: Begin) -> None:
    """Choose the frequent terms and their best hits anew, in small transactions; safe to repeat after a crash."""
    async with begin() as tx:
        until = await store.find_last_batch(tx)
    async with begin() as tx:
        chunks, length = await lexical.load_totals(tx)
        if not chunks:
            return
        step = -(-chunks // _SAMPLE)
        sampled = await store.sample_chunks(tx, step=step, first=int(np.random.default_rng().integers(step)))
        known = set(await store.list_terms(tx))
    shares = await asyncio.to_thread(_count, sampled)
    least = _FREQUENT * _DOUBT * len(sampled) / chunks
    terms = sorted(known | {term for term, count in shares.items() if count >= least})
    for at in range(0, len(terms), _TOGETHER):
        async with begin() as tx:
            await store.lock(tx)
            await _update_some(tx, terms[at : at + _TOGETHER], until=until, average=length / chunks)


async def remove_void(tx: Tx, gone: VoidReadings) -> None:
    """Remove the hits of void readings from the best hits; a term that loses too many is read whole until updated."""
    await store.lock(tx)
    terms = await store.list_terms(tx)
    for at in range(0, len(terms), _TOGETHER):
        kept, lost = list[FrequentHits](), list[FrequentHits]()
        for each in (await store.load(tx, terms[at : at + _TOGETHER])).values():
            left = _without(each, gone)
            (kept if _is_enough(left) else lost).append(left)
        await store.save(tx, kept)
        await store.remove(tx, [each.term for each in lost])


def _without(found: FrequentHits, gone: VoidReadings) -> FrequentHits:
    left = postings.remove_readings(found.hits, gone.in_batch(found.until))
    return FrequentHits(found.term, found.until, round(found.chunks * len(left) / max(1, len(found.hits))), left)


def _is_enough(left: FrequentHits) -> bool:
    count = len(left.hits) // postings.HIT_BYTES
    return left.chunks >= _FREQUENT // 2 and count >= min(left.chunks, _KEPT) // 2


async def _update_some(tx: Tx, terms: Sequence[int], *, until: int, average: float) -> None:
    """Add the hits of later batches to the best hits of terms, where these are many."""
    known = await store.find_until(tx, terms)
    gone = await lexical.list_void_readings(tx)
    later = await store.load_later(tx, {term: known.get(term, 0) for term in terms}, until=until, gone=gone)
    grown = [term for term, found in later.items() if len(found.keys) >= (_LATER if term in known else _FREQUENT)]
    before = await store.load(tx, [term for term in grown if term in known])
    left = {term: _without(each, gone) for term, each in before.items()}
    await store.save(tx, [_choose(term, left.get(term), later[term], until=until, average=average) for term in grown])


def _choose(term: int, before: FrequentHits | None, later: Occurrences, *, until: int, average: float) -> FrequentHits:
    """Choose the best hits of a term from those so far and those of later batches."""
    found = postings.concatenate([postings.unpack(before.hits), later]) if before else later
    best = postings.pack_best(found, impact(found.counts, found.lengths, average), _KEPT)
    return FrequentHits(term, until, (before.chunks if before else 0) + len(later.keys), best)


def _count(sampled: Sequence[SampledChunk]) -> Mapping[int, int]:
    """Count in how many of the chunks each term is."""
    found = Counter[int]()
    for chunk in sampled:
        read = analysis.analyse(library_chunk.searchable_text(chunk.section, chunk.body), chunk.language)
        found.update(read.counts.keys())
    return found
