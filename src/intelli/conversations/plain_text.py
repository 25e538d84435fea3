"""The words of a message without its citations: for previews, for search, and as context of the next question."""

import re

_TAG = re.compile(r"[ \t]?<gml-[^<>]*>")
_PREVIEW = 100


def plain(content: str) -> str:
    """The text without its citations."""
    return _TAG.sub("", content)


def preview(content: str) -> str:
    """The first words, on one line."""
    return cut(" ".join(plain(content[: _PREVIEW * 20]).split()), _PREVIEW)


def cut(text: str, length: int) -> str:
    """At most so many characters, with a sign that there is more."""
    return text if len(text) <= length else text[: length - 1].rstrip() + "\u2026"
