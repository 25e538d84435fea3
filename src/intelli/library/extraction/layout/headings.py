"""Detects headings and their levels: from the document's outline where there is one, else from font sizes."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from intelli.library.extraction.assemble import Headings
from intelli.library.extraction.layout.page import DraftBlock, DraftPage
from intelli.library.extraction.model import Block, BlockKind

_MAX_LEVEL = 6
_MAX_CHARACTERS = 200
_CAPTION = re.compile(r"(figure|fig\.|table|tab\.|abbildung|tabelle|source|note)\b\s*[\d:.]", re.IGNORECASE)
_NOT_WORDS = re.compile(r"[\W_]+")


@dataclass(frozen=True, slots=True)
class OutlineEntry:
    """An entry of the document's own outline; `page` and `level` begin at 1."""

    title: str
    page: int
    level: int


def assign_heading_levels(pages: Sequence[DraftPage], outline: Sequence[OutlineEntry]) -> None:
    """Set the level of every heading block, and turn blocks that only look like a heading into paragraphs."""
    body = body_size(pages)
    known = _mark_outline_headings(pages, outline)
    styles: defaultdict[float, int] = defaultdict(int)
    for block in known:
        styles[block.size] = max(styles[block.size], block.level)
    unknown = []
    for page in pages:
        for block in page.blocks:
            if block.kind not in {BlockKind.HEADING, BlockKind.PARAGRAPH} or block.level:
                continue
            block.kind = BlockKind.HEADING if _is_heading(page, block, body) else BlockKind.PARAGRAPH
            if block.kind is BlockKind.HEADING:
                unknown.append(block)
    ranks = _rank_styles(unknown)
    for block in unknown:
        larger = [level for size, level in styles.items() if size >= block.size]
        level = styles.get(block.size) or (max(larger) + 1 if larger else ranks[_style(block)])
        block.level = min(level, _MAX_LEVEL)


def body_size(pages: Sequence[DraftPage]) -> float:
    """Return the font size of most characters, in points."""
    sizes: Counter[float] = Counter()
    for page in pages:
        for block in page.blocks:
            if block.kind not in {BlockKind.FURNITURE, BlockKind.NOTE}:
                sizes[round(block.size)] += block.end - block.start
    return sizes.most_common(1)[0][0] if sizes else 10.0


def _mark_outline_headings(pages: Sequence[DraftPage], outline: Sequence[OutlineEntry]) -> list[DraftBlock]:
    """Mark the blocks that match an outline entry, on the page it leads to, as headings and return them."""
    by_number = {page.number: page for page in pages}
    found = []
    for entry in outline:
        page = by_number.get(entry.page)
        block = _find_block(page, entry.title) if page else None
        if block is not None:
            block.kind, block.level = BlockKind.HEADING, min(entry.level, _MAX_LEVEL)
            found.append(block)
    return found


def _find_block(page: DraftPage, title: str) -> DraftBlock | None:
    """Find the block with the text of an outline entry, ignoring case and punctuation."""
    wanted = _letters(title)
    if not wanted:
        return None
    for block in page.blocks:
        if block.kind in {BlockKind.FURNITURE, BlockKind.NOTE, BlockKind.TABLE} or block.level:
            continue
        if block.end - block.start > 2 * len(title) + 40:
            continue
        letters = _letters(page.block_text(block))
        # A numbered heading may lack its number in the outline, or the other way around.
        if letters == wanted or ((letters.endswith(wanted) or wanted.endswith(letters)) and len(letters) > 3):
            return block
    return None


def _letters(text: str) -> str:
    return _NOT_WORDS.sub("", text).casefold()


def _is_heading(page: DraftPage, block: DraftBlock, body: float) -> bool:
    if block.kind is BlockKind.PARAGRAPH and block.is_bold and block.size <= 1.15 * body:
        return False  # bold, but too long a line for a heading when the page was laid out
    text = " ".join(page.block_text(block).split())
    if len(text) > _MAX_CHARACTERS or block.line_count > 4 or _CAPTION.match(text):
        return False
    # Recognised lines vary in height with the letters they have.
    if block.size > (1.4 if page.is_ocr else 1.15) * body:
        return sum(character.isalpha() for character in text) >= 3
    if not block.is_bold or block.size < 0.9 * body or block.line_count > 2:
        return False
    return text[-1] not in ".,;:" and len(text) <= 100 and not text[0].islower()


def _style(block: DraftBlock) -> tuple[int, bool]:
    return round(block.size), block.is_bold


def _rank_styles(blocks: Sequence[DraftBlock]) -> dict[tuple[int, bool], int]:
    """Map each heading style to a level: the larger the font, the higher; bold before regular."""
    styles = sorted({_style(block) for block in blocks}, reverse=True)
    return {style: min(rank, _MAX_LEVEL) for rank, style in enumerate(styles, start=1)}


def finish_blocks(pages: Sequence[DraftPage]) -> Iterator[Block]:
    """Yield the final blocks of all pages in order, each with the path of headings above it."""
    headings = Headings()
    for page in pages:
        for block in page.blocks:
            yield page.to_block(block, headings.close_level(block.level) if block.level else headings.path)
            if block.level:
                headings.enter(block.level, page.block_text(block))
