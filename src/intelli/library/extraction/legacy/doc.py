"""Reader of Word documents from before 2007 (DOC): text from the piece table, headings from the paragraph styles."""

import struct
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from intelli.library.extraction import compound
from intelli.library.extraction.assemble import TextAssembler
from intelli.library.extraction.limits import Limits
from intelli.library.extraction.model import BlockKind, BlockLocation, Extraction, Refusal, Unreadable
from intelli.library.extraction.table import row_text

_MEDIA_TYPE = "application/msword"
_MAGIC = 0xA5EC
_ENCRYPTED, _OTHER_TABLE = 0x0100, 0x0200
_STORIES = 76  # offset of the lengths of the stories: text, footnotes, headers, macros, comments, endnotes, boxes
_CLX, _PARAGRAPHS = 418, 258
_PAGE = 512
_OLD = "This Word format from before 1997 is not read. Save it as DOCX and upload it again."
_LOCKED = "The document is protected by a password. Remove it and upload the file again."


def extract_doc(path: Path, limits: Limits) -> Extraction:
    """Extract the text of an old Word document."""
    with compound.open_compound(path) as file:
        main = file.read("WordDocument")
        try:
            document = _Document(main, file)
            assembly = TextAssembler(limits)
            _add_body(assembly, document)
        except (struct.error, IndexError, ValueError) as error:
            raise compound.damaged_error() from error
    return assembly.finish(_MEDIA_TYPE)


@dataclass(frozen=True, slots=True)
class _Piece:
    """A range of characters of the text and its place in the file; `width` is 1 or 2 bytes per character."""

    first: int
    last: int
    offset: int
    width: int


class _Document:
    """The stories of a document (body, footnotes, …) and the style of each paragraph."""

    def __init__(self, main: bytes, file: compound.Compound) -> None:
        magic, version, flags = struct.unpack_from("<HH6xH", main)
        if magic != _MAGIC or version < 0x00C1:
            raise Unreadable(Refusal.UNSUPPORTED, _OLD)
        if flags & _ENCRYPTED:
            raise Unreadable(Refusal.ENCRYPTED, _LOCKED)
        self._main = main
        table = file.read("1Table" if flags & _OTHER_TABLE else "0Table")
        self._pieces = _pieces(table, *struct.unpack_from("<II", main, _CLX))
        self.lengths = struct.unpack_from("<7I", main, _STORIES)
        self._starts, self._styles = self._read_styles(table)

    def paragraphs(self, first: int, last: int) -> Iterator[tuple[str, str, int]]:
        """Yield text, final mark and style of each paragraph between two character positions."""
        words: list[str] = []
        for piece in self._pieces:
            begin, end = max(piece.first, first), min(piece.last, last)
            if begin >= end:
                continue
            start = piece.offset + (begin - piece.first) * piece.width
            raw = self._main[start : start + (end - begin) * piece.width]
            text = raw.decode("cp1252" if piece.width == 1 else "utf-16-le", "replace")
            done = 0
            for position, char in enumerate(text):
                if char in "\r\x07\x0c":
                    words.append(text[done:position])
                    yield _visible_text("".join(words)), char, self._style(start + position * piece.width)
                    words, done = [], position + 1
            words.append(text[done:])
        if rest := _visible_text("".join(words)):
            yield rest, "\r", 0

    def _style(self, offset: int) -> int:
        index = bisect_right(self._starts, offset) - 1
        return self._styles[index] if index >= 0 else 0

    def _read_styles(self, table: bytes) -> tuple[list[int], list[int]]:
        """Return the file offsets at which runs of paragraphs begin, and their styles; 1 to 9 are headings."""
        start, size = struct.unpack_from("<II", self._main, _PARAGRAPHS)
        count = (size - 4) // 8 if size >= 12 else 0
        found: list[tuple[int, int]] = []
        for (number,) in struct.iter_unpack("<I", table[start + 4 * (count + 1) : start + size][: 4 * count]):
            page = self._main[(number & 0x3FFFFF) * _PAGE :][:_PAGE]
            if len(page) == _PAGE:
                found += _read_page_styles(page)
        found.sort()
        return [each[0] for each in found], [each[1] for each in found]


def _read_page_styles(page: bytes) -> Iterator[tuple[int, int]]:
    count = page[-1]
    for number in range(min(count, 29)):
        (offset,) = struct.unpack_from("<I", page, 4 * number)
        place = page[4 * (count + 1) + 13 * number] * 2
        if 0 < place < _PAGE - 4:
            place += 2 if page[place] == 0 else 1
            yield offset, struct.unpack_from("<H", page, place)[0]


def _pieces(table: bytes, start: int, size: int) -> list[_Piece]:
    clx = table[start : start + size]
    position = 0
    while position < len(clx) and clx[position] == 1:
        position += 3 + struct.unpack_from("<H", clx, position + 1)[0]
    if clx[position] != 2:
        raise ValueError("no piece table")
    (length,) = struct.unpack_from("<I", clx, position + 1)
    plc = clx[position + 5 : position + 5 + length]
    count = (len(plc) - 4) // 12
    bounds = struct.unpack_from(f"<{count + 1}I", plc)
    pieces = []
    for number in range(count):
        (offset,) = struct.unpack_from("<I", plc, 4 * (count + 1) + 8 * number + 2)
        is_narrow = bool(offset & 0x40000000)
        offset &= 0x3FFFFFFF
        width = 1 if is_narrow else 2
        pieces.append(_Piece(bounds[number], bounds[number + 1], offset // 2 if is_narrow else offset, width))
    return pieces


def _visible_text(text: str) -> str:
    """Remove field codes and the marks of pictures and notes."""
    if "\x13" in text:
        shown, hidden = [], 0
        for char in text:
            if char == "\x13":
                hidden += 1
            elif char in "\x14\x15":
                hidden = max(0, hidden - 1)
            elif not hidden:
                shown.append(char)
        text = "".join(shown)
    return text.translate(_MARKS).strip()


_MARKS = dict.fromkeys(range(32)) | {9: "\t", 11: "\n", 30: "\u2011", 31: None, 160: "\u00a0"}


def _add_body(assembly: TextAssembler, document: _Document) -> None:
    body, footnotes, headers, macros, comments, endnotes, boxes = document.lengths
    _add_story(assembly, document.paragraphs(0, body))
    first = body
    for length, kind in (
        (footnotes, BlockKind.NOTE),
        (headers, BlockKind.FURNITURE),
        (macros, BlockKind.FURNITURE),
        (comments, BlockKind.NOTE),
        (endnotes, BlockKind.NOTE),
        (boxes, BlockKind.PARAGRAPH),
    ):
        for text, _, _ in document.paragraphs(first, first + length):
            assembly.add(kind, text)
        first += length


def _add_story(assembly: TextAssembler, paragraphs: Iterator[tuple[str, str, int]]) -> None:
    rows: list[str] = []
    cells: list[str] = []
    inner: list[str] = []
    for number, (text, mark, style) in enumerate(paragraphs, 1):
        place = BlockLocation(paragraph=number)
        if mark == "\x07":
            inner.append(text)
            if not any(inner) and cells:  # the mark that ends a row has no text
                rows.append(row_text(cells))
                cells = []
            else:
                cells.append(" ".join(inner).strip())
            inner = []
            continue
        if cells:
            inner.append(text)
            continue
        if rows:
            assembly.add(BlockKind.TABLE, "\n".join(rows), place)
            rows = []
        level = style if 1 <= style <= 9 else 0
        assembly.add(BlockKind.HEADING if level else BlockKind.PARAGRAPH, text, place, level)
    if cells:
        rows.append(row_text(cells))
    assembly.add(BlockKind.TABLE, "\n".join(rows))
