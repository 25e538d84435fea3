"""Column widths of a table, by the content of its cells, so that no figure and no word is broken.

Widths are estimated, not measured: an Office file is shown in whatever font the reader has, so the estimate assumes
wide letters. A table that does not fit gets smaller letters, then a landscape page; only then do words break.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from intelli.deliverables.forms.layout import PaperLayout, is_figure, plain_text
from intelli.deliverables.forms.text_width import ems, is_wide
from intelli.deliverables.paper import Runs, TableBlock

# Addresses and hashes may break; no word that people use is as long.
_LONGEST_WORD = 36
# A column of prose beside others grows to so many ems before they have all that they want.
_PROSE = 26.0
# What is as short stands on one line, and prose has lines at least as long.
_SHORT = 8.0
# Where there are more columns than a page has room for, each has something.
_LEAST = 0.5
_BOLD = 1.2
_RAISED = 0.65
_WORD = re.compile(r"[^\s\u200b]+")


@dataclass(frozen=True, slots=True)
class TableSpace:
    """Space for a table, in points: its width, the padding of a cell, and the allowed font sizes."""

    width: float
    padding: float
    sizes: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class TableFit:
    """Layout of a table: font size, widths of its columns in points, and whether words break or the page is turned."""

    size: float
    widths: tuple[float, ...]
    has_breaks: bool
    is_turned: bool = False


def fit(layout: PaperLayout, table: TableBlock, *rooms: TableSpace) -> TableFit:
    """Choose the largest font size at which every word and figure stays whole, in the first space where they fit.

    A second space is that of a landscape page.
    """
    cells = [list(_cells(layout, table, at)) for at in range(len(table.columns))]
    least = [max((width for cell in column for width in cell.pieces), default=0.0) for column in cells]
    most = [max((cell.width for cell in column), default=0.0) for column in cells]
    is_cut = any(cell.is_cut for column in cells for cell in column)
    for number, room in enumerate(rooms):
        for size in room.sizes:
            left = _ems_left(room, size, len(cells))
            if sum(least) <= left:
                return TableFit(
                    size, _to_points(_distribute(least, most, left), room, size), is_cut, is_turned=number > 0
                )
    last = rooms[-1]
    left = _ems_left(last, last.sizes[-1], len(cells))
    widths = _to_points(_shrink(least, left), last, last.sizes[-1])
    return TableFit(last.sizes[-1], widths, has_breaks=True, is_turned=len(rooms) > 1)


@dataclass(frozen=True, slots=True)
class _Cell:
    """A cell in ems: its width on one line, and its unbreakable pieces; `is_cut` when a word was cut into pieces."""

    width: float
    pieces: tuple[float, ...]
    is_cut: bool


def _cells(layout: PaperLayout, table: TableBlock, at: int) -> Iterator[_Cell]:
    name = table.columns[at]
    yield _Cell(ems(name) * _BOLD, tuple(ems(piece) * _BOLD for piece in _pieces(name)), _is_cut(name))
    for row in table.rows:
        if at < len(row):
            yield _cell(layout, row[at])


def _cell(layout: PaperLayout, runs: Runs) -> _Cell:
    text = plain_text(runs)
    marks = sum(ems(f"{note.number},") * _RAISED for run in runs for note in layout.notes_after(run))
    whole = ems(text) + marks
    pieces = [ems(piece) for piece in _pieces(text)]
    if is_figure(text) and len(text) <= _LONGEST_WORD:
        return _Cell(whole, (whole,), is_cut=False)
    # Marks hang on the last word.
    kept = (*pieces[:-1], *(each + marks for each in pieces[-1:]))
    return _Cell(whole, (*kept, min(whole, _SHORT)), _is_cut(text))


def _pieces(text: str) -> Iterator[str]:
    """Split text into words, and very long words into pieces; scripts without spaces break at every character."""
    for word in _WORD.findall(text):
        if any(is_wide(each) for each in word):
            yield from word
        else:
            yield from (word[start : start + _LONGEST_WORD] for start in range(0, len(word), _LONGEST_WORD))


def _is_cut(text: str) -> bool:
    return any(len(word) > _LONGEST_WORD for word in _WORD.findall(text))


def _ems_left(room: TableSpace, size: float, count: int) -> float:
    return max((room.width - 2 * room.padding * count) / size, _LEAST * count)


def _distribute(least: Sequence[float], most: Sequence[float], room: float) -> list[float]:
    """What every column needs, then what it would like, then the rest in proportion."""
    widths = _grow(least, [min(each, _PROSE) for each in most], room)
    widths = _grow(widths, most, room)
    scale = room / (sum(widths) or 1.0)
    return [each * scale for each in widths]


def _grow(widths: Sequence[float], wanted: Sequence[float], room: float) -> list[float]:
    lacking = [max(want - width, 0.0) for width, want in zip(widths, wanted, strict=True)]
    share = min(1.0, (room - sum(widths)) / (sum(lacking) or 1.0))
    return [width + lack * share for width, lack in zip(widths, lacking, strict=True)]


def _shrink(least: Sequence[float], room: float) -> list[float]:
    """Shrink the widest columns only, until all fit."""
    left, kept = room, list(least)
    for number, at in enumerate(sorted(range(len(least)), key=least.__getitem__)):
        kept[at] = min(least[at], left / (len(least) - number))
        left -= kept[at]
    return kept


def _to_points(widths: Sequence[float], room: TableSpace, size: float) -> tuple[float, ...]:
    return tuple(round(each * size + 2 * room.padding, 1) for each in widths)
