"""The words of a document so far: they tell whether a hyphen at a line end belongs to its word."""

import re
from collections.abc import Iterable

_EDGES = re.compile(r"^\W+|\W+$")


class Vocabulary:
    """Remembers words as they stand inside lines."""

    def __init__(self) -> None:
        self._words: set[str] = set()

    def learn(self, words: Iterable[str]) -> None:
        """Adds words."""
        self._words.update(map(_plain, words))

    def keeps_hyphen(self, first: str, second: str) -> bool:
        """Whether "co-" and "insurance" are written co-insurance elsewhere, and nowhere coinsurance."""
        first, second = _plain(first), _plain(second)
        return f"{first}-{second}" in self._words and f"{first}{second}" not in self._words


def _plain(word: str) -> str:
    return _EDGES.sub("", word).casefold() if not word.isalpha() else word.casefold()
