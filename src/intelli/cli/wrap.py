"""Folding text to the width of a terminal, at spaces, while it comes in; whole lines where nobody looks."""

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


def columns() -> int | None:
    """How wide lines may be; None where they go to a file or a program."""
    if not sys.stdout.isatty():
        return None
    return max(_NARROWEST, min(_WIDEST, shutil.get_terminal_size().columns))


class LineWrapper:
    """Text in pieces, told line by line: a word waits until it is known to be whole. Items of a list are indented."""

    def __init__(self, width: int | None) -> None:
        self._width = width
        self._held = ""
        self._column = 0
        self._indent = ""

    def take(self, piece: str) -> str:
        """What can be shown now."""
        if self._width is None:
            return piece
        *whole, self._held = [*_PIECE.findall(self._held + piece), ""]
        if whole and not whole[-1].isspace():
            self._held = whole.pop()
        return "".join(self._place(each) for each in whole)

    def end(self) -> str:
        """What was held back."""
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
    """Lines folded under their own indentation."""
    if width is None:
        return list(lines)
    folded: list[str] = []
    for line in lines:
        indent = " " * max(4, len(line) - len(line.lstrip()))
        folded += textwrap.wrap(line, width, subsequent_indent=indent, break_on_hyphens=False) or [""]
    return folded
