"""Negation: whether a text says that something is not so, and by which word."""

import re
from collections.abc import Set
from functools import cache, lru_cache

from intelli.language import languages

# "Not only" and its like add something, they deny nothing.
ADDING = ("not only", "not just", "not merely", "not limited to", "not least")
_NOT = rf"(?!(?:{'|'.join(ADDING)})\b)not".replace(" ", r"\s+")
_SHORT = r"n['\u2019]t\b"


def find_negation(text: str, words: Set[str] | None = None) -> str | None:
    """The first word by which a text denies something; None without one. "It isn't ready" → "n't".

    `words` are those that count; by default the negations of all languages, since sources quote each other.
    """
    match = _pattern(frozenset(negations() if words is None else words)).search(text)
    return match[0].lower() if match else None


def is_negated(text: str, words: Set[str] | None = None) -> bool:
    """Whether a text denies something."""
    return find_negation(text, words) is not None


@cache
def negations(*codes: str) -> frozenset[str]:
    """The words and phrases that deny, in these languages or in all."""
    known = [languages.languages()[code] for code in codes or languages.CODES]
    return frozenset().union(*(each.negations.union(each.negative_phrases) for each in known))


@lru_cache(maxsize=16)
def _pattern(words: frozenset[str]) -> re.Pattern[str]:
    unspaced = languages.languages()[languages.UNSPACED].negations & words
    ordered = sorted(words - unspaced, key=lambda word: (-len(word), word))
    spaced = "|".join(_NOT if word == "not" else re.escape(word) for word in ordered)
    return re.compile("|".join([rf"\b(?:{spaced})\b", _SHORT, *sorted(unspaced)]), re.IGNORECASE)
