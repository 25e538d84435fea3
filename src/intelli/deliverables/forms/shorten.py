"""Shorten texts for limited space, with an ellipsis where words are left out."""

import re

_SENTENCE_END = re.compile(r"(?<=[.!?\u3002])\s+")
_ELLIPSIS = "\u2026"


def shorten(text: str, length: int) -> str:
    """Return the whole sentences that fit, or else whole words and an ellipsis."""
    if len(text) <= length:
        return text
    cut = ""
    for sentence in _SENTENCE_END.split(text):
        if len(cut) + len(sentence) + 1 > length:
            break
        cut = f"{cut} {sentence}".strip()
    lead = " " if text.startswith(" ") else ""
    return lead + (cut or f"{text[: length - 1].rpartition(' ')[0] or text[: length - 1]}{_ELLIPSIS}")


def shorten_to_line(text: str, length: int) -> str:
    """Return the beginning of a text on one line, with an ellipsis when it goes on."""
    line = " ".join(text.split())
    begun = shorten(line, length)
    return begun if begun == line or begun.endswith(_ELLIPSIS) else f"{begun} {_ELLIPSIS}"
