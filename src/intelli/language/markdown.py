"""Markdown that shows words as they are: nothing in them begins a heading, a list, a link or a citation."""

import re

# What Markdown, GML or a citation could begin with: a source's sentence stays text.
_MARKUP = re.compile(r"[\\`*\[\]<>{}|]")
_LINE_START = re.compile(r"^(?:#{1,6}\s|[-+]\s|\d{1,3}[.)]\s|=+$)")


def plain(text: str) -> str:
    """Words as one line of Markdown that shows them unchanged and does nothing else."""
    line = " ".join(text.split())
    escaped = _MARKUP.sub(lambda mark: {"<": "&lt;", ">": "&gt;"}.get(mark.group(), f"\\{mark.group()}"), line)
    return f"\\{escaped}" if _LINE_START.match(escaped) and not escaped[0].isdigit() else escaped
