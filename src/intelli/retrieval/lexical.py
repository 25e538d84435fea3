"""Lexical ranking: BM25 over the postings, exact for the best chunks, without reading every posting of every word.

Words that occur in many chunks add little to a score. They are looked up for the best chunks that rarer words found,
and read in full only while they alone could still bring a chunk among the best. Words whose combined weight is
negligible beside the rest of the query, as that of "of the" mostly is, are not read at all.
"""

import asyncio
import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from intelli.kit.db import Tx
from intelli.retrieval import postings
from intelli.retrieval.analysis import QueryWord
from intelli.retrieval.postings import Floats, Keys, Occurrences
from intelli.retrieval.store import lexical as store
from intelli.retrieval.store.lexical import ReadingFilter, Size, VoidReadings

K1 = 1.2
B = 0.75
_BEST = 50
_CANDIDATES = 400
_READINGS = 100
# Below this number of chunks, reading everything costs less than deciding what to read.
_SMALL = 12_000
# With this number of chunks in a language, its document frequencies are reliable.
_ENOUGH = 100
# Least share of a language's chunks that a word is assumed to be in, chunks added to smooth that share, and the least
# difference between the summed logarithms of shares that tells two languages apart.
_RARE, _FEW_CHUNKS, _DOUBT = 1e-3, 10, 2.0
# A query whose summed idf is below this, in an index of so many chunks, is uninformative: "of the" is in most chunks.
_TELLING, _MANY = 1.5, 2_000
# Largest share of a score that the most frequent words of a query may have together and still be skipped.
_NEGLIGIBLE = 0.01
_NO_KEYS = np.empty(0, np.int64)


@dataclass(frozen=True, slots=True)
class WeightedTerm:
    """A term with its weight `idf`, and the number of the query's word that it stands for."""

    term: int
    idf: float
    word: int


@dataclass(frozen=True, slots=True)
class LexicalRanking:
    """Scored chunks by key in rising order. Scores are shares of the most that the query can reach.

    `coverage` is the share of the query's words in a chunk, each weighted by its idf; `worth` is the idf of each term,
    and `telling` how informative the query is, 0 to 1.
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


async def rank(
    tx: Tx, words: Sequence[QueryWord], sizes: Sequence[Size], within: ReadingFilter, *, also: Keys
) -> LexicalRanking:
    """Score the best chunks that contain words of the query, and the chunks with the keys `also`."""
    terms = sorted({term for word in words for term in word.terms})
    known = await _frequent(tx, terms, sizes, within)
    gone = await store.list_void_readings(tx)
    looked_up = await store.load_occurrences(tx, [term for term in terms if term not in known], within, gone=gone)
    found = {term: occurrences for term, occurrences in looked_up.items() if len(occurrences.keys)}
    counts = {**known, **{term: len(occurrences.keys) for term, occurrences in found.items()}}
    weighed = _weigh(words, sizes, counts)
    board = ScoreBoard(weighed, length=sum(size.length for size in sizes), chunks=sum(size.chunks for size in sizes))
    for term, occurrences in found.items():
        board.add(term, occurrences)
    waiting = _without_negligible([each for each in weighed if each.term in known], board.bound)
    seen = _NO_KEYS
    while waiting:
        keys = np.union1d(await asyncio.to_thread(board.candidates, _CANDIDATES), also)
        late = [each.term for each in waiting]
        await _look_up(tx, board, late, within, keys=np.setdiff1d(keys, seen), gone=gone)
        seen = np.union1d(seen, keys)
        unread = await asyncio.to_thread(board.unsettled, waiting)
        if not unread:
            break
        for term, occurrences in (await store.load_occurrences(tx, unread, within, gone=gone)).items():
            board.add(term, occurrences)
        waiting = waiting[len(unread) :]
    return await asyncio.to_thread(board.ranking, also)


async def _look_up(
    tx: Tx, board: "ScoreBoard", terms: Sequence[int], within: ReadingFilter, *, keys: Keys, gone: VoidReadings
) -> None:
    """Add the occurrences of terms in certain chunks to the board."""
    found = await store.load_occurrences(tx, terms, within, gone=gone, also=postings.distinct_readings(keys))
    for term, occurrences in found.items():
        board.extend(term, occurrences.where(np.isin(occurrences.keys, keys)))


async def _frequent(tx: Tx, terms: Sequence[int], sizes: Sequence[Size], within: ReadingFilter) -> dict[int, int]:
    """Return the frequent terms, to be read last, with their estimated number of chunks within the filter."""
    looked_at = sum(size.chunks for size in sizes)
    if looked_at < _SMALL:
        return {}
    known = await store.find_frequent(tx, terms)
    total, _ = await store.load_growth(tx) if within.only is not None else (looked_at, 0)
    return {term: math.ceil(chunks * looked_at / max(1, total)) for term, chunks in known.items()}


def _without_negligible(waiting: Sequence[WeightedTerm], bound: float) -> list[WeightedTerm]:
    """Return the terms worth reading, rarest first: the summed idf of those left out is negligible."""
    by_worth = sorted(waiting, key=lambda each: each.idf)
    added = np.cumsum([each.idf for each in by_worth])
    return by_worth[int(np.searchsorted(added, bound * _NEGLIGIBLE, side="right")) :][::-1]


class ScoreBoard:
    """Sums BM25 scores of chunks. `bound` is the score of a chunk that contains every word to saturation."""

    def __init__(self, weighed: Sequence[WeightedTerm], *, length: int, chunks: int) -> None:
        self._weight = {each.term: each for each in weighed}
        self._average = length / max(1, chunks)
        self._found: dict[int, tuple[Keys, Floats]] = {}
        self._summed: tuple[Keys, Floats] | None = None
        best: dict[int, float] = {}
        for each in weighed:
            best[each.word] = max(best.get(each.word, 0.0), each.idf)
        self.bound = sum(best.values()) or 1.0
        enough = _TELLING * min(1.0, chunks / _MANY)
        self._telling = min(1.0, self.bound / enough) ** 2 if best and enough else 1.0

    def add(self, term: int, found: Occurrences) -> None:
        """Set all occurrences of a term."""
        self._found[term] = found.keys, self._scores(term, found)
        self._summed = None

    def extend(self, term: int, found: Occurrences) -> None:
        """Add further occurrences of a term."""
        keys, scores = self._found.get(term, (_NO_KEYS, np.empty(0)))
        self._found[term] = np.concatenate([keys, found.keys]), np.concatenate([scores, self._scores(term, found)])
        self._summed = None

    def _scores(self, term: int, found: Occurrences) -> Floats:
        norm = K1 * (1 - B + B * found.lengths / self._average)
        return self._weight[term].idf * found.counts / (found.counts + norm)

    def unsettled(self, waiting: Sequence[WeightedTerm]) -> list[int]:
        """Return which of the waiting terms, rarest first, must be read in full, so that the others alone cannot bring
        a chunk among the best. While few chunks are known, only the rarest term is returned."""
        _, scores = self._sum()
        if len(scores) < _BEST:
            return [waiting[0].term]
        least = float(np.partition(scores, len(scores) - _BEST)[len(scores) - _BEST])
        reach = sum(each.idf for each in waiting)
        unread = []
        for each in waiting:
            if reach <= least:
                break
            unread.append(each.term)
            reach -= each.idf
        return unread

    def candidates(self, limit: int) -> Keys:
        """Return the keys of the best chunks so far, and of the best chunk of each of the best readings."""
        keys, scores = self._sum()
        if len(keys) <= limit:
            return keys
        best = keys[np.argpartition(scores, len(scores) - limit)[len(scores) - limit :]]
        return np.union1d(best, _best_of_readings(keys, scores, _READINGS))

    def ranking(self, also: Keys) -> LexicalRanking:
        """Build the result: the best chunks, and those of `also`."""
        chosen = np.union1d(self.candidates(_CANDIDATES), also)
        scores, coverage = np.zeros(len(chosen)), np.zeros(len(chosen))
        for term, (keys, values) in self._found.items():
            place = np.searchsorted(chosen, keys)
            is_chosen = chosen.take(place, mode="clip") == keys if len(chosen) else np.zeros(len(keys), bool)
            scores[place[is_chosen]] += values[is_chosen]
            coverage[place[is_chosen]] += self._weight[term].idf
        worth = {term: each.idf for term, each in self._weight.items()}
        return LexicalRanking(chosen, scores / self.bound, np.minimum(coverage / self.bound, 1.0), worth, self._telling)

    def _sum(self) -> tuple[Keys, Floats]:
        if self._summed is None:
            keys = np.concatenate([_NO_KEYS, *(keys for keys, _ in self._found.values())])
            unique, place = np.unique(keys, return_inverse=True)
            values = np.concatenate([np.empty(0), *(values for _, values in self._found.values())])
            self._summed = unique, np.bincount(place, values, minlength=len(unique)).astype(np.float64)
        return self._summed


def _best_of_readings(keys: Keys, scores: Floats, limit: int) -> Keys:
    """Return the best chunk of each of the best readings, so that no long text hides all others."""
    if not len(keys):
        return keys
    readings = postings.readings_of_keys(keys)
    starts = np.flatnonzero(np.diff(readings, prepend=readings[0] - 1))
    ends = np.append(starts[1:], len(keys))
    best = np.argsort(-np.maximum.reduceat(scores, starts), kind="stable")[:limit]
    return keys[
        [start + int(np.argmax(scores[start:end])) for start, end in zip(starts[best], ends[best], strict=True)]
    ]


def _weigh(words: Sequence[QueryWord], sizes: Sequence[Size], counts: Mapping[int, int]) -> list[WeightedTerm]:
    """Return the query's terms with their inverse document frequency (idf).

    A word gets a weight in each language that contains it. But the weight of a word of the query's likely language is a
    maximum for its other languages, whose texts merely quote it: "the" is rare in German texts.
    """
    everywhere = sum(size.chunks for size in sizes)
    likely = _likely(words, sizes, counts)
    weighed = []
    for number, word in enumerate(words):
        held = {term: counts[term] for term in word.terms if counts.get(term)}
        own = {word.term_in[language] for language in likely if language in word.term_in}
        worth = {}
        # A word that occurs nowhere is weighted as if one chunk had it: in a small workspace that is most words.
        for term, count in (held or dict.fromkeys(word.terms, 1)).items():
            total = sum(size.chunks for size in sizes if word.term_in.get(size.language) == term)
            # That it is missing in a few chunks says little about how rare it is.
            lent = min(everywhere - total, math.inf if held else total)
            rate = sum(held.values()) / everywhere
            worth[term] = _idf(count, total, lent=lent, rate=rate)
        most = max((idf for term, idf in worth.items() if term in own), default=math.inf)
        weighed += [WeightedTerm(term, min(idf, most), number) for term, idf in worth.items()]
    return weighed


def _likely(words: Sequence[QueryWord], sizes: Sequence[Size], counts: Mapping[int, int]) -> set[str]:
    """Return the likely languages of a query: those whose chunks contain its words about as often as any other's."""
    chances = {size.language: 0.0 for size in sizes}
    for word in words:
        # Languages may share a term, and its count in each of them is not known.
        chunks = Counter[int | None]()
        for size in sizes:
            chunks[word.term_in.get(size.language)] += size.chunks
        for language in chances:
            term = word.term_in.get(language)
            held = 0 if term is None else counts.get(term, 0)
            chances[language] += math.log(max(_RARE, held / (chunks[term] + _FEW_CHUNKS)))
    best = max(chances.values(), default=0.0)
    return {language for language, chance in chances.items() if chance >= best - _DOUBT}


def _idf(count: int, total: int, *, lent: float, rate: float) -> float:
    """Return the idf of a term among the chunks of the languages that could contain it.

    Where these chunks are few, chunks of other languages are added (`lent`), with the rate at which the word occurs in
    all languages.
    """
    lent = min(lent, max(0.0, _ENOUGH - total))
    held, of = count + lent * rate, max(total, count) + lent
    return math.log(1 + (of - held + 0.5) / (held + 0.5))
