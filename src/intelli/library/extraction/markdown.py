"""Reader of Markdown: the characters of the file, with headings, lists, tables, code and paragraphs as blocks."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from intelli.library.extraction.assemble import Headings
from intelli.library.extraction.limits import Limits
from intelli.library.extraction.model import Block, BlockKind, BlockLocation, Extraction
from intelli.library.extraction.text import iter_lines, load_text

_HEADING = re.compile(r" {0,3}(#{1,6})(?:[ \t]+|$)")
_ITEM = re.compile(r"[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+\S")
_UNDERLINE = re.compile(r" {0,3}(=+|-+)[ \t]*$")
# What a program reads before the text: title, author, date. It ends with the line that it begins with.
_FIELDS = re.compile(r"(?P<mark>---|\+\+\+)[ \t]*\n(?:(?!(?P=mark))[^\n]++\n){1,200}?(?P=mark)(?=[ \t]*(?:\n|\Z))")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")


@dataclass(slots=True)
class _OpenBlock:
    """The open block, to which further lines may belong."""

    kind: BlockKind
    start: int
    end: int
    line: int


class _MarkdownParser:
    """Line parser: goes through the lines once and yields the blocks."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._open: _OpenBlock | None = None
        self._fence = ""
        self._headings = Headings()

    def blocks(self) -> Iterator[Block]:
        fields = _FIELDS.match(self._text)
        if fields:
            yield Block(0, fields.end(), BlockKind.CODE, BlockLocation(line=1))
        for number, start, end in iter_lines(self._text):
            if not fields or start >= fields.end():
                yield from self._line(number, start, end)
        yield from self._close_block()

    def _line(self, number: int, start: int, end: int) -> Iterator[Block]:
        line = self._text[start:end]
        if self._fence:
            yield from self._in_fence(line, end)
        elif not line.strip():
            yield from self._close_block()
        elif fence := _FENCE.match(line):
            yield from self._begin_block(BlockKind.CODE, number, start, end)
            self._fence = fence[1]
        elif heading := _HEADING.match(line):
            yield from self._close_block()
            yield self._heading(start, end, number, len(heading[1]))
        elif (underline := _UNDERLINE.match(line)) and self._open and self._open.kind is BlockKind.PARAGRAPH:
            begun, self._open = self._open, None
            yield self._heading(begun.start, end, begun.line, 1 if underline[1][0] == "=" else 2)
        else:
            yield from self._text_line(line, number, start, end)

    def _in_fence(self, line: str, end: int) -> Iterator[Block]:
        assert self._open is not None, "a fence opens a block"
        self._open.end = end
        stripped = line.strip()
        if stripped.startswith(self._fence) and not stripped.strip(self._fence[0]):
            self._fence = ""
            yield from self._close_block()

    def _text_line(self, line: str, number: int, start: int, end: int) -> Iterator[Block]:
        kind = BlockKind.PARAGRAPH
        if line.lstrip().startswith("|"):
            kind = BlockKind.TABLE
        elif _ITEM.match(line):
            kind = BlockKind.LIST
        goes_on = self._open is not None and (kind is self._open.kind or self._is_lazy(kind))
        if goes_on and self._open is not None:
            self._open.end = end
            return
        yield from self._begin_block(kind, number, start, end)

    def _is_lazy(self, kind: BlockKind) -> bool:
        """Return whether a plain line below a list item belongs to the item."""
        return self._open is not None and self._open.kind is BlockKind.LIST and kind is BlockKind.PARAGRAPH

    def _begin_block(self, kind: BlockKind, number: int, start: int, end: int) -> Iterator[Block]:
        yield from self._close_block()
        self._open = _OpenBlock(kind, start, end, number)

    def _close_block(self) -> Iterator[Block]:
        if self._open:
            begun, self._open = self._open, None
            place = BlockLocation(line=begun.line)
            yield Block(begun.start, begun.end, begun.kind, place, path=self._headings.path)

    def _heading(self, start: int, end: int, number: int, level: int) -> Block:
        words = self._text[start:end].split("\n")[0].strip().strip("#").strip()
        block = Block(
            start, end, BlockKind.HEADING, BlockLocation(line=number), level, self._headings.close_level(level)
        )
        self._headings.enter(level, words)
        return block


def extract_markdown(path: Path, limits: Limits) -> Extraction:
    """Extract a Markdown file as it is; its title is its first heading of level 1."""
    text, warnings = load_text(path, limits)
    blocks = tuple(_MarkdownParser(text).blocks())
    first = next((block for block in blocks if block.level == 1), None)
    title = text[first.start : first.end].split("\n")[0].strip().strip("#").strip() if first else None
    return Extraction(text, blocks, "text/markdown", title=title or None, warnings=warnings)
