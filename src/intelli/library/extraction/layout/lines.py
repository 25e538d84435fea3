"""Groups words into lines.

The order of the content is kept; positions decide where a line breaks and which pieces share a row.
"""

import re
import statistics
from collections.abc import Iterable, Iterator
from functools import cached_property
from itertools import pairwise

from intelli.library.extraction.layout.words import Direction, PlacedWord, WordRun

CELL_GAP = 1.2  # of the font size: wider than any space in justified text
_BULLETS = "•‣◦▪▫■□●○▶►➢➤✓✔❖∙·\u2013\u2014\uf0b7\uf0a7\uf0d8\uf0fc\uf02d-*o"
_NUMBERED = re.compile(r"(\(?\d{1,3}[.)]|\(?[a-zA-Z][.)]|\([ivxIVX]{1,5}\)|[ivxIVX]{1,5}[.)])$")


class TextLine:
    """Words on one baseline, in reading order. `cell_starts` are the indexes of words that begin a cell of a table."""

    def __init__(self, words: list[PlacedWord]) -> None:
        self.words = words
        self.cell_starts = frozenset[int]()
        self.x0 = min(word.x0 for word in words)
        self.y0 = min(word.y0 for word in words)
        self.x1 = max(word.x1 for word in words)
        self.y1 = max(word.y1 for word in words)

    @property
    def height(self) -> float:
        """The distance from the top of the highest box to the bottom of the lowest."""
        return self.y1 - self.y0

    @cached_property
    def size(self) -> float:
        """The median font size of the words."""
        return statistics.median(word.style.size for word in self.words)

    @cached_property
    def cells(self) -> list[list[PlacedWord]]:
        """The words, split into cells where a gap is too wide for a space, or a column begins."""
        cells = [[self.words[0]]]
        for index, (left, right) in enumerate(pairwise(self.words), 1):
            gap = max(right.x0 - left.x1, left.x0 - right.x1)
            if gap > CELL_GAP * max(4.0, min(left.style.size, right.style.size)) or index in self.cell_starts:
                cells.append([right])
            else:
                cells[-1].append(right)
        return sorted(cells, key=lambda cell: -cell[0].x1) if self.is_rtl else cells

    @cached_property
    def is_bold(self) -> bool:
        """Whether every word is bold."""
        return all(word.style.is_bold for word in self.words)

    @cached_property
    def is_mono(self) -> bool:
        """Whether every word is in a typewriter font."""
        return all(word.style.is_mono for word in self.words)

    @cached_property
    def is_rtl(self) -> bool:
        """Whether any word runs from right to left."""
        return any(word.is_rtl for word in self.words)


def pitch(above: TextLine, below: TextLine) -> float:
    """Return the distance of two lines (centre to centre) over the larger of their font sizes."""
    return (below.y0 + below.y1 - above.y0 - above.y1) / 2 / max(above.size, below.size, 1.0)


def is_bullet(word: PlacedWord) -> bool:
    """Return whether a word is a sign that list items begin with."""
    return len(word.text) == 1 and word.text in _BULLETS


def is_marker(word: PlacedWord) -> bool:
    """Return whether a word is a bullet or a number that list items begin with."""
    return is_bullet(word) or _NUMBERED.match(word.text) is not None


def group_into_lines(run: WordRun) -> list[TextLine]:
    """Group a run into lines; cells of a table row are joined even where they were drawn one by one."""
    if run.frame.direction is Direction.OBLIQUE:
        return [TextLine(run.words)] if run.words else []
    lines = list(_join_rows(TextLine(words) for words in _split_words(run.words)))
    return list(_reverse_rising(lines)) if run.frame.direction is Direction.DOWN else lines


def _reverse_rising(lines: list[TextLine]) -> Iterator[TextLine]:
    """Reverse sequences of lines that go upwards: pdfium orders vertical text of a page from left to right."""
    rising: list[TextLine] = []
    for line in lines:
        if rising and not (line.y1 < rising[-1].y1 and min(line.x1, rising[-1].x1) > max(line.x0, rising[-1].x0)):
            yield from reversed(rising)
            rising = []
        rising.append(line)
    yield from reversed(rising)


def _split_words(words: list[PlacedWord]) -> Iterator[list[PlacedWord]]:
    """Split words where the next one does not continue the line."""
    current: list[PlacedWord] = []
    for word in words:
        if current and not _continues(current[-1], word):
            yield current
            current = []
        current.append(word)
    if current:
        yield current


def _continues(last: PlacedWord, word: PlacedWord) -> bool:
    overlap = min(last.y1, word.y1) - max(last.y0, word.y0)
    if overlap <= 0.3 * min(last.y1 - last.y0, word.y1 - word.y0):
        return False
    return word.x0 >= last.x0 - 1 or word.is_rtl or last.is_rtl


def _join_rows(lines: Iterable[TextLine]) -> Iterator[TextLine]:
    """Join neighbouring lines that are pieces of one row."""
    current: TextLine | None = None
    for line in lines:
        if current is not None and _share_row(current, line):
            current = TextLine(sorted(current.words + line.words, key=lambda word: word.x0))
            continue
        if current is not None:
            yield current
        current = line
    if current is not None:
        yield current


def _share_row(line: TextLine, other: TextLine) -> bool:
    if line.is_rtl or other.is_rtl:
        return False
    lower = max(min(line.height, other.height), 1.0)
    overlap = min(line.y1, other.y1) - max(line.y0, other.y0)
    beside = other.x0 > line.x1 - 1 or other.x1 < line.x0 + 1
    return beside and overlap > 0.6 * lower and max(line.height, other.height) < 2.2 * lower
