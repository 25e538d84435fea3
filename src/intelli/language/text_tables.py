"""Tables in plain text as cells with their places: Markdown, tab-separated, or columns that spaces keep apart."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from intelli.language import periods

_RULE = re.compile(r"(?=.*--)[\s:|-]++")
_GAP = re.compile(r"\s{2,}")
_DIGIT = re.compile(r"\d")
_FIGURE = re.compile(r"[(\-+\u2212]?[\d.,]+\s?%?\)?")
_YEAR = re.compile(periods.RECENT_YEAR)
_LEAST_COLUMNS = 2
_LEAST_LINES = 3
# Columns of a table that spaces keep apart hold figures; lines of prose with two spaces in them do not.
_LEAST_FIGURES = 0.5


@dataclass(frozen=True, slots=True)
class CellText:
    """A cell: its words, where they begin and end in the text, and where the cell itself ends."""

    text: str
    start: int
    end: int
    edge: int


@dataclass(frozen=True, slots=True)
class TableText:
    """A table in a text. `head` names the columns; it is empty where the first line is a row like the others."""

    start: int
    end: int
    head: tuple[CellText, ...]
    rows: tuple[tuple[CellText, ...], ...]


@lru_cache(maxsize=512)
def find_tables(text: str) -> tuple[TableText, ...]:
    """Return the tables of a text, in order."""
    found: list[TableText] = []
    for lines in _stretches(text):
        rows = [cells for start, line, split in lines if (cells := split(line, start))]
        if len(rows) < _LEAST_COLUMNS:
            continue
        is_written = any(_RULE.fullmatch(line) for _, line, _ in lines)
        head = rows[0] if is_written or _names_columns(rows[0], rows[1:]) else ()
        body = tuple(rows[1:] if head else rows)
        last = lines[-1]
        found.append(TableText(lines[0][0], last[0] + len(last[1]), head, body))
    return tuple(found)


def _stretches(text: str) -> "Iterator[list[tuple[int, str, _Splitter]]]":
    """Yield lines with cells that follow each other, each with its place and the way its cells are told apart."""
    lines: list[tuple[int, str, _Splitter]] = []
    at = 0
    for whole in text.splitlines(keepends=True):
        line = whole.rstrip("\r\n")
        split = _splitter(line)
        if lines and (split is None or split is not lines[-1][2]):
            yield from _table(lines)
            lines = []
        if split is not None:
            lines.append((at, line, split))
        at += len(whole)
    yield from _table(lines)


def _table(lines: "list[tuple[int, str, _Splitter]]") -> "Iterator[list[tuple[int, str, _Splitter]]]":
    if not lines:
        return
    if lines[0][2] is not _by_spaces:
        yield lines
        return
    cells = [cell.text for start, line, _ in lines[1:] for cell in _by_spaces(line, start)[1:]]
    figures = sum(1 for cell in cells if _DIGIT.search(cell))
    if len(lines) >= _LEAST_LINES and cells and figures >= _LEAST_FIGURES * len(cells):
        yield lines


class _Splitter:
    """Splits a line into cells."""

    def __init__(self, mark: re.Pattern[str], edge: str = "") -> None:
        self._mark = mark
        self._edge = edge

    def __call__(self, line: str, start: int) -> tuple[CellText, ...]:
        """Return the cells of a line that begins at `start`; none for a line that only rules off the head."""
        if _RULE.fullmatch(line):
            return ()
        first, last = 0, len(line)
        if self._edge:
            bare = line.strip()
            first = line.index(bare[0]) + (bare[0] == self._edge) if bare else 0
            last = len(line.rstrip()) - (len(bare) > 1 and bare[-1] == self._edge)
        elif self._mark is _GAP:
            first = len(line) - len(line.lstrip())
            last = len(line.rstrip())
        edges = [first, *(at for mark in self._mark.finditer(line, first, last) for at in mark.span()), last]
        return tuple(_cell(line, start, edges[number], edges[number + 1]) for number in range(0, len(edges) - 1, 2))


def _cell(line: str, start: int, first: int, last: int) -> CellText:
    words = line[first:last]
    bare = words.strip()
    begin = start + first + (len(words) - len(words.lstrip()) if bare else 0)
    return CellText(bare, begin, begin + len(bare), start + last)


_by_pipes = _Splitter(re.compile(r"(?<!\\)\|"), "|")
_by_tabs = _Splitter(re.compile(r"\t"))
_by_spaces = _Splitter(_GAP)


def _splitter(line: str) -> _Splitter | None:
    if "\t" in line:
        return _by_tabs
    bare = line.strip()
    if bare.startswith("|") and bare.count("|") > 1:
        return _by_pipes
    if bare.count("|") >= _LEAST_COLUMNS:
        return _by_pipes
    return _by_spaces if len(_GAP.split(bare)) > _LEAST_COLUMNS - 1 and bare else None


def _names_columns(first: Sequence[CellText], rows: Sequence[Sequence[CellText]]) -> bool:
    """Whether a line names columns: none of its cells is a figure, years aside, and those below one of them are."""
    if any(_FIGURE.fullmatch(cell.text) and not _YEAR.fullmatch(cell.text) for cell in first):
        return False
    columns = [[row[at].text for row in rows if at < len(row)] for at in range(len(first))]
    return any(sum(1 for cell in column if _DIGIT.search(cell)) * 2 > len(column) for column in columns if column)
