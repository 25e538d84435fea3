"""Lexical ranking: BM25 over the postings, exact for the best, without reading every posting of every word.

Words that many chunks hold add little to a score. They are read in full only while they could still bring a chunk that
no rarer word found among the best; for the chunks that the rarer words found, they are looked up.
"""

import asyncio
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from intelli.kit.db import Tx
from intelli.retrieval import hits
from intelli.retrieval.analysis import Word
from intelli.retrieval.hits import Floats, Keys, Occurrences
from intelli.retrieval.store import lexical as store
from intelli.retrieval.store.lexical import Size, Within

K1 = 1.2
B = 0.75
_BEST = 50
_CANDIDATES = 400
# Below so many chunks, reading everything costs less than deciding what to read.
_SMALL = 4_000


@dataclass(frozen=True, slots=True)
class Weighed:
    """A term with what it is worth: `idf`, and which word of the query it stands for."""

    term: int
    idf: float
    word: int


@dataclass(frozen=True, slots=True)
class Ranking:
    """Chunks by their keys in rising order. Scores are shares of the most that the query can reach.

    `worth` is what each term of the query weighs.
    """

    keys: Keys
    scores: Floats
    worth: Mapping[int, float]

    def best(self, limit: int) -> Keys:
        """The keys of the best chunks, best first."""
        order = np.lexsort((self.keys, -self.scores))[:limit]
        return self.keys[order]


async def rank(tx: Tx, words: Sequence[Word], sizes: Sequence[Size], within: Within, *, also: Keys) -> Ranking:
    """Score the chunks that words find; of other chunks, those in `also`."""
    terms = sorted({term for word in words for term in word.terms})
    known = await _frequent(tx, terms, sizes, within)
    found = await store.occurrences(tx, [term for term in terms if term not in known], within)
    counts = {**known, **{term: len(occurrences.keys) for term, occurrences in found.items()}}
    weighed = _weigh(words, sizes, counts)
    board = Board(weighed, average=sum(size.length for size in sizes) / max(1, sum(size.chunks for size in sizes)))
    for term, occurrences in found.items():
        board.add(term, occurrences)
    waiting = sorted((each for each in weighed if each.term in known), key=lambda each: -each.idf)
    while waiting and not await asyncio.to_thread(board.is_settled, waiting):
        term = waiting.pop(0).term
        for occurrences in (await store.occurrences(tx, [term], within)).values():
            board.add(term, occurrences)
    if waiting:
        keys = np.union1d(board.candidates(_CANDIDATES), also)
        terms = [each.term for each in waiting]
        looked_up = await store.occurrences(tx, terms, within, also=hits.readings_of(keys))
        for term, occurrences in looked_up.items():
            board.add(term, _only(occurrences, keys))
    return await asyncio.to_thread(board.ranking, also)


async def _frequent(tx: Tx, terms: Sequence[int], sizes: Sequence[Size], within: Within) -> dict[int, int]:
    """Terms to read late, with how many of the chunks that the search looks at hold them, by their share of all."""
    looked_at = sum(size.chunks for size in sizes)
    if looked_at < _SMALL:
        return {}
    known = await store.frequent(tx, terms)
    total, _ = await store.growth(tx) if within.only is not None else (looked_at, 0)
    return {term: math.ceil(chunks * looked_at / max(1, total)) for term, chunks in known.items()}


def _only(found: Occurrences, keys: Keys) -> Occurrences:
    is_wanted = np.isin(found.keys, keys)
    return Occurrences(found.keys[is_wanted], found.counts[is_wanted], found.lengths[is_wanted])


class Board:
    """Where scores add up. `bound` is the score of a chunk that would hold every word to saturation."""

    def __init__(self, weighed: Sequence[Weighed], *, average: float) -> None:
        self._weight = {each.term: each for each in weighed}
        self._average = average
        self._keys: list[Keys] = []
        self._scores: list[Floats] = []
        self._summed: tuple[Keys, Floats] | None = None
        best: dict[int, float] = {}
        for each in weighed:
            best[each.word] = max(best.get(each.word, 0.0), each.idf)
        self.bound = sum(best.values()) or 1.0

    def add(self, term: int, found: Occurrences) -> None:
        """Count a term's occurrences."""
        idf = self._weight[term].idf
        norm = K1 * (1 - B + B * found.lengths / self._average)
        self._keys.append(found.keys)
        self._scores.append(idf * found.counts / (found.counts + norm))
        self._summed = None

    def is_settled(self, waiting: Sequence[Weighed]) -> bool:
        """True when no chunk that holds only waiting terms could come among the best."""
        _, scores = self._sum()
        if len(scores) < _BEST:
            return False
        least = float(np.partition(scores, len(scores) - _BEST)[len(scores) - _BEST])
        return least >= sum(each.idf for each in waiting)

    def candidates(self, limit: int) -> Keys:
        """The keys of the best so far."""
        keys, scores = self._sum()
        if len(keys) <= limit:
            return keys
        return keys[np.argpartition(scores, len(scores) - limit)[len(scores) - limit :]]

    def ranking(self, also: Keys) -> Ranking:
        """The result: the best, and the chunks of `also`."""
        keys, scores = self._sum()
        chosen = np.union1d(self.candidates(_CANDIDATES), also)
        place = np.searchsorted(keys, chosen)
        place[place == len(keys)] = 0
        is_there = keys[place] == chosen if len(keys) else np.zeros(len(chosen), bool)
        return Ranking(
            chosen,
            np.where(is_there, scores[place] if len(keys) else 0.0, 0.0) / self.bound,
            {term: each.idf for term, each in self._weight.items()},
        )

    def _sum(self) -> tuple[Keys, Floats]:
        if self._summed is None:
            keys = np.concatenate([np.empty(0, np.int64), *self._keys])
            unique, place = np.unique(keys, return_inverse=True)
            values = np.concatenate([np.empty(0), *self._scores])
            self._summed = unique, np.bincount(place, values, minlength=len(unique)).astype(np.float64)
        return self._summed


def _weigh(words: Sequence[Word], sizes: Sequence[Size], counts: Mapping[int, int]) -> list[Weighed]:
    """Terms with their inverse document frequency, among the chunks of languages that could hold them."""
    weighed = []
    for number, word in enumerate(words):
        for term in word.terms:
            total = sum(size.chunks for size in sizes if word.term_in.get(size.language) == term)
            # A word that no chunk holds weighs as if one did: in a small workspace that is most words of a question.
            held = counts.get(term) or 1
            weighed.append(Weighed(term, math.log(1 + (max(total, held) - held + 0.5) / (held + 0.5)), number))
    return weighed
