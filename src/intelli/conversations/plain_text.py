"""Text of a message without citation tags: for previews, for search, and as context of the next question."""

import re

_TAG = re.compile(r"[ \t]?<gml-[^<>]*>")
_PREVIEW = 100


def strip_citations(content: str) -> str:
    """Remove citation tags: "It grew <gml-inlinecitation …/>." → "It grew."."""
    return _TAG.sub("", content)


def preview(content: str) -> str:
    """Return the first 100 characters without citations, on one line."""
    return truncate(" ".join(strip_citations(content[: _PREVIEW * 20]).split()), _PREVIEW)


def truncate(text: str, length: int) -> str:
    """Cut a text to at most `length` characters, the last one an ellipsis."""
    return text if len(text) <= length else text[: length - 1].rstrip() + "\u2026"
