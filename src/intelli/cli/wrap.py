"""Wraps text to the width of a terminal, also while it streams; without a terminal lines are left whole."""

import re
import shutil
import sys
import textwrap
from collections.abc import Iterable

_PIECE = re.compile(r"\n|[^\S\n]+|\S+")
_ITEM = re.compile(r"[-*\u2022]|\d{1,3}[.)]")
# A line that is longer than this is hard to read, however wide the window is.
_WIDEST = 100
_NARROWEST = 20


def line_width() -> int | None:
    """Return the width to wrap lines at; None when standard output is a file or a pipe."""
    if not sys.stdout.isatty():
        return None
    return max(_NARROWEST, min(_WIDEST, shutil.get_terminal_size().columns))


class LineWrapper:
    """Wraps streamed text: a word is held back until it is complete. Lines of list items are indented."""

    def __init__(self, width: int | None) -> None:
        self._width = width
        self._held = ""
        self._column = 0
        self._indent = ""

    def feed(self, piece: str) -> str:
        """Add a piece of text; return the wrapped text that can be printed now."""
        if self._width is None:
            return piece
        *whole, self._held = [*_PIECE.findall(self._held + piece), ""]
        if whole and not whole[-1].isspace():
            self._held = whole.pop()
        return "".join(self._place(each) for each in whole)

    def flush(self) -> str:
        """Return the word that was held back."""
        rest, self._held = self._held, ""
        return self._place(rest) if rest else ""

    def _place(self, piece: str) -> str:
        assert self._width is not None, "whole lines are not folded"
        if piece == "\n":
            self._column, self._indent = 0, ""
            return piece
        if self._column == 0 and _ITEM.fullmatch(piece):
            self._indent = " " * (len(piece) + 1)
        if piece.isspace():
            # Shown with the word after it, unless that goes to the next line.
            self._column += len(piece)
            return piece if self._column < self._width else ""
        broken = self._column > len(self._indent) and self._column + len(piece) > self._width
        self._column = len(self._indent) + len(piece) if broken else self._column + len(piece)
        return f"\n{self._indent}{piece}" if broken else piece


def fold(lines: Iterable[str], width: int | None) -> list[str]:
    """Wrap lines, with continuations indented by the line's own indentation, at least 4; None leaves them whole."""
    if width is None:
        return list(lines)
    folded: list[str] = []
    for line in lines:
        indent = " " * max(4, len(line) - len(line.lstrip()))
        folded += textwrap.wrap(line, width, subsequent_indent=indent, break_on_hyphens=False) or [""]
    return folded
