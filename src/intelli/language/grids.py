"""Tables in plain text: lines with cells, under a line with the names of the columns."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate
from typing import Protocol

from intelli.language import periods

_RULE = re.compile(r"^(?=.*--)[\s:|-]++$")
_SIGN = r"[(\-\u2212+~<>]?\s?(?:[$\u20ac\u00a3\u00a5]\s?)?[(\-\u2212]?"
_NUMBER = re.compile(rf"^{_SIGN}\d[\d.,'\u2019\u00a0\u202f ]*\)?\s?[%\u2030\u20ac$]?\)?$")
# A number in a name, which no row has; "m3" and "CO2" are words.
_NUMBERED = re.compile(r"(?<![^\W\d_])\d")
_MARK = re.compile(r"^[$\u20ac\u00a3\u00a5]$")
_TAIL = re.compile(r"^[%)\u20ac]+$")
_ROW_BEHIND = re.compile(r"[ \t]*\n?\f?([^\n]+)")
_MOST_COLUMNS = 8
_LONGEST_CELL = 120
_LONGEST_TITLE = 120
_LEAST_NUMBERS = 0.3
_FARTHEST = 800


class GridSource(Protocol):
    """A text that may contain tables: who it is, its words, and the headings above it."""

    @property
    def identifier(self) -> str:
        """Name of the text."""

    @property
    def text(self) -> str:
        """The words."""

    @property
    def section(self) -> str | None:
        """The headings above it."""


@dataclass(frozen=True, slots=True)
class GridRow:
    """The cells of a line, and the line as written."""

    cells: tuple[str, ...]
    quote: str


@dataclass(frozen=True, slots=True)
class RowText:
    """A table row as a sentence, and the start of the source text that it is based on."""

    text: str
    start: int


@dataclass(frozen=True, slots=True)
class Grid:
    """A table of a passage; every row has a cell for each column. `odd` is the number of its lines that have not."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[GridRow, ...]
    passage: GridSource
    header: str
    odd: int = 0

    def reach(self, row: GridRow) -> str:
        """The words from the line that names the columns to the end of a row; the row alone when that is far."""
        text = self.passage.text
        start = text.find(self.header)
        end = text.find(row.quote, max(start, 0)) + len(row.quote)
        return text[start:end] if 0 <= start < end <= start + _FARTHEST else row.quote


def is_number(cell: str) -> bool:
    """Whether a cell holds a number and nothing else."""
    return _NUMBER.match(cell.strip()) is not None


def is_row(text: str) -> bool:
    """Whether a sentence is a line of a table."""
    return "\t" in text or text.count("|") > 1


def is_header(line: str) -> bool:
    """Whether a line of a table names columns: no cell of it holds a figure, years aside."""
    found = cells_of(line)
    return bool(found) and not any(is_number(cell) and not _is_period(cell) for cell in found)


def columns_over(text: str, at: int, header: str = "") -> tuple[str, ...]:
    """The names of the columns of the table in which a line begins; none when neither the text nor `header` has them.

    `header` is the line that names the columns of a table which the text begins in the middle of.
    """
    stretch = _stretch_at(text, at)
    if stretch is None:
        return ()
    first, _, columns = stretch
    if columns:
        return columns if first < text.rfind("\n", 0, at) + 1 else ()
    return tuple(cells_of(header)) if header and not text[:first].strip() else ()


def header_over(text: str, at: int) -> str:
    """The line that names the columns of the table in the middle of which a place of a text is; none has no name."""
    stretch = _stretch_at(text, at)
    if stretch is None or not stretch[2] or stretch[0] >= text.rfind("\n", 0, at) + 1:
        return ""
    return text[stretch[0] :].partition("\n")[0]


def lines_around(text: str, at: int) -> list[tuple[int, str]]:
    """The lines of the table in which a line begins, each with its place."""
    stretch = _stretch_at(text, at)
    if stretch is None:
        return []
    lines = text[stretch[0] : stretch[1]].splitlines(keepends=True)
    places = accumulate(map(len, lines), initial=stretch[0])
    return [(place, line.rstrip("\n")) for place, line in zip(places, lines, strict=False)]


def goes_on(text: str, at: int) -> bool:
    """Whether a table that ends at a place of a text goes on behind it."""
    line = _ROW_BEHIND.match(text, at)
    return line is not None and is_row(line[1])


def told(text: str, start: int, end: int, header: str = "") -> RowText:
    """A row in words: with the names of its columns where these are known, else its cells behind the first."""
    row = text[start:end]
    columns = columns_over(text, start, header)
    labelled = _labelled(row, columns)
    stretch = _stretch_at(text, start)
    if labelled and not any(map(_NUMBERED.search, columns)):
        return RowText(labelled, start)
    # A number in a name is none of the row: what is told rests on the line that has it, too.
    if labelled and stretch and stretch[2] and end - stretch[0] <= _FARTHEST:
        return RowText(labelled, stretch[0])
    first, *others = [cell for cell in cells_of(row) if cell] or [""]
    return RowText(f"{first}: {'; '.join(others)}" if others else first, start)


def _stretch_at(text: str, at: int) -> tuple[int, int, tuple[str, ...]] | None:
    start = text.rfind("\n", 0, at) + 1
    return next((each for each in _headed_stretches(text) if each[0] <= start < each[1]), None)


@lru_cache(maxsize=16)
def _headed_stretches(text: str) -> tuple[tuple[int, int, tuple[str, ...]], ...]:
    """Where lines with cells follow each other, with the names of their columns."""
    found: list[tuple[int, int, tuple[str, ...]]] = []
    at = 0
    is_inside = False
    for line in text.splitlines(keepends=True) if "\t" in text or "|" in text else ():
        if is_row(line) and is_inside:
            found[-1] = (found[-1][0], at + len(line), found[-1][2])
        elif is_row(line):
            found.append((at, at + len(line), tuple(cells_of(line)) if is_header(line) else ()))
        is_inside = is_row(line)
        at += len(line)
    return tuple(found)


def _labelled(row: str, columns: Sequence[str]) -> str:
    """A row with the name of its column before each value; nothing where names and values do not match."""
    cells = cells_of(row)
    if len(cells) != len(columns):
        return ""
    pairs = [(name, cell) for name, cell in zip(columns, cells, strict=True) if cell]
    return "; ".join(f"{name}: {cell}" if name else cell for name, cell in pairs)


def grids(passage: GridSource) -> list[Grid]:
    """The tables of a passage that hold figures, or that are written as tables."""
    found: list[Grid] = []
    for title, lines in _stretches(passage):
        grid = _grid(title, lines, passage)
        if grid is not None:
            found.append(grid)
    return found


def _stretches(passage: GridSource) -> Iterator[tuple[str, list[str]]]:
    """Lines with cells one after the other, with the line that stands before them."""
    before = ""
    lines: list[str] = []
    for line in [*passage.text.splitlines(), ""]:
        if is_row(line):
            lines.append(line)
            continue
        if lines:
            yield before, lines
            before, lines = "", []
        if line.strip():
            before = line.strip()


def _grid(title: str, lines: Sequence[str], passage: GridSource) -> Grid | None:
    is_written = any(_RULE.match(line.strip()) for line in lines)
    rows = [GridRow(tuple(cells), line.strip()) for line in lines if (cells := cells_of(line))]
    widths = Counter(len(row.cells) for row in rows)
    if not widths:
        return None
    width = max(widths, key=lambda each: (widths[each], each))
    header, lines_below = _headed(rows, width)
    body = [row for row in lines_below if len(row.cells) == width]
    if not 2 <= width <= _MOST_COLUMNS or len(body) < 2 or not any(header):
        return None
    if not _are_cells(body) or (_number_share(body) < _LEAST_NUMBERS and not is_written):
        return None
    odd = sum(len(row.cells) != width and len(list(filter(None, row.cells))) > 1 for row in lines_below)
    return Grid(_title(title, header, passage), header, tuple(body), passage, rows[0].quote, odd)


def _are_cells(body: Sequence[GridRow]) -> bool:
    return all(len(cell) <= _LONGEST_CELL for row in body for cell in row.cells)


def _number_share(body: Sequence[GridRow]) -> float:
    """Return the share of numbers among the filled cells behind the first column."""
    figures = [cell for row in body for cell in row.cells[1:] if cell]
    return sum(map(is_number, figures)) / len(figures) if figures else 0.0


def _headed(rows: list[GridRow], width: int) -> tuple[tuple[str, ...], list[GridRow]]:
    """The line that names the columns, and the others. It may leave the first column without a name."""
    first = rows[0].cells
    is_header = not any(is_number(cell) and not _is_period(cell) for cell in first)
    if is_header and len(first) == width:
        return first, rows[1:]
    if is_header and len(first) == width - 1:
        return ("", *first), rows[1:]
    return ("",) * width, rows


def _is_period(cell: str) -> bool:
    return re.fullmatch(periods.RECENT_YEAR, cell.strip()) is not None


def cells_of(line: str) -> list[str]:
    """The cells of a line: a sign of money belongs to what follows it, a closing bracket to what stands before."""
    if _RULE.match(line.strip()):
        return []
    parts = line.split("\t") if "\t" in line else line.strip().strip("|").split("|")
    cells: list[str] = []
    money = ""
    for part in (" ".join(each.split()) for each in parts):
        if _MARK.match(part):
            money = part
        elif _TAIL.match(part) and cells and cells[-1]:
            cells[-1] += part
        else:
            cells.append(f"{money}{part}")
            money = ""
    return cells


def _title(before: str, header: Sequence[str], passage: GridSource) -> str:
    is_name = 0 < len(before) <= _LONGEST_TITLE and not before.endswith((".", ";", ","))
    if is_name:
        return before.lstrip("#* ").rstrip(":* ")
    return passage.section or ", ".join(filter(None, header))
