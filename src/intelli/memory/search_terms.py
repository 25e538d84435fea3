"""What memory is found by: the weighted terms of a text, in the language it is written in."""

from collections.abc import Iterator
from enum import StrEnum

from intelli.reasoning.extractive import words
from intelli.retrieval import analysis

_K1 = 1.2
_B = 0.75
# What no weight exceeds.
MOST = _K1 + 1


class SearchKind(StrEnum):
    """What can be found in memory."""

    NODE = "node"
    FACT = "fact"
    EPISODE = "episode"


# A fixed length to compare with: what was weighed once is never weighed again.
_USUAL_LENGTH = {SearchKind.NODE: 2, SearchKind.FACT: 10, SearchKind.EPISODE: 60}


def language_of(text: str) -> str:
    """The language a text is analysed in."""
    return words.language_of(text)


def weighted(text: str, kind: SearchKind, *, language: str) -> Iterator[tuple[int, float]]:
    """Each term with its weight; how rare it is, a search finds out."""
    found = analysis.analyse(text, language)
    room = _K1 * (1 - _B + _B * found.length / _USUAL_LENGTH[kind])
    for term, times in found.counts.items():
        yield term, times * (_K1 + 1) / (times + room)
