"""Searching conversations by their words: each word may be cut short, in any language, and all have to be there."""

import re

from intelli.conversations.plain_text import cut, plain
from intelli.retrieval.stemmers import UNSPACED

_WORD = re.compile(r"[^\s'\\&|!()<>:*]+")
_HAS_LETTER = re.compile(r"\w")
_WITHOUT_SPACES = re.compile(f"[{UNSPACED}]")
_MOST_WORDS = 16
_BEFORE, _LENGTH = 60, 200


def words_of(query: str) -> list[str]:
    """The words of a query."""
    return [word for word in _WORD.findall(query) if _HAS_LETTER.search(word)][:_MOST_WORDS]


def tsquery(words: list[str]) -> str:
    """Words as PostgreSQL looks for them."""
    return " & ".join(f"'{word}':*" for word in words)


def is_unspaced(query: str) -> bool:
    """True when the script has no spaces: words cannot be told apart, so the query is looked for as it stands."""
    return _WITHOUT_SPACES.search(query) is not None


def excerpt(content: str, words: list[str]) -> str:
    """The stretch of a message around the first of the words that stands in it."""
    text = " ".join(plain(content).split())
    found = [place.start() for word in words if (place := re.search(re.escape(word), text, re.IGNORECASE))]
    start = max(0, min(found, default=0) - _BEFORE)
    if start:
        start = text.find(" ", start, start + _BEFORE) + 1 or start
    return ("\u2026" if start else "") + cut(text[start:], _LENGTH)
