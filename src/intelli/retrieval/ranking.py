"""Hybrid ranking: collect candidates by words, vectors and literals, and score each by all of them."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from intelli.kit.db import Tx
from intelli.reasoning.ports import Vectors
from intelli.retrieval import analysis, fusion, lexical, literals, maintenance, postings
from intelli.retrieval.fusion import RankSignals
from intelli.retrieval.lexical import LexicalRanking
from intelli.retrieval.literals import LiteralMatches
from intelli.retrieval.postings import Floats, Keys
from intelli.retrieval.store import passages
from intelli.retrieval.store import vectors as store
from intelli.retrieval.store.lexical import ReadingFilter, Size
from intelli.retrieval.tables import Space

_NEAREST = 100
_BEST_WORDS = 100
# Copies differ in their scores by rounding only.
_ALIKE = 1e-6
_NO_KEYS = np.empty(0, np.int64)


@dataclass(frozen=True, slots=True)
class QueryVector:
    """Embedding of a query: its vector and space, its weight in fusion, and the cosine of unrelated texts."""

    space: str
    vector: Vectors
    weight: float
    background: float


@dataclass(frozen=True, slots=True)
class Ranked:
    """Chunks by key, best first, with the relevance of each; `worth` is the weight of each term of the query."""

    keys: Keys
    relevance: Floats
    worth: Mapping[int, float]

    @property
    def readings(self) -> list[int]:
        """The readings of the chunks, without duplicates, that of the best chunk first."""
        return list(dict.fromkeys(postings.readings_of_keys(self.keys).tolist()))

    def above(self, threshold: float) -> "Ranked":
        """Return the chunks with at least this relevance."""
        kept = self.relevance >= threshold
        return replace(self, keys=self.keys[kept], relevance=self.relevance[kept])

    def without(self, readings: Sequence[int]) -> "Ranked":
        """Return the ranking without the chunks of certain readings."""
        kept = ~np.isin(postings.readings_of_keys(self.keys), np.asarray(readings, np.int64))
        return replace(self, keys=self.keys[kept], relevance=self.relevance[kept])


@dataclass(frozen=True, slots=True)
class _Scored:
    """Chunks by key, best first, with their scores and their coverage of the query's words."""

    keys: Keys
    scores: Floats
    coverage: Floats


@dataclass(frozen=True, slots=True)
class RankedQuery:
    """A query with its embedding, the readings to search, and their size by language."""

    text: str
    meaning: QueryVector | None
    within: ReadingFilter
    sizes: Sequence[Size]


async def rank(tx: Tx, question: RankedQuery, space: Space | None) -> Ranked:
    """Return the best chunks for a query."""
    meaning = question.meaning if space is not None and question.meaning and question.meaning.weight > 0 else None
    near = await nearest(tx, question, space, meaning) if space is not None and meaning is not None else {}
    words = await asyncio.to_thread(analysis.parse_query, question.text, [size.language for size in question.sizes])
    literal = await literals.find(tx, question.text, question.sizes, question.within)
    also = np.union1d(np.fromiter(near, np.int64, len(near)), literal.keys)
    found = await lexical.rank(tx, words, question.sizes, question.within, also=also)
    keys = np.union1d(found.best(_BEST_WORDS), also)
    if space is not None and meaning is not None:
        meaning = _reduce_weight(meaning, near)
        near |= await _load_cosines(tx, space, meaning, [key for key in keys.tolist() if key not in near])
    scored = await asyncio.to_thread(_fuse, keys, found, near, meaning)
    is_copy = await _copies(tx, scored)
    return await asyncio.to_thread(_judge, scored, found, is_copy, literal)


async def nearest(tx: Tx, question: RankedQuery, space: Space, meaning: QueryVector) -> dict[int, float]:
    """Return the cosines of the nearest chunks, by key. Small sets are compared exactly, without the HNSW index."""
    is_exact = not space.is_built or sum(size.chunks for size in question.sizes) < maintenance.BUILD_AT
    rows = await store.find_nearest(tx, space, meaning.vector, question.within, limit=_NEAREST, is_exact=is_exact)
    return {postings.key_of(reading, index): cosine for reading, index, cosine in rows}


def _reduce_weight(meaning: QueryVector, near: Mapping[int, float]) -> QueryVector:
    """Return the query vector with a lower weight where many chunks are near."""
    cosines = np.sort(np.fromiter(near.values(), np.float64, len(near)))[::-1]
    shares = fusion.semantic_share(cosines, background=meaning.background)
    return replace(meaning, weight=meaning.weight * fusion.distinctness(shares))


async def _load_cosines(tx: Tx, space: Space, meaning: QueryVector, keys: Sequence[int]) -> dict[int, float]:
    if not keys:
        return {}
    found = await store.load_cosines(tx, space, meaning.vector, [postings.place_of(key) for key in keys])
    return {postings.key_of(*place): cosine for place, cosine in found.items()}


def _fuse(keys: Keys, found: LexicalRanking, near: dict[int, float], meaning: QueryVector | None) -> _Scored:
    place = np.searchsorted(found.keys, keys)
    background = meaning.background if meaning else 0.0
    cosines = np.array([near.get(key, background) for key in keys.tolist()], np.float64)
    weight = meaning.weight if meaning else 0.0
    evidence = RankSignals(found.scores[place], fusion.semantic_share(cosines, background=background), weight)
    scores = fusion.fuse(evidence)
    order = np.lexsort((keys, -scores))
    return _Scored(keys[order], scores[order], found.coverage[place][order])


async def _copies(tx: Tx, scored: _Scored) -> NDArray[np.bool_]:
    """Return which chunks have the text of one before them; only chunks with equal scores are compared."""
    is_alike = np.concatenate([[False], np.abs(np.diff(scored.scores)) < _ALIKE])[: len(scored.keys)]
    is_compared = is_alike | np.append(is_alike[1:], values=False)[: len(scored.keys)]
    places = [postings.place_of(key) for key in scored.keys[is_compared].tolist()]
    digests = await passages.load_digests(tx, places) if places else {}
    is_copy = np.zeros(len(scored.keys), bool)
    seen = set[str]()
    for at, key in enumerate(scored.keys.tolist()):
        seen = seen if is_alike[at] else set()
        digest = digests.get(postings.place_of(key), "")
        is_copy[at] = digest in seen
        seen |= {digest} - {""}
    return is_copy


def _judge(scored: _Scored, found: LexicalRanking, is_copy: NDArray[np.bool_], literal: LiteralMatches) -> Ranked:
    relevance = fusion.relevance(scored.scores, scored.coverage, is_copy) * found.telling
    if not literal.weight:
        return Ranked(scored.keys, relevance, found.worth)
    held = literal.shares_of(scored.keys)
    order, relevance = fusion.apply_literals(scored.scores, relevance, held, weight=literal.weight)
    return Ranked(scored.keys[order], relevance, found.worth)
