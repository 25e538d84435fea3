"""Detects furniture: running headers, footers and page numbers.

They stay in the text, since a quote may contain them, but are marked.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence

from intelli.library.extraction.layout.page import DraftBlock, DraftPage
from intelli.library.extraction.model import BlockKind

_MARGIN = 0.09  # of the height of the page, at the top and at the bottom
_REACH = 8  # chapters change their headers: a header must recur within so many pages
_LEAST = 3
_DIGITS = re.compile(r"\d+")
_PAGE_NUMBER = re.compile(
    r"(?:\W*+(?:page|seite|p\.?))?+(?:\W*+[ivxlc]{1,6}|[^\w#]*+#)\W*+(?:(?:of|von)[^\w#]*+#\W*+)?", re.IGNORECASE
)


def mark_furniture(pages: Sequence[DraftPage]) -> None:
    """Mark as furniture the blocks at the edges of pages that recur on near pages or are a page number."""
    candidates = [(page, block, _number_free_text(page, block)) for page in pages for block in _edge_blocks(page)]
    seen: defaultdict[tuple[str, int], list[int]] = defaultdict(list)
    for page, block, text in candidates:
        seen[_position_key(text, block)].append(page.number)
    for page, block, text in candidates:
        near = sum(abs(number - page.number) <= _REACH for number in seen[_position_key(text, block)])
        is_number = len(pages) > 1 and _PAGE_NUMBER.fullmatch(text) is not None
        if near >= _LEAST or is_number:
            block.kind, block.level = BlockKind.FURNITURE, 0


def _edge_blocks(page: DraftPage) -> Iterator[DraftBlock]:
    for block in page.blocks:
        is_at_edge = block.box[3] <= _MARGIN * page.height or block.box[1] >= (1 - _MARGIN) * page.height
        if is_at_edge and block.line_count <= 3 and block.kind is not BlockKind.NOTE:
            yield block


def _number_free_text(page: DraftPage, block: DraftBlock) -> str:
    """Return the block's text in lower case, with every number replaced by #: "Page 12" becomes "page #"."""
    return _DIGITS.sub("#", " ".join(page.block_text(block).lower().split()))


def _position_key(text: str, block: DraftBlock) -> tuple[str, int]:
    """Return a key that equal texts at about the same height of their pages share."""
    return text, round(block.box[1] / 12)
