"""What the words of a query are worth in memory: the rarer, the more."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from intelli.memory import search_terms
from intelli.memory.search_terms import SearchKind
from intelli.reasoning.extractive.languages import languages as all_languages
from intelli.retrieval import analysis

_MARKS = ".,;:!?\"'()[]{}\u201c\u201d\u2018\u2019\u00bf\u00a1"


@dataclass(frozen=True, slots=True)
class TermWeights:
    """What each term of a query is worth among items of a kind, and the most that an item can come to."""

    terms: Mapping[int, float]
    bound: float


def read(query: str, languages: Iterable[str]) -> list[analysis.QueryWord]:
    """The words of a query in the languages of the groups it is for, without those that carry no subject."""
    spoken = {*languages, search_terms.language_of(query)}
    known = all_languages()
    little = {word for each in spoken if each in known for word in known[each].stop_words}
    telling = [word for word in query.split() if word.strip(_MARKS).lower() not in little]
    return analysis.read_query(" ".join(telling) or query, spoken)


def worth(
    query: list[analysis.QueryWord], kind: SearchKind, *, items: int, frequencies: Mapping[tuple[SearchKind, int], int]
) -> TermWeights:
    """What the words of a query are worth. One that nothing holds counts as if one item did."""
    found: dict[int, float] = {}
    bound = 0.0
    for word in query:
        worths = {term: _rarity(items, frequencies.get((kind, term), 0)) for term in word.terms}
        found |= worths
        bound += max(worths.values(), default=0.0)
    return TermWeights(found, bound or 1.0)


def _rarity(items: int, holding: int) -> float:
    held = holding or 1
    return math.log(1 + (max(items, held) - held + 0.5) / (held + 0.5))
