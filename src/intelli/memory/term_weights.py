"""Weights of a query's terms in memory: the rarer a term, the greater its weight (inverse document frequency)."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from intelli.language.languages import languages as all_languages
from intelli.memory import search_terms
from intelli.memory.search_terms import SearchKind
from intelli.retrieval import analysis

_MARKS = ".,;:!?\"'()[]{}\u201c\u201d\u2018\u2019\u00bf\u00a1"


@dataclass(frozen=True, slots=True)
class TermWeights:
    """Weight of each term of a query among items of one kind; `bound` is the highest sum that an item can reach."""

    terms: Mapping[int, float]
    bound: float


def read_query(query: str, languages: Iterable[str]) -> list[analysis.QueryWord]:
    """Return the words of a query without stop words, analysed in the groups' languages and in its own."""
    spoken = {*languages, search_terms.language_of(query)}
    known = all_languages()
    stop_words = {word for each in spoken if each in known for word in known[each].stop_words}
    kept = [word for word in query.split() if word.strip(_MARKS).lower() not in stop_words]
    return analysis.parse_query(" ".join(kept) or query, spoken)


def weigh(
    query: list[analysis.QueryWord], kind: SearchKind, *, items: int, frequencies: Mapping[tuple[SearchKind, int], int]
) -> TermWeights:
    """Return the weights of a query's terms. A term that no item has counts as if one item had it."""
    found: dict[int, float] = {}
    bound = 0.0
    for word in query:
        weights = {term: _rarity(items, frequencies.get((kind, term), 0)) for term in word.terms}
        found |= weights
        bound += max(weights.values(), default=0.0)
    return TermWeights(found, bound or 1.0)


def _rarity(items: int, containing: int) -> float:
    count = containing or 1
    return math.log(1 + (max(items, count) - count + 0.5) / (count + 0.5))
