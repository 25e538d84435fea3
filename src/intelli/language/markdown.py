"""Markdown and words: words shown as they are, so that nothing in them is markup, and words without their emphasis."""

import re

# What Markdown, GML or a citation could begin with: a source's sentence stays text.
_MARKUP = re.compile(r"[\\`*\[\]<>{}|]")
# Words that are printed strongly, or as code.
_STRONG = re.compile(r"(?P<mark>\*\*|__|`)(?=[^\s*_`])(?P<words>[^*_`\n]{1,300})(?P=mark)")
# The words in strong type that a paragraph begins with: "**Staff.** There are 164."
_RUN_IN = re.compile(r"\A(?P<number>\d{1,3}[.)]\s+)?\*\*(?P<words>[^*\n]{1,60}?)[.:]?\*\*[.:]?\s+(?=\S)")
_LINE_START = re.compile(r"^(?:#{1,6}\s|[-+]\s|\d{1,3}[.)]\s|=+$)")


def plain(text: str) -> str:
    """Words as one line of Markdown that shows them unchanged and does nothing else."""
    line = " ".join(text.split())
    escaped = _MARKUP.sub(lambda mark: {"<": "&lt;", ">": "&gt;"}.get(mark.group(), f"\\{mark.group()}"), line)
    return f"\\{escaped}" if _LINE_START.match(escaped) and not escaped[0].isdigit() else escaped


def without_emphasis(text: str) -> str:
    """Words without the marks that make them strong or code; strong ones at the beginning are a label."""
    text = _RUN_IN.sub(lambda match: f"{match['words']}: ", text)
    return _STRONG.sub(lambda match: match["words"], text)
