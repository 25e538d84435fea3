"""Groups lines into blocks: paragraphs, lists, tables, code, and candidates for headings."""

import statistics
from dataclasses import dataclass
from itertools import pairwise

from intelli.library.extraction.layout.columns import mark_cells
from intelli.library.extraction.layout.lines import TextLine, is_bullet, is_marker, pitch
from intelli.library.extraction.model import BlockKind

# Lines whose font sizes differ by less are of one size.
_SAME_SIZE = 0.5


@dataclass(slots=True)
class LaidBlock:
    """Consecutive lines that form one block."""

    kind: BlockKind
    lines: list[TextLine]


@dataclass(frozen=True, slots=True)
class _Measure:
    """Typical values of a page: font size of the body, line pitch over font size, width, right edge of the text."""

    body: float
    pitch: float
    width: float
    right: float


def group_into_blocks(lines: list[TextLine], width: float) -> list[LaidBlock]:
    """Group the lines of one run into blocks, in order; `width` is the longest a line can be."""
    if not lines:
        return []
    measure = _measure_page(lines, width)
    mark_cells(lines)
    kinds = [_kind(line, measure) for line in lines]
    _fix_narrow_rows(lines, kinds, measure)
    blocks: list[LaidBlock] = []
    for line, kind in zip(lines, kinds, strict=True):
        if blocks and _continues_block(blocks[-1], line, kind, measure):
            blocks[-1].lines.append(line)
        else:
            blocks.append(LaidBlock(kind, [line]))
    for block in blocks:
        if block.kind is BlockKind.TABLE and len(block.lines) == 1 and len(block.lines[0].cells) < 3:
            block.kind = BlockKind.PARAGRAPH
    return blocks


def _measure_page(lines: list[TextLine], width: float) -> _Measure:
    body = statistics.median([line.size for line in lines for _ in line.words]) or 10.0
    right = max(line.x1 for line in lines)
    alike = [
        (above, below)
        for above, below in pairwise(lines)
        if _overlaps_across(above, below) and abs(above.size - below.size) < _SAME_SIZE
    ]
    # Where a line is full, the next one goes on with its paragraph: between others there may be more space.
    running = _pitches([(above, below) for above, below in alike if _is_full(above, below, right)])
    ratios = _pitches(alike)
    usual = statistics.median(running) if running else ratios[len(ratios) // 4] if ratios else 1.2
    return _Measure(body, usual, width, right)


def _pitches(pairs: list[tuple[TextLine, TextLine]]) -> list[float]:
    """The pitches of lines that stand close to each other, in order of size."""
    return sorted(ratio for above, below in pairs if 0.8 < (ratio := pitch(above, below)) < 2.4)


def _kind(line: TextLine, measure: _Measure) -> BlockKind:
    if line.is_mono:
        return BlockKind.CODE
    if starts_item(line):
        return BlockKind.LIST
    if len(line.cells) > 1:
        return BlockKind.TABLE
    if len(line.words) <= 18 and (line.is_bold or line.size > 1.15 * measure.body) and _has_letters(line):
        return BlockKind.HEADING
    return BlockKind.PARAGRAPH


def _has_letters(line: TextLine) -> bool:
    return sum(character.isalpha() for word in line.words for character in word.text) >= 3


def starts_item(line: TextLine) -> bool:
    """Return whether a line starts a list item: a bullet or number, then text close to it ("• First", "2) Second")."""
    if len(line.words) < 2 or len(line.cells) > 2:
        return False
    first, second = line.words[0], line.words[1]
    if len(line.cells) == 2 and (len(line.cells[0]) > 1 or abs(second.x0 - first.x1) > 3 * line.size):
        return False
    return is_bullet(first) or (is_marker(first) and not line.is_bold)


def _fix_narrow_rows(lines: list[TextLine], kinds: list[BlockKind], measure: _Measure) -> None:
    """Turn a narrow line between two table rows, such as "Assets" in a balance sheet, into a row of the table."""
    for index in range(1, len(lines) - 1):
        if kinds[index] not in {BlockKind.HEADING, BlockKind.PARAGRAPH} or kinds[index - 1] is not BlockKind.TABLE:
            continue
        line = lines[index]
        is_row = line.x1 - line.x0 < 0.45 * measure.width and line.size <= 1.15 * lines[index - 1].size
        if is_row and kinds[index + 1] is BlockKind.TABLE and _is_near(lines[index - 1], line, 2.2):
            kinds[index] = BlockKind.TABLE if _is_near(line, lines[index + 1], 2.2) else kinds[index]


def _is_near(above: TextLine, below: TextLine, limit: float) -> bool:
    return 0.4 < pitch(above, below) < limit


def _continues_block(block: LaidBlock, line: TextLine, kind: BlockKind, measure: _Measure) -> bool:
    """Return whether a line of this kind belongs to the block above it."""
    if not _is_near(block.lines[-1], line, _pitch_limit(block, kind, measure)):
        return False
    if kind is block.kind:
        return _continues_same_kind(block, line)
    return kind is BlockKind.PARAGRAPH and _continues_with_prose(block, line, measure)


def _pitch_limit(block: LaidBlock, kind: BlockKind, measure: _Measure) -> float:
    """Return the pitch from which on a line of this kind is too far below the block to belong to it."""
    if kind is block.kind is BlockKind.CODE:
        return 3.2
    if kind is block.kind is BlockKind.TABLE:
        return max(1.25 * measure.pitch, 2.2)
    return max(1.22 * measure.pitch, 1.3)


def _continues_same_kind(block: LaidBlock, line: TextLine) -> bool:
    last = block.lines[-1]
    overlaps = _overlaps_across(last, line)
    if block.kind is BlockKind.HEADING:
        return overlaps and abs(line.size - last.size) < 0.5 and line.is_bold == last.is_bold
    return (overlaps or block.kind is BlockKind.CODE) and not _is_indented(block, line, block.kind)


def _continues_with_prose(block: LaidBlock, line: TextLine, measure: _Measure) -> bool:
    """Return whether a line that looks like prose is the rest of a list item, or a narrow row of a table."""
    last = block.lines[-1]
    if block.kind is BlockKind.LIST:
        is_hanging = line.x0 > block.lines[0].x0 + 1 or _is_full(last, line, measure.right)
        return _overlaps_across(last, line) and is_hanging and abs(line.size - last.size) < 1
    if block.kind is BlockKind.TABLE:
        return len(block.lines) >= 2 and line.x1 - line.x0 < 0.45 * measure.width
    return False


def _overlaps_across(line: TextLine, other: TextLine) -> bool:
    return min(line.x1, other.x1) > max(line.x0, other.x0)


def _is_full(line: TextLine, following: TextLine, right: float) -> bool:
    """Return whether the first word of the next line would not have fitted into this line."""
    first = following.words[0]
    return line.x1 + 0.3 * line.size + (first.x1 - first.x0) > right


def _is_indented(block: LaidBlock, line: TextLine, kind: BlockKind) -> bool:
    """Return whether a first-line indent shows that a new paragraph begins."""
    if kind is not BlockKind.PARAGRAPH or len(block.lines) < 2:
        return False
    last, before = block.lines[-1], block.lines[-2]
    return line.x0 - last.x0 > 0.8 * max(line.size, last.size, 1.0) and abs(last.x0 - before.x0) < 1
