"""Lexical ranking: BM25, exact for the best chunks, without reading every posting of every word.

Candidates are the chunks with the best sums over the postings of the query's words. Of a word that occurs in many
chunks only the best hits are read, and none where the combined weight of such words is negligible beside the rest of
the query, as that of "of the" mostly is. The candidates are then scored by the forward index, for all words.
"""

import asyncio
import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from intelli.kit.db import Tx
from intelli.retrieval import compound_scores, postings, term_weights
from intelli.retrieval.analysis import QueryWord
from intelli.retrieval.bm25 import impact
from intelli.retrieval.chunk_terms import ChunkTerms
from intelli.retrieval.compound_scores import CompoundWord
from intelli.retrieval.postings import Floats, Keys, Occurrences
from intelli.retrieval.store import lexical as store
from intelli.retrieval.store.lexical import Size, TermHits
from intelli.retrieval.store.scope import IndexScope
from intelli.retrieval.term_weights import WeightedTerm

_CANDIDATES = 500
_READINGS = 100
# Best hits of a frequent term that are read; where a filter leaves few of them, all that are kept.
_DEPTH, _MOST_DEPTH = 6_000, 12_000
# More hits than this are summed by a hash of their key first, which is quicker than by sorting them.
_MANY_HITS = 16_000
_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
# A query whose summed idf is below this, in an index of so many chunks, is uninformative: "of the" is in most chunks.
_TELLING, _MANY = 1.5, 2_000
# Largest share of a score that the most frequent words of a query may have together and still be skipped.
_NEGLIGIBLE = 0.01
_NO_KEYS = np.empty(0, np.int64)


@dataclass(frozen=True, slots=True)
class LexicalRanking:
    """Scored chunks by key in rising order. Scores are shares of the most that the query can reach.

    `coverage` is the idf-weighted share of the query's words; `worth` each term's idf; `telling` how informative it is.
    """

    keys: Keys
    scores: Floats
    coverage: Floats
    worth: Mapping[int, float]
    telling: float

    def best(self, limit: int) -> Keys:
        """Return the keys of the best chunks, and of the best chunk of each of the best readings, in rising order."""
        order = np.lexsort((self.keys, -self.scores))[:limit]
        return np.union1d(self.keys[order], _best_of_readings(self.keys, self.scores, limit))


@dataclass(frozen=True, slots=True)
class QueryWeights:
    """The terms of a query with their weights, and its compounds, of which parts are terms too.

    `bound` is the score of a chunk that has every word to saturation.
    """

    terms: Sequence[WeightedTerm]
    compounds: Sequence[CompoundWord]
    average: float
    bound: float
    telling: float

    @property
    def worth(self) -> dict[int, float]:
        """The idf of each term."""
        return {each.term: each.idf for each in self.terms}


@dataclass(frozen=True, slots=True)
class Candidates:
    """Chunks to score, by key in rising order, for the weights of a query; `hits` are what they were found by."""

    keys: Keys
    weights: QueryWeights
    hits: Mapping[int, TermHits] = field(repr=False)


async def find_candidates(
    tx: Tx, words: Sequence[QueryWord], scope: IndexScope, *, also: Collection[int] = ()
) -> Candidates:
    """Find the chunks that may score best for the words of a query. The hits of the terms `also` are read too."""
    terms = sorted(_terms_of(words).union(also))
    share = scope.chunks / max(1, scope.total)
    depth = min(_MOST_DEPTH, math.ceil(_DEPTH / max(share, 1e-9)))
    hits = await store.load_hits(tx, terms, scope.within, gone=scope.void, total=scope.total, depth=depth)
    return await asyncio.to_thread(_choose_candidates, words, hits, scope, share)


def score(found: Candidates, chunks: ChunkTerms) -> LexicalRanking:
    """Score chunks by the forward index."""
    weights = found.weights
    scores, coverage = np.zeros(len(chunks.keys)), np.zeros(len(chunks.keys))
    values, idfs = {}, {}
    for each in weights.terms:
        at, counts = chunks.find(each.term)
        value = each.idf * impact(counts, chunks.lengths[at].astype(np.float64), weights.average)
        values[each.term], idfs[each.term] = (at, value), (at, np.full(len(at), each.idf))
        scores[at] += value
        coverage[at] += each.idf
    scores -= compound_scores.surplus(weights.compounds, values, len(scores))
    coverage -= compound_scores.surplus(weights.compounds, idfs, len(coverage))
    order = np.argsort(chunks.keys)
    return LexicalRanking(
        chunks.keys[order],
        scores[order] / weights.bound,
        np.minimum(coverage[order] / weights.bound, 1.0),
        weights.worth,
        weights.telling,
    )


def scan(
    words: Sequence[QueryWord], scope: IndexScope, chunks: ChunkTerms, *, also: Collection[int] = ()
) -> Candidates:
    """Find candidates among all chunks of a narrow filter, by the forward index."""
    hits = {}
    for term in _terms_of(words).union(also):
        at, counts = chunks.find(term)
        if len(at):
            hits[term] = TermHits(Occurrences(chunks.keys[at], counts, chunks.lengths[at].astype(np.float64)))
    return _choose_candidates(words, hits, scope, 1.0)


def _choose_candidates(
    words: Sequence[QueryWord], hits: Mapping[int, TermHits], scope: IndexScope, share: float
) -> Candidates:
    counts = {
        term: math.ceil(found.chunks * share) if found.chunks else len(found.occurrences.keys)
        for term, found in hits.items()
    }
    weights = _combine(words, scope.sizes, counts)
    read = _without_negligible(weights, {term for term, found in hits.items() if found.chunks})
    summed = [(each, hits[each.term].occurrences) for each in read if each.term in hits]
    keys = np.concatenate([_NO_KEYS, *(found.keys for _, found in summed)])
    scores = np.concatenate(
        [np.empty(0), *(each.idf * impact(found.counts, found.lengths, weights.average) for each, found in summed)]
    )
    return Candidates(_best(keys, scores), weights, hits)


def _terms_of(words: Sequence[QueryWord]) -> set[int]:
    return {term for word in words for term in word.terms | word.part_terms}


def _combine(words: Sequence[QueryWord], sizes: Sequence[Size], counts: Mapping[int, int]) -> QueryWeights:
    chunks = sum(size.chunks for size in sizes)
    wholes = term_weights.weigh(words, sizes, counts)
    parts, compounds = term_weights.weigh_parts(words, wholes, sizes, counts)
    best: dict[int, float] = {}
    for each in wholes:
        best[each.word] = max(best.get(each.word, 0.0), each.idf)
    bound = sum(best.values()) or 1.0
    enough = _TELLING * min(1.0, chunks / _MANY)
    telling = min(1.0, bound / enough) ** 2 if best and enough else 1.0
    average = max(1, sum(size.length for size in sizes)) / max(1, chunks)
    return QueryWeights([*wholes, *parts], compounds, average, bound, telling)


def _without_negligible(weights: QueryWeights, frequent: set[int]) -> list[WeightedTerm]:
    """Return the terms whose hits are worth summing: the summed idf of the frequent ones left out is negligible."""
    by_worth = sorted((each for each in weights.terms if each.term in frequent), key=lambda each: each.idf)
    added = np.cumsum([each.idf for each in by_worth])
    negligible = int(np.searchsorted(added, weights.bound * _NEGLIGIBLE, side="right"))
    return [each for each in weights.terms if each.term not in frequent] + by_worth[negligible:]


def _best(keys: Keys, scores: Floats) -> Keys:
    """Return the chunks with the best sums, and the best chunk of each of the best readings, in rising order."""
    entries = _MANY_HITS
    while True:
        chunks, sums = _sum(keys, scores, entries)
        if len(chunks) <= _CANDIDATES:
            return chunks
        of_readings = _best_of_readings(chunks, sums, _READINGS)
        # A long text may have the best chunks; others are then among those with lower sums.
        if len(of_readings) == _READINGS or entries >= len(keys):
            break
        entries *= 8
    best = chunks[np.argpartition(sums, len(sums) - _CANDIDATES)[len(sums) - _CANDIDATES :]]
    return np.union1d(best, of_readings)


def _sum(keys: Keys, scores: Floats, entries: int) -> tuple[Keys, Floats]:
    """Return the chunks with the best sums, by key in rising order, and these; of many hits, those of about `entries`.

    The sums by hash are at least those by key, so that no chunk is missed that has one of the best.
    """
    if len(keys) > entries:
        bits = min(20, max(12, len(keys).bit_length() + 1))
        place = ((keys.astype(np.uint64) * _GOLDEN) >> np.uint64(64 - bits)).astype(np.int64)
        sums = np.bincount(place, scores, minlength=1 << bits)[place]
        kept = sums >= np.partition(sums, len(sums) - entries)[len(sums) - entries]
        keys, scores = keys[kept], scores[kept]
    unique, place = np.unique(keys, return_inverse=True)
    return unique, np.bincount(place, scores, minlength=len(unique)).astype(np.float64)


def _best_of_readings(keys: Keys, scores: Floats, limit: int) -> Keys:
    """Return the best chunk of each of the best readings, so that no long text hides all others."""
    if not len(keys):
        return keys
    readings = postings.readings_of_keys(keys)
    starts = np.flatnonzero(np.diff(readings, prepend=readings[0] - 1))
    ends = np.append(starts[1:], len(keys))
    best = np.argsort(-np.maximum.reduceat(scores, starts), kind="stable")[:limit]
    return keys[[start + int(scores[start:end].argmax()) for start, end in zip(starts[best], ends[best], strict=True)]]
