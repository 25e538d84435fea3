"""Writes blocks as the text of a page: each word gets offsets and a box, each block a kind and a style."""

import statistics
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import accumulate

from intelli.library.extraction.layout.blocks import LaidBlock, group_into_blocks
from intelli.library.extraction.layout.lines import TextLine, group_into_lines
from intelli.library.extraction.layout.vocabulary import Vocabulary
from intelli.library.extraction.layout.words import PlacedWord, ReadingFrame, WordRun
from intelli.library.extraction.model import Block, BlockKind, BlockLocation, Box, PageWord, PieceKind, TextPage

_MANY_BLOCKS = 500
_TOUCH = 2.0  # points by which boxes may overlap that only touch


@dataclass(slots=True)
class DraftBlock:
    """A block whose kind and level may still change once the whole document is known."""

    start: int
    end: int
    kind: BlockKind
    box: Box
    line_count: int
    size: float = 0.0
    is_bold: bool = False
    level: int = 0
    told: PieceKind | None = None


@dataclass(slots=True)
class DraftPage:
    """The text of a page that begins at offset `start` of its document; all offsets are those of the document."""

    number: int
    start: int
    width: float
    height: float
    text: str = ""
    words: tuple[PageWord, ...] = ()
    blocks: list[DraftBlock] = field(default_factory=list)
    is_ocr: bool = False
    quality: float = 1.0

    @property
    def end(self) -> int:
        """The offset in the document at which the page's text ends."""
        return self.start + len(self.text)

    def block_text(self, block: DraftBlock) -> str:
        """Return the text of one of the page's blocks."""
        return self.text[block.start - self.start : block.end - self.start]

    def to_block(self, block: DraftBlock, path: tuple[str, ...]) -> Block:
        """Convert a draft block of this page into a block of the extraction."""
        place = BlockLocation(page=self.number)
        return Block(block.start, block.end, block.kind, place, block.level, path, block.told)

    def to_text_page(self) -> TextPage:
        """Convert the draft into a page of the extraction."""
        size = (self.width, self.height)
        return TextPage(self.number, self.start, self.end, *size, self.words, is_ocr=self.is_ocr, quality=self.quality)


def draft_page(
    number: int, *, start: int, size: tuple[float, float], runs: Sequence[WordRun], vocabulary: Vocabulary | None = None
) -> DraftPage:
    """Lay out these words as a page. `vocabulary` has the words of the pages before; this page's words are added."""
    vocabulary = vocabulary or Vocabulary()
    for run in runs:
        vocabulary.learn(word.text for word in run.words)
    page = DraftPage(number, start, *size)
    writer = PageWriter(page, vocabulary)
    laid = [(block, run.frame) for run in runs for block in group_into_blocks(group_into_lines(run), run.frame.measure)]
    for block, frame in _move_headline_first(laid):
        writer.write_block(block, frame)
    return writer.finish()


def _move_headline_first(laid: list[tuple[LaidBlock, ReadingFrame]]) -> list[tuple[LaidBlock, ReadingFrame]]:
    """Move blocks that were painted later but lie above all blocks before them, and are as wide, to the front.

    An example is the masthead of a newspaper.
    """
    if not 1 < len(laid) < _MANY_BLOCKS:
        return laid
    boxes = [block_box(block, frame) for block, frame in laid]
    tops = list(accumulate((box[1] for box in boxes), min))
    for first in range(1, len(laid)):
        last = first
        while last < len(laid) and boxes[last][3] <= tops[first - 1] + _TOUCH:
            last += 1
        # A column is never as wide as all that was painted before it.
        if last > first and _is_as_wide(boxes[first:last], boxes[:first]):
            return laid[first:last] + laid[:first] + laid[last:]
    return laid


def _is_as_wide(boxes: list[Box], others: list[Box]) -> bool:
    left, right = min(box[0] for box in others), max(box[2] for box in others)
    shared = min(right, max(box[2] for box in boxes)) - max(left, min(box[0] for box in boxes))
    return shared > 0.7 * (right - left)


def block_box(block: LaidBlock, frame: ReadingFrame) -> Box:
    """Return the box of a block on the page."""
    left, right = min(line.x0 for line in block.lines), max(line.x1 for line in block.lines)
    top, bottom = min(line.y0 for line in block.lines), max(line.y1 for line in block.lines)
    return frame.to_page((left, top, right, bottom))


class PageWriter:
    """Appends blocks to a page and records the offsets and box of each word."""

    def __init__(self, page: DraftPage, vocabulary: Vocabulary | None = None) -> None:
        self._page = page
        self._vocabulary = vocabulary or Vocabulary()
        self._parts: list[str] = [page.text] if page.text else []
        self._words: list[PageWord] = list(page.words)
        self._end = page.end

    def finish(self) -> DraftPage:
        """Store the text and words in the page and return it."""
        self._page.text = "".join(self._parts)
        self._page.words = tuple(self._words)
        return self._page

    def write_block(self, block: LaidBlock, frame: ReadingFrame) -> None:
        """Append a block that was laid out in this frame."""
        start = self._open_block()
        if block.kind is BlockKind.TABLE:
            self._write_rows(block.lines)
        elif block.kind is BlockKind.CODE:
            self._write_code(block.lines)
        else:
            self._write_prose(block.lines)
        self._page.blocks.append(
            DraftBlock(
                start,
                self._end,
                block.kind,
                box=block_box(block, frame),
                line_count=len(block.lines),
                size=statistics.median(line.size for line in block.lines),
                is_bold=all(line.is_bold for line in block.lines),
            )
        )

    def write_note(self, text: str, box: Box) -> None:
        """Append a note as a block; each of its words gets the box of the note."""
        start = self._open_block()
        for number, line in enumerate(filter(None, map(str.split, text.splitlines()))):
            if number:
                self._write("\n")
            for index, word in enumerate(line):
                if index:
                    self._write(" ")
                self._write_word(word, box)
        block = DraftBlock(start, self._end, BlockKind.NOTE, box=box, line_count=1, told=PieceKind.COMMENT)
        self._page.blocks.append(block)

    def _open_block(self) -> int:
        if self._page.blocks:
            self._write("\n\n")
        return self._end

    def _write(self, text: str) -> None:
        self._parts.append(text)
        self._end += len(text)

    def _write_word(self, text: str, box: Box) -> None:
        start = self._end
        self._write(text)
        self._words.append(PageWord(start, self._end, box))

    def _write_prose(self, lines: list[TextLine]) -> None:
        for index, line in enumerate(lines):
            following = lines[index + 1] if index + 1 < len(lines) else None
            if following is None or not _is_broken_word(line, following):
                self._write_words(line.words)
                self._write("\n" if following else "")
                continue
            *before, last = line.words
            self._write_words(before)
            self._write(" " if before else "")
            keeps = self._vocabulary.keeps_hyphen(last.text, following.words[0].text)
            self._write_word(last.text if keeps else last.text[:-1], last.box)

    def _write_rows(self, lines: list[TextLine]) -> None:
        for index, line in enumerate(lines):
            self._write("\n" if index else "")
            for number, cell in enumerate(line.cells):
                self._write("\t" if number else "")
                self._write_words(cell)

    def _write_code(self, lines: list[TextLine]) -> None:
        left = min(line.x0 for line in lines)
        for index, line in enumerate(lines):
            self._write("\n" if index else "")
            self._write(_indent(line, left))
            self._write_words(line.words)

    def _write_words(self, words: list[PlacedWord]) -> None:
        for index, word in enumerate(words):
            self._write(" " if index else "")
            self._write_word(word.text, word.box)


def _is_broken_word(line: TextLine, following: TextLine) -> bool:
    """Return whether a hyphen at the line end splits a word that continues on the next line."""
    last, first = line.words[-1], following.words[0]
    return last.is_hyphenated and len(last.text) > 1 and first.text[0].islower()


def _indent(line: TextLine, left: float) -> str:
    first = line.words[0]
    character_width = (first.x1 - first.x0) / len(first.text)
    return " " * min(round((line.x0 - left) / character_width), 80) if character_width > 0.5 else ""
