"""Search in conversations: all words must match, each as a prefix, in any language."""

import re

from intelli.conversations.plain_text import strip_citations, truncate
from intelli.retrieval.stemmers import UNSPACED

_WORD = re.compile(r"[^\s'\\&|!()<>:*]+")
_HAS_LETTER = re.compile(r"\w")
_WITHOUT_SPACES = re.compile(f"[{UNSPACED}]")
_MOST_WORDS = 16
_BEFORE, _LENGTH = 60, 200


def split_words(query: str) -> list[str]:
    """Split a query into at most 16 words that contain a letter or digit."""
    return [word for word in _WORD.findall(query) if _HAS_LETTER.search(word)][:_MOST_WORDS]


def build_tsquery(words: list[str]) -> str:
    """Build a PostgreSQL prefix query: ["annual", "rep"] → "'annual':* & 'rep':*"."""
    return " & ".join(f"'{word}':*" for word in words)


def is_unspaced(query: str) -> bool:
    """True for a script without spaces: words cannot be separated, so the query is searched as a substring."""
    return _WITHOUT_SPACES.search(query) is not None


def make_excerpt(content: str, words: list[str]) -> str:
    """Return the part of a message around the first match of any of the words."""
    text = " ".join(strip_citations(content).split())
    found = [place.start() for word in words if (place := re.search(re.escape(word), text, re.IGNORECASE))]
    start = max(0, min(found, default=0) - _BEFORE)
    if start:
        start = text.find(" ", start, start + _BEFORE) + 1 or start
    return ("\u2026" if start else "") + truncate(text[start:], _LENGTH)
