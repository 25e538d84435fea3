"""Locate quotes in the text they were copied from."""

import re

_SPACE = re.compile(r"\s+")


def find_quote(quote: str, text: str) -> str | None:
    """Find a quote in a text, ignoring differences in white space; return it as written there, else None."""
    words = _SPACE.split(quote.strip(" \n\t\"'\u201c\u201d\u201e"))
    if not any(words):
        return None
    found = re.search(r"\s+".join(map(re.escape, words)), text)
    return found.group() if found else None
