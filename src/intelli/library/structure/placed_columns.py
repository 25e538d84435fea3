"""Columns of a table on a page, by the boxes of words: empty cells leave no trace in the text, but a gap on paper."""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from intelli.library.extraction.model import TextPage

_MOST_CELLS = 4000
# The share of rows that may have words where a gap between columns is: heads and sums reach over several.
_CROSSING = 0.12
_LEAST_GAP_PT = 2.0
_LEAST_SHARE = 0.5


@dataclass(frozen=True, slots=True)
class PlacedCell:
    """A cell of a row: its span in the text, and where it begins and ends across the page."""

    start: int
    end: int
    left: float
    right: float


Row = Sequence[PlacedCell]


class WordIndex:
    """The words of a page, found by their place in the text."""

    def __init__(self, page: TextPage) -> None:
        self._words = page.words
        self._starts = [word.start for word in page.words]

    def place_rows(self, text: str, start: int, end: int) -> list[list[PlacedCell]] | None:
        """Return the cells of each line of `text[start:end]`; None when one of them has no box."""
        rows: list[list[PlacedCell]] = []
        at = start
        for line in text[start:end].split("\n"):
            row: list[PlacedCell] = []
            for cell in line.split("\t"):
                if cell.strip():
                    placed = self._place(at, at + len(cell))
                    if placed is None:
                        return None
                    row.append(placed)
                at += len(cell) + 1
            rows.append(row)
        return rows

    def _place(self, start: int, end: int) -> PlacedCell | None:
        first, last = bisect_left(self._starts, start), bisect_left(self._starts, end)
        boxes = [word.box for word in self._words[first:last]]
        if not boxes:
            return None
        return PlacedCell(start, end, min(box[0] for box in boxes), max(box[2] for box in boxes))


def find_columns(rows: Sequence[Row]) -> list[tuple[float, float]]:
    """Return where the columns begin and end across the page: between gaps that next to no row has words in."""
    cells = [cell for row in rows for cell in row]
    if not cells or len(cells) > _MOST_CELLS:
        return []
    counted = [row for row in rows if len(row) > 1] or list(rows)
    most = int(_CROSSING * len(counted))
    gaps = [gap for gap in _gaps([cell for row in counted for cell in row], most) if gap[1] - gap[0] >= _LEAST_GAP_PT]
    left, right = min(cell.left for cell in cells), max(cell.right for cell in cells)
    edges = [left, *((begin + end) / 2 for begin, end in gaps), right]
    return list(pairwise(edges))


def _gaps(cells: Sequence[PlacedCell], most: int) -> Iterator[tuple[float, float]]:
    """Yield the stretches across the page that at most so many cells reach over."""
    events = sorted([(cell.left, 1) for cell in cells] + [(cell.right, -1) for cell in cells])
    depth, begin = 0, None
    for at, step in events:
        before, depth = depth, depth + step
        if before > most >= depth:
            begin = at
        elif before <= most < depth and begin is not None:
            yield begin, at
            begin = None


def assign(row: Row, columns: Sequence[tuple[float, float]]) -> list[int]:
    """Return the column of each cell of a row: the one that it shares most of itself with, each one once."""
    found: list[int] = []
    for cell in row:
        shares = [min(cell.right, right) - max(cell.left, left) for left, right in columns]
        best = max(range(len(columns)), key=lambda at: (shares[at], -at))
        found.append(max(best, found[-1] + 1) if found and best <= found[-1] else best)
    return found


def is_table(rows: Sequence[Row], columns: Sequence[tuple[float, float]]) -> bool:
    """Return whether rows have columns in common: in justified prose each line has its gaps elsewhere."""
    if len(columns) < 2:
        return False
    split = sum(len(set(assign(row, columns))) > 1 for row in rows if row)
    fits = all(len(row) <= len(columns) for row in rows)
    return split >= _LEAST_SHARE * len(rows) and (fits or split > 1)
