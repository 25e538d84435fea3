"""Estimate the page of each heading in a Word report.

Only the program that lays out the pages knows them. Word recounts when a person updates the contents or prints, and
asks first if a file wants it on opening; other programs show the numbers written here. So they are estimated from the
amount of text before each heading.
"""

from collections.abc import Iterator, Sequence
from itertools import zip_longest
from math import ceil

from intelli.deliverables import charts
from intelli.deliverables.forms.docx import styles, tables
from intelli.deliverables.forms.layout import PaperLayout, flatten, plain_text
from intelli.deliverables.forms.text_width import ems
from intelli.deliverables.paper import (
    Block,
    Bullets,
    Callout,
    Chart,
    Heading,
    Metrics,
    Numbered,
    Paragraph,
    QuoteBlock,
    Runs,
    TableBlock,
)

# In points: what a page holds, and the heights of lines with the spacing of their styles.
_PAGE = 677.0
_WIDTH: float = styles.TEXT_WIDTH.pt
_BODY, _NOTE, _BODY_LINE, _NOTE_LINE = 11.0, 8.5, 15.7, 11.6
_AFTER, _CAPTION, _GAP, _METRICS = 8.0, 32.0, 10.0, 62.0
_HEADINGS = {1: 59.0, 2: 43.0, 3: 34.0}
_COVER, _COVER_LINE = 330.0, 18.0
# The letters of text are narrower than those that are wide enough for all fonts.
_NARROWER = 0.84
_LINES_WITH_HEADING = 3


def estimate_pages(layout: PaperLayout) -> dict[str, int]:
    """Estimate the page of each heading by its id, and that of the sources."""
    flow = _Flow(1 + ceil((_COVER + _COVER_LINE * len(layout.headings)) / _PAGE))
    found: dict[str, int] = {}
    written: set[int] = set()
    blocks = list(flatten(layout.blocks))
    for block, following in zip_longest(blocks, blocks[1:]):
        if isinstance(block, Heading):
            found[block.id] = flow.begin(_HEADINGS[block.level], _height(following) if _is_kept(following) else 0.0)
            continue
        notes = {note for note in layout.named(list(_cited(block))) if note.number not in written}
        written |= {note.number for note in notes}
        foot = sum(_lines(f"{note.file_name} {note.place} {note.cited.quote}", _NOTE) for note in notes) * _NOTE_LINE
        if isinstance(block, TableBlock) and tables.fit(layout, block).is_turned:
            flow.turn()
        else:
            flow.add(_height(block), foot, breaks=not _is_kept(block))
    return {**found, "sources": flow.begin(_HEADINGS[1], 0.0)}


class _Flow:
    """Current page, and the used height on it."""

    def __init__(self, page: int) -> None:
        self._page, self._used = page, 0.0

    def begin(self, height: float, kept: float) -> int:
        """Add a heading, which stays with the unbreakable block after it or with some lines; return its page."""
        if self._used + height + max(kept, _LINES_WITH_HEADING * _BODY_LINE) > _PAGE:
            self._page, self._used = self._page + 1, 0.0
        self._used += height
        return self._page

    def add(self, height: float, foot: float, *, breaks: bool) -> None:
        """Add a block and the footnotes below it."""
        if not breaks and self._used + height + foot > _PAGE:
            self._page, self._used = self._page + 1, 0.0
        whole = self._used + height + foot
        self._page, self._used = self._page + int(whole // _PAGE), whole % _PAGE

    def turn(self) -> None:
        """Add a landscape page, and begin a new page after it."""
        self._page, self._used = self._page + (2 if self._used else 1), 0.0


def _is_kept(block: Block | None) -> bool:
    """Return whether a block stays on one page."""
    is_short = isinstance(block, TableBlock) and len(block.rows) <= tables.MOST_ROWS_KEPT
    return is_short or isinstance(block, Chart | Metrics)


def _height(block: Block | None) -> float:
    match block:
        case Paragraph() | QuoteBlock() | Callout():
            return _lines(plain_text(block.runs), _BODY) * _BODY_LINE + (
                _AFTER if isinstance(block, Paragraph) else 3 * _AFTER
            )
        case Bullets() | Numbered():
            return sum(_lines(plain_text(item), _BODY) for item in block.items) * _BODY_LINE + _AFTER
        case Metrics():
            return ceil(len(block.metrics) / 4) * _METRICS
        case Chart():
            return charts.height_ratio(block.spec) * _WIDTH + _AFTER + _CAPTION
        case TableBlock():
            return _CAPTION + _GAP + _rows(block)
        case _:
            return 0.0


def _rows(table: TableBlock) -> float:
    share = _WIDTH / max(len(table.columns), 1)
    longest = (max((ems(plain_text(cell)) for cell in row), default=0.0) for row in table.rows)
    return sum(max(1, ceil(width * _NOTE * _NARROWER / share / 2)) * 13 + 4 for width in (0.0, *longest))


def _lines(text: str, size: float) -> int:
    return max(1, ceil(ems(text) * _NARROWER * size / _WIDTH))


def _cited(block: Block) -> Iterator[str]:
    match block:
        case Metrics():
            yield from (metric.citation for metric in block.metrics)
        case Chart():
            yield from block.citations
        case _:
            yield from (name for runs in _texts(block) for run in runs for name in run.citations)


def _texts(block: Block) -> Sequence[Runs]:
    match block:
        case Paragraph() | QuoteBlock() | Callout():
            return (block.runs,)
        case Bullets() | Numbered():
            return block.items
        case TableBlock():
            return [cell for row in block.rows for cell in row]
        case _:
            return ()
