"""Quotes, found in the text that they were copied from."""

import re

_SPACE = re.compile(r"\s+")


def find_quote(quote: str, text: str) -> str | None:
    """The stretch of a text that a quote was copied from, as it stands there; space may differ."""
    words = _SPACE.split(quote.strip(" \n\t\"'\u201c\u201d\u201e"))
    if not any(words):
        return None
    found = re.search(r"\s+".join(map(re.escape, words)), text)
    return found.group() if found else None
