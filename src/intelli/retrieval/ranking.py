"""Ranking: the chunks that words or meaning find, each judged by both."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from intelli.kit.db import Tx
from intelli.reasoning.ports import Vectors
from intelli.retrieval import analysis, fusion, hits, lexical, tend
from intelli.retrieval.fusion import Evidence
from intelli.retrieval.hits import Floats, Keys
from intelli.retrieval.lexical import Ranking
from intelli.retrieval.store import vectors as store
from intelli.retrieval.store.lexical import Size, Within
from intelli.retrieval.tables import Space

_NEAREST = 100
_BEST_WORDS = 100
_NO_KEYS = np.empty(0, np.int64)


@dataclass(frozen=True, slots=True)
class Meaning:
    """A query as an embedder reads it: its vector, how much it is to count, and what unrelated texts score."""

    space: str
    vector: Vectors
    weight: float
    background: float


@dataclass(frozen=True, slots=True)
class Ranked:
    """Chunks by their keys, best first, with the relevance of each; `worth` is what each term of the query weighs."""

    keys: Keys
    relevance: Floats
    worth: Mapping[int, float]

    @property
    def readings(self) -> list[int]:
        """The readings that the chunks belong to, that of the best first."""
        return list(dict.fromkeys(hits.reading_part(self.keys).tolist()))

    def above(self, threshold: float) -> "Ranked":
        """Those that are at least so relevant."""
        kept = self.relevance >= threshold
        return replace(self, keys=self.keys[kept], relevance=self.relevance[kept])

    def without(self, readings: Sequence[int]) -> "Ranked":
        """The same without the chunks of some readings."""
        kept = ~np.isin(hits.reading_part(self.keys), np.asarray(readings, np.int64))
        return replace(self, keys=self.keys[kept], relevance=self.relevance[kept])


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked, of which readings, and how much there is in them."""

    text: str
    meaning: Meaning | None
    within: Within
    sizes: Sequence[Size]


async def rank(tx: Tx, question: Question, space: Space | None) -> Ranked:
    """The best chunks."""
    meaning = question.meaning if space is not None and question.meaning and question.meaning.weight > 0 else None
    near = await nearest(tx, question, space, meaning) if space is not None and meaning is not None else {}
    words = await asyncio.to_thread(analysis.read_query, question.text, [size.language for size in question.sizes])
    also = np.unique(np.fromiter(near, np.int64, len(near)))
    found = await lexical.rank(tx, words, question.sizes, question.within, also=also)
    keys = np.union1d(found.best(_BEST_WORDS), also)
    if space is not None and meaning is not None:
        meaning = _weighed(meaning, near)
        near |= await _look_up(tx, space, meaning, [key for key in keys.tolist() if key not in near])
    return await asyncio.to_thread(_fuse, keys, found, near, meaning)


async def nearest(tx: Tx, question: Question, space: Space, meaning: Meaning) -> dict[int, float]:
    """The cosines of the nearest chunks, by key. Where few are looked at, all are compared."""
    is_exact = not space.is_built or sum(size.chunks for size in question.sizes) < tend.BUILD_AT
    rows = await store.nearest(tx, space, meaning.vector, question.within, limit=_NEAREST, is_exact=is_exact)
    return {hits.key_of(reading, index): cosine for reading, index, cosine in rows}


def _weighed(meaning: Meaning, near: Mapping[int, float]) -> Meaning:
    """The same, counting less where everything is near."""
    cosines = np.sort(np.fromiter(near.values(), np.float64, len(near)))[::-1]
    shares = fusion.semantic_share(cosines, background=meaning.background)
    return replace(meaning, weight=meaning.weight * fusion.uncrowded(shares))


async def _look_up(tx: Tx, space: Space, meaning: Meaning, keys: Sequence[int]) -> dict[int, float]:
    if not keys:
        return {}
    found = await store.cosines(tx, space, meaning.vector, [hits.place_of(key) for key in keys])
    return {hits.key_of(*place): cosine for place, cosine in found.items()}


def _fuse(keys: Keys, found: Ranking, near: dict[int, float], meaning: Meaning | None) -> Ranked:
    place = np.searchsorted(found.keys, keys)
    background = meaning.background if meaning else 0.0
    cosines = np.array([near.get(key, background) for key in keys.tolist()], np.float64)
    weight = meaning.weight if meaning else 0.0
    evidence = Evidence(found.scores[place], fusion.semantic_share(cosines, background=background), weight)
    scores = fusion.fuse(evidence)
    order = np.lexsort((keys, -scores))
    relevance = fusion.relevance(scores[order], found.coverage[place][order])
    return Ranked(keys[order], relevance * found.telling, found.worth)
