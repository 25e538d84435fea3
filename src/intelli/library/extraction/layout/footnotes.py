"""Detects footnotes: small print at the foot of a page that begins with a mark."""

import re
from collections.abc import Iterator, Sequence

from intelli.library.extraction.layout.headings import body_size
from intelli.library.extraction.layout.page import DraftBlock, DraftPage
from intelli.library.extraction.model import BlockKind, PieceKind

_MARK = re.compile(r"(?:\(?\d{1,3}\)?|[*\u2020\u2021\u00a7]{1,3}|[\u00b9\u00b2\u00b3\u2070-\u2079]{1,3})[.)]?\s*\S")
_SMALL = 0.93  # of the font size of the body
_LOWER_PART = 0.45  # of the height of the page: footnotes stand below it


def mark_footnotes(pages: Sequence[DraftPage]) -> None:
    """Mark blocks of small print at the foot of their page; what follows a marked one there belongs to it."""
    size = body_size(pages)
    for page in pages:
        small = list(_small_print(page, _SMALL * size))
        first = next((at for at, block in enumerate(small) if _MARK.match(page.block_text(block))), None)
        for block in small[first:] if first is not None else ():
            block.told = PieceKind.FOOTNOTE


def _small_print(page: DraftPage, most: float) -> Iterator[DraftBlock]:
    """Yield the blocks of small print that end a page, from the top down."""
    found: list[DraftBlock] = []
    for block in reversed(page.blocks):
        if block.kind in {BlockKind.FURNITURE, BlockKind.NOTE}:
            continue
        if block.size > most or block.kind is BlockKind.TABLE or block.box[1] < _LOWER_PART * page.height:
            break
        found.append(block)
    yield from reversed(found)
