"""Finds the columns of tables: lines below each other that have their gaps at the same places across the page.

A gap that is too narrow to tell a cell by itself divides cells where the lines around it show that a column begins.
"""

import statistics
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from intelli.library.extraction.layout.lines import CELL_GAP, TextLine, is_marker, pitch
from intelli.library.extraction.layout.words import PlacedWord

# Of the font size: from where on a gap may divide cells, shows a row, and shows a column without any wider one.
_LEAST_GAP, _ROW_GAP, _CLEAR_GAP = 0.5, 0.6, 0.8
_LEAST_CORRIDOR = 0.5
_FARTHEST = 2.4  # font sizes between rows
_MOST_ROWS = 200
_MOST_BARE = 2  # lines without a gap that may follow each other inside a table
_CROSSING = 0.12  # share of the rows that may have words between two columns
_LEAST_ROWS = 3
_ALIGNED_PT, _ALIGNED_PAIR_PT = 1.5, 0.4  # how far cells may begin from the median; two are near it by chance
_ALIGNED_SHARE = 0.6
_MOST_WORDS = 3  # of a cell, where no wide gap shows the column
_EVEN = 1.3
_FEWEST_SPACES = 3


@dataclass(frozen=True, slots=True)
class _Gap:
    """A gap before the word with this index: where it begins and ends, and its width in font sizes."""

    index: int
    left: float
    right: float
    ems: float


@dataclass(slots=True)
class _Row:
    """A line with the gaps that may divide its cells, and what lies between these across the page."""

    line: TextLine
    gaps: list[_Gap]
    segments: list[tuple[float, float]]

    @property
    def is_bare(self) -> bool:
        return not any(gap.ems >= _ROW_GAP for gap in self.gaps)


@dataclass(slots=True)
class _Corridor:
    """A stretch across the page that next to no row has words in, and the gaps of rows that lie there."""

    left: float
    right: float
    gaps: list[tuple[_Row, int]] = field(default_factory=list)  # a row and the index of the gap in it


def mark_cells(lines: Sequence[TextLine]) -> None:
    """Mark where cells begin in lines that form tables."""
    for rows in _stretches(lines):
        found: dict[int, set[int]] = {}
        for corridor in _corridors(rows):
            if _divides_columns(corridor):
                for row, at in corridor.gaps:
                    found.setdefault(id(row), set()).add(row.gaps[at].index)
        for row in rows:
            row.line.cell_starts = frozenset(found.get(id(row), ()))


def _stretches(lines: Sequence[TextLine]) -> Iterator[list[_Row]]:
    """Yield rows that follow each other closely, begin and end with one that has gaps, and may form a table."""
    rows: list[_Row] = []
    bare = 0
    for line in lines:
        row = _read_row(line)
        is_next = bool(rows) and len(rows) < _MOST_ROWS and 0.4 < pitch(rows[-1].line, line) < _FARTHEST
        if rows and (not is_next or (row.is_bare and bare == _MOST_BARE)):
            yield from _whole(rows)
            rows, bare = [], 0
        if row.is_bare and not rows:
            continue
        rows.append(row)
        bare = bare + 1 if row.is_bare else 0
    yield from _whole(rows)


def _whole(rows: list[_Row]) -> Iterator[list[_Row]]:
    while rows and rows[-1].is_bare:
        rows.pop()
    if len(rows) > 1:
        yield rows


def _read_row(line: TextLine) -> _Row:
    gaps = [] if line.is_rtl or line.is_mono or len(line.words) < 2 else list(_gaps(line))
    edges = [line.x0, *(edge for gap in gaps for edge in (gap.left, gap.right)), line.x1]
    return _Row(line, gaps, list(zip(edges[::2], edges[1::2], strict=True)))


def _gaps(line: TextLine) -> Iterator[_Gap]:
    spaces = [
        _Gap(index, left.x1, right.x0, (right.x0 - left.x1) / max(4.0, min(left.style.size, right.style.size)))
        for index, (left, right) in enumerate(pairwise(line.words), 1)
    ]
    is_loose = _is_loose(line.words, spaces)
    for gap in spaces:
        is_label = gap.index == 1 and is_marker(line.words[0])
        if gap.ems > CELL_GAP or (gap.ems >= _LEAST_GAP and not is_loose and not is_label):
            yield gap


def _is_loose(words: Sequence[PlacedWord], spaces: Sequence[_Gap]) -> bool:
    """Return whether a line is prose with wide spaces: all are alike, as justification makes them."""
    narrow = [gap.ems for gap in spaces if gap.ems <= CELL_GAP]
    if len(narrow) < _FEWEST_SPACES or max(narrow) > _EVEN * max(min(narrow), 0.1):
        return False
    return 2 * sum(word.text[:1].islower() for word in words) >= len(words)


def _corridors(rows: Sequence[_Row]) -> list[_Corridor]:
    """Return the corridors of a stretch of rows, from left to right."""
    split = [row for row in rows if not row.is_bare]
    bare = [row.line for row in rows if row.is_bare]
    least = _LEAST_CORRIDOR * statistics.median(row.line.size for row in split)
    most = int(_CROSSING * len(split))
    found = [
        _Corridor(left, right)
        for left, right in _free(split, most)
        if right - left >= least and sum(line.x0 < left and line.x1 > right for line in bare) <= (len(split) + 1) // 4
    ]
    middles = [(corridor.left + corridor.right) / 2 for corridor in found]
    for row in rows:
        for at, gap in enumerate(row.gaps):
            for corridor in found[bisect_right(middles, gap.left) : bisect_right(middles, gap.right)]:
                corridor.gaps.append((row, at))
    return found


def _free(rows: Sequence[_Row], most: int) -> Iterator[tuple[float, float]]:
    """Yield the stretches across the page that at most so many rows have words in, between the first and the last."""
    events = sorted(event for row in rows for left, right in row.segments for event in ((left, 1), (right, -1)))
    depth, begin = 0, None
    for at, step in events:
        before, depth = depth, depth + step
        if before > most >= depth:
            begin = at
        elif before <= most < depth and begin is not None:
            yield begin, at
            begin = None


def _divides_columns(corridor: _Corridor) -> bool:
    """Return whether a corridor lies between columns: gaps there are wide, or what begins behind them is aligned."""
    gaps = [row.gaps[at] for row, at in corridor.gaps]
    if len(gaps) < 2:
        return False
    wide = sum(gap.ems > CELL_GAP for gap in gaps)
    if wide > 1 and wide * 3 >= len(gaps):
        return True
    if not _is_aligned(corridor):
        return False
    return wide > 0 or (
        len(gaps) >= _LEAST_ROWS and all(gap.ems >= _CLEAR_GAP for gap in gaps) and _has_short_cells(corridor)
    )


def _is_aligned(corridor: _Corridor) -> bool:
    """Return whether most cells behind a corridor begin, end or have their middle at the same place."""
    cells = [row.segments[at + 1] for row, at in corridor.gaps]
    most = _ALIGNED_PT if len(cells) >= _LEAST_ROWS else _ALIGNED_PAIR_PT
    for places in ([left for left, _ in cells], [right for _, right in cells], [sum(cell) / 2 for cell in cells]):
        middle = statistics.median(places)
        if sum(abs(place - middle) <= most for place in places) >= _ALIGNED_SHARE * len(places):
            return True
    return False


def _has_short_cells(corridor: _Corridor) -> bool:
    words = []
    for row, at in corridor.gaps:
        starts = [0, *(gap.index for gap in row.gaps), len(row.line.words)]
        words += [starts[at + 1] - starts[at], starts[at + 2] - starts[at + 1]]
    return statistics.median(words) <= _MOST_WORDS
