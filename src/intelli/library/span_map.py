"""Span map: locates any range of a text in the original, by pages, boxes, cells and headings. Stored packed.

Format: a mark with the version, then zlib-compressed a JSON header with pages and blocks, and the boxes of words as
packed columns, in tenths of a point.
"""

import bisect
import json
import struct
import unicodedata
import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from intelli.library import sheet_cells
from intelli.library.extraction import untrusted
from intelli.library.extraction.model import (
    Block,
    BlockKind,
    BlockLocation,
    Box,
    ExtractedAttachment,
    Extraction,
    PageWord,
    TextPage,
)

_MARK = b"intelli-map-1\n"
_SIZE = struct.Struct("<I")
_MOST_BYTES, _HEADER_BYTES = 512 << 20, 128 << 20
_WORD_BYTES = 25
_PARTS = ("pages", "words", "paths", "blocks", "attachments", "warnings")
_TENTHS = 10
_BETWEEN = " \N{SINGLE RIGHT-POINTING ANGLE QUOTATION MARK} "
_RIGHT_TO_LEFT = {"R", "AL"}
# A gap wider than this many heights of the line begins a new rectangle: the next column, a cell further on.
_GAP_HEIGHTS = 2.5
_OVERLAP = 0.5
_UPRIGHT_RATIO = 2.0


class DamagedMap(ValueError):
    """The bytes are not a span map, or of a later version."""


@dataclass(frozen=True, slots=True)
class SpanBoxes:
    """Rectangles of a span on one page, one per visual line."""

    page: TextPage
    boxes: list[Box]


def pack(extraction: Extraction) -> bytes:
    """Pack the span map of an extraction for storage."""
    header = json.dumps(_header(extraction), separators=(",", ":"), ensure_ascii=False).encode()
    words = [word for page in extraction.pages for word in page.words]
    body = _SIZE.pack(len(header)) + header + _pack_words(words, extraction.text)
    return _MARK + zlib.compress(body, 6)


def _decompress(packed: bytes) -> bytes:
    """Decompress all bytes. Raises ValueError for data behind the end, which `zlib.decompress` would ignore."""
    stream = zlib.decompressobj()
    body = stream.decompress(packed, _MOST_BYTES)
    if not stream.eof or stream.unused_data:
        raise ValueError("it does not end where it should")
    return body


class SpanMap:
    """An unpacked span map. Raises DamagedMap when the bytes are not one."""

    def __init__(self, packed: bytes) -> None:
        if not packed.startswith(_MARK):
            raise DamagedMap("these bytes are not a span map that this version reads")
        try:
            body = _decompress(packed[len(_MARK) :])
            (size,) = _SIZE.unpack_from(body)
            parsed = untrusted.parse(body[_SIZE.size : _SIZE.size + size], most_bytes=_HEADER_BYTES)
            header: dict[str, Any] = untrusted.check_object(parsed, _PARTS)
            self.attachments = tuple(ExtractedAttachment(*each) for each in header["attachments"])
            self.pages = tuple(TextPage(*each) for each in header["pages"])
        except (zlib.error, struct.error, ValueError, TypeError) as error:
            raise DamagedMap("the span map is damaged") from error
        self.header = header
        self._words = body[_SIZE.size + size :]
        self._paths: list[list[str]] = header["paths"]
        self._blocks: list[list[object]] = header["blocks"]
        self.warnings: list[str] = header["warnings"]
        self._counts: list[int] = header["words"]

    @property
    def block_count(self) -> int:
        """Number of blocks of the text."""
        return len(self._blocks)

    def block(self, index: int) -> Block:
        """Return the block at an index in reading order."""
        start, end, kind, level, path, place = self._blocks[index]
        return Block(
            start=int(str(start)),
            end=int(str(end)),
            kind=BlockKind(str(kind)),
            level=int(str(level)),
            path=tuple(self._paths[int(str(path))]),
            place=_place(place),
        )

    def block_at(self, offset: int) -> int:
        """Return the index of the block that contains the character at an offset, or else of the block before it."""
        return max(bisect.bisect_right(self._starts, offset) - 1, 0)

    def blocks(self, start: int, end: int) -> Iterator[Block]:
        """Yield the blocks that a span touches."""
        for index in range(self.block_at(start), len(self._blocks)):
            if self._starts[index] >= max(end, start + 1):
                return
            block = self.block(index)
            if block.end > start:
                yield block

    def page_of(self, offset: int) -> int | None:
        """Return the number of the page that a character is on; None before the first page."""
        index = bisect.bisect_right([page.start for page in self.pages], offset) - 1
        return self.pages[index].number if index >= 0 else None

    def extraction(self, text: str, media_type: str, *, title: str | None, properties: dict[str, str]) -> Extraction:
        """Return the extraction that this map was packed from; what formats told of their blocks is not in it."""
        pages = tuple(replace(page, words=tuple(self._words_of(index))) for index, page in enumerate(self.pages))
        blocks = tuple(self.block(index) for index in range(self.block_count))
        return Extraction(text, blocks, media_type, pages, title, properties, self.attachments)

    def _words_of(self, index: int) -> Iterator[PageWord]:
        first = sum(self._counts[:index])
        columns = self._columns
        for at in range(first, first + self._counts[index]):
            start = int(columns.start[at])
            x0, y0, x1, y1 = (float(value) / _TENTHS for value in columns.boxes[at])
            yield PageWord(start, start + int(columns.length[at]), (x0, y0, x1, y1))

    def section(self, offset: int) -> str | None:
        """Return the headings above a character, joined; None when there are none."""
        block = next(self.blocks(offset, offset + 1), None)
        return _BETWEEN.join(block.path) or None if block else None

    def places(self, start: int, end: int, *, text: str) -> list[BlockLocation]:
        """Return the locations of a span in the original, one for each block it touches, without duplicates."""
        return list(dict.fromkeys(_place_of(block, start, end, text=text) for block in self.blocks(start, end)))

    def boxes(self, start: int, end: int) -> list[SpanBoxes]:
        """Return the rectangles of a span by page: one per visual line, cut proportionally inside a word."""
        found = []
        for index, page in enumerate(self.pages):
            if page.start >= end:
                break
            if page.end > start:
                boxes = _lines(self._clipped(index, start, end))
                if boxes:
                    found.append(SpanBoxes(page, boxes))
        return found

    def check_words(self, count: int, *, chars: int) -> None:
        """Raise DamagedMap unless there are `count` words, each inside a text of `chars` characters."""
        if len(self._words) != _SIZE.size + _WORD_BYTES * count or _SIZE.unpack_from(self._words)[0] != count:
            raise DamagedMap("the words are not those of the pages")
        start, length = self._columns.start, self._columns.length
        if count and (start.min() < 0 or length.min() < 0 or (start + length).max() > chars):
            raise DamagedMap("a word is not in its text")

    @cached_property
    def _starts(self) -> list[int]:
        return [int(str(block[0])) for block in self._blocks]

    @cached_property
    def _columns(self) -> "_Columns":
        return _Columns.unpack(self._words)

    def _clipped(self, index: int, start: int, end: int) -> Iterator[Box]:
        """Yield the boxes of the words of a page that a span touches, cut to the span."""
        first = sum(self._counts[:index])
        columns = self._columns
        for at in range(first, first + self._counts[index]):
            word_start, length = int(columns.start[at]), int(columns.length[at])
            if word_start + length <= start or word_start >= end:
                continue
            x0, y0, x1, y1 = (float(value) / _TENTHS for value in columns.boxes[at])
            if not columns.is_whole[at]:
                step = (x1 - x0) / max(length, 1)
                x0, x1 = x0 + step * max(start - word_start, 0), x1 - step * max(word_start + length - end, 0)
            yield x0, y0, x1, y1


@dataclass(frozen=True, slots=True)
class _Columns:
    """Words as arrays. A word that `is_whole` is never cut: it is written from right to left, or upwards."""

    start: NDArray[np.int64]
    length: NDArray[np.int32]
    boxes: NDArray[np.int32]
    is_whole: NDArray[np.uint8]

    @classmethod
    def unpack(cls, packed: bytes) -> "_Columns":
        (count,) = _SIZE.unpack_from(packed)
        at = _SIZE.size
        steps = np.frombuffer(packed, "<i4", count, at)
        length = np.frombuffer(packed, "<i4", count, at + 4 * count)
        boxes = np.frombuffer(packed, "<i4", 4 * count, at + 8 * count).reshape(4, count).T
        is_whole = np.frombuffer(packed, "u1", count, at + 24 * count)
        return cls(np.cumsum(steps, dtype=np.int64), length.astype(np.int32), boxes.astype(np.int32), is_whole)


def _pack_words(words: Sequence[PageWord], text: str) -> bytes:
    starts = np.array([word.start for word in words], dtype=np.int64)
    steps = np.diff(starts, prepend=0).astype("<i4")
    length = np.array([word.end - word.start for word in words], dtype="<i4")
    boxes = (np.array([word.box for word in words], dtype=float).reshape(-1, 4) * _TENTHS).round().astype("<i4")
    is_whole = np.array([_is_whole(word, text) for word in words], dtype="u1")
    return b"".join((_SIZE.pack(len(words)), steps.tobytes(), length.tobytes(), boxes.T.tobytes(), is_whole.tobytes()))


def _is_whole(word: PageWord, text: str) -> bool:
    x0, y0, x1, y1 = word.box
    if y1 - y0 > _UPRIGHT_RATIO * (x1 - x0) and word.end - word.start > 1:
        return True
    letters = text[word.start : word.end]
    return not letters.isascii() and any(unicodedata.bidirectional(each) in _RIGHT_TO_LEFT for each in letters)


def _header(extraction: Extraction) -> dict[str, object]:
    paths: dict[tuple[str, ...], int] = {}
    blocks = [
        [
            block.start,
            block.end,
            block.kind,
            block.level,
            paths.setdefault(block.path, len(paths)),
            _place_fields(block.place),
        ]
        for block in extraction.blocks
    ]
    return {
        "pages": [
            [page.number, page.start, page.end, page.width, page.height, [], page.is_ocr, page.quality]
            for page in extraction.pages
        ],
        "words": [len(page.words) for page in extraction.pages],
        "paths": [list(path) for path in paths],
        "blocks": blocks,
        "attachments": [[each.name, each.media_type, each.size_bytes] for each in extraction.attachments],
        "warnings": list(extraction.warnings),
    }


def _place_fields(place: BlockLocation) -> dict[str, object]:
    return {name: value for name in BlockLocation.__slots__ if (value := getattr(place, name)) is not None}


def _place(fields: object) -> BlockLocation:
    assert isinstance(fields, dict), "a block's place was written as an object"
    box = fields.get("box")
    return BlockLocation(**{**fields, "box": tuple(box) if box else None})


def _place_of(block: Block, start: int, end: int, *, text: str) -> BlockLocation:
    """Return the location of the part of a block that a span touches; for tables, its cells."""
    if block.kind is not BlockKind.TABLE:
        return block.place
    first, last = max(start, block.start) - block.start, min(end, block.end) - block.start
    return sheet_cells.narrow(block.place, text[block.start : block.end], start=first, end=max(last, first + 1))


def _lines(boxes: Iterable[Box]) -> list[Box]:
    """Join boxes that are beside each other on a line."""
    lines: list[Box] = []
    for box in boxes:
        if lines and _continues(lines[-1], box):
            last = lines[-1]
            lines[-1] = (min(last[0], box[0]), min(last[1], box[1]), max(last[2], box[2]), max(last[3], box[3]))
        else:
            lines.append(box)
    return [(round(x0, 2), round(y0, 2), round(x1, 2), round(y1, 2)) for x0, y0, x1, y1 in lines]


def _continues(line: Box, box: Box) -> bool:
    height = min(line[3] - line[1], box[3] - box[1])
    if min(line[3], box[3]) - max(line[1], box[1]) <= _OVERLAP * height:
        return False
    gap = max(box[0] - line[2], line[0] - box[2])
    return gap < _GAP_HEIGHTS * max(height, 1)
