"""Search terms of memory: the weighted terms (BM25) of a text, in the language it is written in."""

from collections.abc import Iterator
from enum import StrEnum

from intelli.language import words
from intelli.retrieval import analysis
from intelli.retrieval.bm25 import K1, B

# No weight is greater.
MAX_WEIGHT = K1 + 1


class SearchKind(StrEnum):
    """Kind of an item that memory search finds."""

    NODE = "node"
    FACT = "fact"
    EPISODE = "episode"


# Fixed lengths to compare with, not averages: a stored weight never has to change.
_USUAL_LENGTH = {SearchKind.NODE: 2, SearchKind.FACT: 10, SearchKind.EPISODE: 60}


def language_of(text: str) -> str:
    """Return the code of the language that a text is analysed in."""
    return words.language_of(text)


def weighted_terms(text: str, kind: SearchKind, *, language: str) -> Iterator[tuple[int, float]]:
    """Yield each term with its weight in the text; its rarity is applied when searching."""
    found = analysis.analyse(text, language)
    saturation = K1 * (1 - B + B * found.length / _USUAL_LENGTH[kind])
    for term, times in found.counts.items():
        yield term, times * (K1 + 1) / (times + saturation)
