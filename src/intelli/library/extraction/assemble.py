"""Assembles blocks into one clean text with valid offsets, the headings above each block, and a limit on length."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace

from intelli.library.extraction.limits import Limits
from intelli.library.extraction.model import (
    Block,
    BlockKind,
    BlockLocation,
    ExtractedAttachment,
    Extraction,
    PieceKind,
    TextPage,
)

_LONE = re.compile("[\x00\ud800-\udfff]")
_CELL = re.compile(r"([A-Z]+)([0-9]+)")
_HEADING_CHARS = 160


def clean(text: str) -> str:
    """Normalise line ends to line feeds and remove what PostgreSQL cannot store: NUL and lone surrogates."""
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    return _LONE.sub("", text)


def shorten_heading(text: str) -> str:
    """Return a heading on one line, cut to a length that fits into a path."""
    return " ".join(text[: 4 * _HEADING_CHARS].split())[:_HEADING_CHARS]


def continues_cells(before: BlockLocation, after: BlockLocation) -> bool:
    """Return whether the cells of `after` begin in the row below those of `before`, in the same column."""
    if not before.cells or not after.cells or (before.sheet, before.part) != (after.sheet, after.part):
        return False
    (first, _), (_, end) = parse_cell_range(before.cells)
    (column, row), _ = parse_cell_range(after.cells)
    return (first, end + 1) == (column, row)


def parse_cell_range(cells: str) -> tuple[tuple[str, int], tuple[str, int]]:
    """Parse a cell range such as "A1:F40"; return first and last cell, each as (column letters, row)."""
    begin, _, end = cells.partition(":")
    matches = [_CELL.fullmatch(cell) for cell in (begin, end or begin)]
    first, last = ((found[1], int(found[2])) if found else ("", 0) for found in matches)
    return first, last


class Headings:
    """Stack of the headings above the current position."""

    def __init__(self) -> None:
        self._open: list[tuple[int, str]] = []

    def close_level(self, level: int) -> tuple[str, ...]:
        """Close the headings of this level and deeper, and return the path of those that stay open."""
        while self._open and self._open[-1][0] >= level:
            self._open.pop()
        return self.path

    def enter(self, level: int, text: str) -> None:
        """Open a heading: later blocks are below it."""
        self.close_level(level)
        if heading := shorten_heading(text):
            self._open.append((level, heading))

    @property
    def path(self) -> tuple[str, ...]:
        """The open headings, from the top down."""
        return tuple(text for _, text in self._open)


class TextAssembler:
    """Collects the blocks of a document in reading order and builds the extraction."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self._pieces: list[str] = []
        self._length = 0
        self._blocks: list[Block] = []
        self._pages: list[TextPage] = []
        self._headings = Headings()
        self._warnings: list[str] = []
        self.is_full = False

    def add(
        self,
        kind: BlockKind,
        text: str,
        place: BlockLocation = BlockLocation(),
        level: int = 0,
        *,
        told: PieceKind | None = None,
    ) -> None:
        """Append a block; blank text is ignored, and so is everything after the limit on length was reached.

        `told` is what the format itself says that the block is.
        """
        text = clean(text).replace("\f", "\n").strip("\n ")
        if not text.strip() or self.is_full:
            return
        separator = self._separator(kind, place)
        text = self._fit(text, separator)
        if not text.strip():
            return
        path = self._headings.close_level(level) if level else self._headings.path
        self._append(separator)
        start = self._length
        self._append(text)
        self._blocks.append(Block(start, self._length, kind, place, level, path, told))
        if level:
            self._headings.enter(level, text)

    def begin_page(self, width: float, height: float) -> None:
        """Begin the next page; page numbers count from 1, sizes are in points."""
        self._end_page()
        if self._pages:
            self._append("\f")
        self._pages.append(TextPage(len(self._pages) + 1, self._length, self._length, width, height))

    def include(self, inner: Extraction, *, part: str, level: int = 1) -> None:
        """Append another extraction under a heading, such as an archive entry or an attachment; `part` is its name."""
        for warning in inner.warnings:
            self.warn(f"{part}: {warning}")
        self.add(BlockKind.HEADING, part, BlockLocation(part=part), level)
        if self.is_full or not inner.text.strip():
            return
        separator = self._separator(BlockKind.PARAGRAPH, BlockLocation())
        text = self._fit(inner.text.replace("\f", "\n"), separator)
        self._append(separator if text else "")
        base, above = self._length, self._headings.path
        self._append(text)
        for block in inner.blocks:
            if not text[block.start : block.end].strip():
                continue
            where = f"{part}/{block.place.part}" if block.place.part else part
            self._blocks.append(
                replace(
                    block,
                    start=base + block.start,
                    end=base + min(block.end, len(text)),
                    place=replace(block.place, part=where),
                    level=block.level + level if block.level else 0,
                    path=above + block.path,
                )
            )

    def warn(self, warning: str) -> None:
        """Add a warning for the reader of the document, once; at most 100 are stored."""
        if warning not in self._warnings and len(self._warnings) < 100:
            self._warnings.append(warning)

    def finish(
        self,
        media_type: str,
        *,
        title: str | None = None,
        properties: Mapping[str, str] | None = None,
        attachments: Iterable[ExtractedAttachment] = (),
    ) -> Extraction:
        """Build the extraction of all that was added."""
        self._end_page()
        return Extraction(
            text="".join(self._pieces),
            blocks=tuple(self._blocks),
            media_type=media_type,
            pages=tuple(self._pages),
            title=shorten_heading(clean(title or "")) or None,
            properties={key: clean(value) for key, value in (properties or {}).items() if value},
            attachments=tuple(replace(each, name=clean(each.name)) for each in attachments),
            warnings=tuple(clean(warning) for warning in self._warnings),
        )

    @property
    def chars_left(self) -> int:
        """The number of characters that still fit."""
        return max(0, self.limits.max_chars - self._length)

    def _fit(self, text: str, separator: str) -> str:
        """Cut text to what still fits; warn and mark the assembler as full when something is lost."""
        room = max(0, self.chars_left - len(separator))
        if len(text) <= room:
            return text
        self.is_full = True
        self.warn(f"Only the first {self.limits.max_chars:,} characters were read.")
        return text[:room]

    def _separator(self, kind: BlockKind, place: BlockLocation) -> str:
        """Return the separator before the next block: one line feed between list items and between bands of a table."""
        if not self._blocks or (self._pages and self._pages[-1].start == self._length):
            return ""
        last = self._blocks[-1]
        is_next_item = kind is BlockKind.LIST and last.kind is kind
        is_next_band = kind is BlockKind.TABLE and last.kind is kind and continues_cells(last.place, place)
        return "\n" if is_next_item or is_next_band else "\n\n"

    def _append(self, text: str) -> None:
        self._pieces.append(text)
        self._length += len(text)

    def _end_page(self) -> None:
        if self._pages:
            self._pages[-1] = replace(self._pages[-1], end=self._length)
