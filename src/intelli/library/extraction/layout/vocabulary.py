"""Vocabulary of a document: decides whether a hyphen at a line end belongs to its word."""

import re
from collections.abc import Iterable

_EDGES = re.compile(r"^\W+|\W+$")


class Vocabulary:
    """The words that occur inside lines of the document."""

    def __init__(self) -> None:
        self._words: set[str] = set()

    def learn(self, words: Iterable[str]) -> None:
        """Add words."""
        self._words.update(map(_normalize, words))

    def keeps_hyphen(self, first: str, second: str) -> bool:
        """Return whether "co-" + "insurance" occurs elsewhere as co-insurance and never as coinsurance."""
        first, second = _normalize(first), _normalize(second)
        return f"{first}-{second}" in self._words and f"{first}{second}" not in self._words


def _normalize(word: str) -> str:
    return _EDGES.sub("", word).casefold() if not word.isalpha() else word.casefold()
