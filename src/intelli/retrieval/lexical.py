"""Lexical ranking: BM25 over the postings, exact for the best, without reading every posting of every word.

Words that many chunks hold add little to a score. For the best chunks that the rarer words found, they are looked up;
they are read in full only while they alone could still bring a chunk among the best. Those that all together are worth
next to nothing beside the rest of the query, as "of the" mostly is, are not read at all.
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
# Below so many chunks, reading everything costs less than deciding what to read.
_SMALL = 12_000
# So many chunks of a language tell how rare its words are.
_ENOUGH = 100
# In which share of a language's chunks a word is taken to be at least, and how many chunks tell nothing of that; what
# the logarithms of all shares must differ by to tell two languages apart.
_RARE, _FEW_CHUNKS, _DOUBT = 1e-3, 10, 2.0
# Words that together are worth less than this, among so many chunks, tell little of what is asked: "of the" is in most.
_TELLING, _MANY = 1.5, 2_000
# The share of a score that the most frequent words of a query may have in all without being looked at.
_NEGLIGIBLE = 0.01
_NO_KEYS = np.empty(0, np.int64)


@dataclass(frozen=True, slots=True)
class WeightedTerm:
    """A term with what it is worth: `idf`, and which word of the query it stands for."""

    term: int
    idf: float
    word: int


@dataclass(frozen=True, slots=True)
class LexicalRanking:
    """Chunks by their keys in rising order. Scores are shares of the most that the query can reach.

    `coverage` is the share of the query's words that a chunk holds, each word counting by how rare it is; `worth` is
    what each term of the query weighs, and `telling` how much all of them say of what is asked, 0 to 1.
    """

    keys: Keys
    scores: Floats
    coverage: Floats
    worth: Mapping[int, float]
    telling: float

    def best(self, limit: int) -> Keys:
        """The keys of the best chunks, and of the best one of each of the best readings, in rising order."""
        order = np.lexsort((self.keys, -self.scores))[:limit]
        return np.union1d(self.keys[order], _best_of_readings(self.keys, self.scores, limit))


async def rank(
    tx: Tx, words: Sequence[QueryWord], sizes: Sequence[Size], within: ReadingFilter, *, also: Keys
) -> LexicalRanking:
    """Score the chunks that words find; of other chunks, those in `also`."""
    terms = sorted({term for word in words for term in word.terms})
    known = await _frequent(tx, terms, sizes, within)
    gone = await store.strays(tx)
    looked_up = await store.occurrences(tx, [term for term in terms if term not in known], within, gone=gone)
    found = {term: occurrences for term, occurrences in looked_up.items() if len(occurrences.keys)}
    counts = {**known, **{term: len(occurrences.keys) for term, occurrences in found.items()}}
    weighed = _weigh(words, sizes, counts)
    board = ScoreBoard(weighed, length=sum(size.length for size in sizes), chunks=sum(size.chunks for size in sizes))
    for term, occurrences in found.items():
        board.add(term, occurrences)
    waiting = _worthwhile([each for each in weighed if each.term in known], board.bound)
    seen = _NO_KEYS
    while waiting:
        keys = np.union1d(await asyncio.to_thread(board.candidates, _CANDIDATES), also)
        late = [each.term for each in waiting]
        await _look_up(tx, board, late, within, keys=np.setdiff1d(keys, seen), gone=gone)
        seen = np.union1d(seen, keys)
        unread = await asyncio.to_thread(board.unsettled, waiting)
        if not unread:
            break
        for term, occurrences in (await store.occurrences(tx, unread, within, gone=gone)).items():
            board.add(term, occurrences)
        waiting = waiting[len(unread) :]
    return await asyncio.to_thread(board.ranking, also)


async def _look_up(
    tx: Tx, board: "ScoreBoard", terms: Sequence[int], within: ReadingFilter, *, keys: Keys, gone: VoidReadings
) -> None:
    """Count terms for single chunks."""
    found = await store.occurrences(tx, terms, within, gone=gone, also=postings.readings_of(keys))
    for term, occurrences in found.items():
        board.extend(term, occurrences.where(np.isin(occurrences.keys, keys)))


async def _frequent(tx: Tx, terms: Sequence[int], sizes: Sequence[Size], within: ReadingFilter) -> dict[int, int]:
    """Terms to read late, with how many of the chunks that the search looks at hold them, by their share of all."""
    looked_at = sum(size.chunks for size in sizes)
    if looked_at < _SMALL:
        return {}
    known = await store.frequent(tx, terms)
    total, _ = await store.growth(tx) if within.only is not None else (looked_at, 0)
    return {term: math.ceil(chunks * looked_at / max(1, total)) for term, chunks in known.items()}


def _worthwhile(waiting: Sequence[WeightedTerm], bound: float) -> list[WeightedTerm]:
    """The terms that can tell chunks apart, rarest first: what the others add up to is lost in the scores."""
    by_worth = sorted(waiting, key=lambda each: each.idf)
    added = np.cumsum([each.idf for each in by_worth])
    return by_worth[int(np.searchsorted(added, bound * _NEGLIGIBLE, side="right")) :][::-1]


class ScoreBoard:
    """Where scores add up. `bound` is the score of a chunk that would hold every word to saturation."""

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
        """Count all occurrences of a term."""
        self._found[term] = found.keys, self._scores(term, found)
        self._summed = None

    def extend(self, term: int, found: Occurrences) -> None:
        """Count some occurrences of a term that were not counted before."""
        keys, scores = self._found.get(term, (_NO_KEYS, np.empty(0)))
        self._found[term] = np.concatenate([keys, found.keys]), np.concatenate([scores, self._scores(term, found)])
        self._summed = None

    def _scores(self, term: int, found: Occurrences) -> Floats:
        norm = K1 * (1 - B + B * found.lengths / self._average)
        return self._weight[term].idf * found.counts / (found.counts + norm)

    def unsettled(self, waiting: Sequence[WeightedTerm]) -> list[int]:
        """Which of the waiting terms, rarest first, to read in full, so that the others alone make no chunk one of the
        best. While few chunks are known, one term may find enough of them."""
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
        """The keys of the best so far, among them one of each reading that may be one of the best."""
        keys, scores = self._sum()
        if len(keys) <= limit:
            return keys
        best = keys[np.argpartition(scores, len(scores) - limit)[len(scores) - limit :]]
        return np.union1d(best, _best_of_readings(keys, scores, _READINGS))

    def ranking(self, also: Keys) -> LexicalRanking:
        """The result: the best, and the chunks of `also`."""
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
    """Of the readings with the best chunks the best chunk of each, so that no long text hides all others."""
    if not len(keys):
        return keys
    readings = postings.reading_part(keys)
    starts = np.flatnonzero(np.diff(readings, prepend=readings[0] - 1))
    ends = np.append(starts[1:], len(keys))
    best = np.argsort(-np.maximum.reduceat(scores, starts), kind="stable")[:limit]
    return keys[
        [start + int(np.argmax(scores[start:end])) for start, end in zip(starts[best], ends[best], strict=True)]
    ]


def _weigh(words: Sequence[QueryWord], sizes: Sequence[Size], counts: Mapping[int, int]) -> list[WeightedTerm]:
    """Terms with their inverse document frequency.

    A word that is read in several languages is worth what it is in those that hold it. But a word of the language in
    which the query was likely written is worth no more where texts of another merely quote it, as "the" is rare there.
    """
    everywhere = sum(size.chunks for size in sizes)
    likely = _likely(words, sizes, counts)
    weighed = []
    for number, word in enumerate(words):
        held = {term: counts[term] for term in word.terms if counts.get(term)}
        own = {word.term_in[language] for language in likely if language in word.term_in}
        worth = {}
        # A word that no chunk holds weighs as if one did: in a small workspace that is most words of a question.
        for term, count in (held or dict.fromkeys(word.terms, 1)).items():
            total = sum(size.chunks for size in sizes if word.term_in.get(size.language) == term)
            # That a few chunks do not hold a word tells little of how rare it is.
            lent = min(everywhere - total, math.inf if held else total)
            rate = sum(held.values()) / everywhere
            worth[term] = _idf(count, total, lent=lent, rate=rate)
        most = max((idf for term, idf in worth.items() if term in own), default=math.inf)
        weighed += [WeightedTerm(term, min(idf, most), number) for term, idf in worth.items()]
    return weighed


def _likely(words: Sequence[QueryWord], sizes: Sequence[Size], counts: Mapping[int, int]) -> set[str]:
    """The languages whose chunks hold the words of a query about as often as those of any other do."""
    chances = {size.language: 0.0 for size in sizes}
    for word in words:
        # Some languages share a term, and how often each holds it is not known.
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
    """How rare a term is among the chunks of languages that could hold it.

    Where these are few they cannot tell: chunks of other languages are lent to them, with the rate at which the word is
    found everywhere.
    """
    lent = min(lent, max(0.0, _ENOUGH - total))
    held, of = count + lent * rate, max(total, count) + lent
    return math.log(1 + (of - held + 0.5) / (held + 0.5))
