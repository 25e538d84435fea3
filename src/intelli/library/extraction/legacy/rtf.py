"""Reader of Rich Text Format: paragraphs, tables and notes, without the formatting."""

import codecs
import re
from dataclasses import dataclass, replace
from pathlib import Path

from intelli.library.extraction.assemble import TextAssembler
from intelli.library.extraction.limits import Limits
from intelli.library.extraction.model import BlockKind, BlockLocation, Extraction, Refusal, Unreadable
from intelli.library.extraction.table import row_text

_MEDIA_TYPE = "application/rtf"
_TOKEN = re.compile(
    rb"\\([a-z]{1,32})(-?\d{1,10})? ?|\\'([0-9a-fA-F]{2})|\\([^a-z])|([{}])|[\r\n]+|([^\\{}\r\n]+)", re.IGNORECASE
)
_SILENT = {
    "fonttbl", "colortbl", "stylesheet", "info", "pict", "object", "themedata", "colorschememapping", "latentstyles",
    "datastore", "listtable", "listoverridetable", "rsidtbl", "generator", "fldinst", "xmlnstbl", "filetbl", "revtbl",
    "bkmkstart", "bkmkend", "header", "footer", "headerl", "headerr", "headerf", "footerl", "footerr", "footerf",
    "pntext", "nonshppict", "mmathPr", "wgrffmtfilter", "userprops", "background", "listtext",
}  # fmt: skip
_SHOWN_STARRED = {"shpinst", "shptxt", "footnote", "annotation"}
_CHARS = {
    "tab": "\t", "line": "\n", "emdash": "\u2014", "endash": "\u2013", "lquote": "\u2018", "rquote": "\u2019",
    "ldblquote": "\u201c", "rdblquote": "\u201d", "bullet": "\u2022", "emspace": " ", "enspace": " ", "qmspace": " ",
}  # fmt: skip
_SIGNS = {b"~": "\u00a0", b"_": "\u2011", b"-": "", b"{": "{", b"}": "}", b"\\": "\\"}
_DEEPEST = 1000
_NESTED = "The file is nested too deeply to be read. Save it anew in a simpler form and upload it again."


@dataclass(frozen=True, slots=True)
class _Group:
    """The state of a group, the text inside a pair of braces."""

    is_silent: bool = False
    is_note: bool = False
    fallback: int = 1  # number of substitute characters after one that old readers do not know


def extract_rtf(path: Path, limits: Limits) -> Extraction:
    """Extract the text of an RTF file."""
    reader = _Reader(TextAssembler(limits))
    reader.read(path.read_bytes())
    return reader.assembly.finish(_MEDIA_TYPE)


class _Reader:
    """Reads the tokens once and appends the text to an assembler."""

    def __init__(self, assembly: TextAssembler) -> None:
        self.assembly = assembly
        self._group = _Group()
        self._stack: list[_Group] = []
        self._encoding = "cp1252"
        self._bytes = bytearray()
        self._words: list[str] = []
        self._notes: list[str] = []
        self._cells: list[str] = []
        self._rows: list[str] = []
        self._is_in_table = False
        self._is_starred = False
        self._skip = 0
        self._level = 0
        self._paragraph = 0

    def read(self, raw: bytes) -> None:
        for token in _TOKEN.finditer(raw):
            word, number, code, sign, brace, text = token.groups()
            if word:
                self._handle_control(word.decode().lower(), int(number) if number else None)
            elif code:
                self._add_byte(int(code, 16))
            elif sign:
                self._handle_sign(sign)
            elif brace:
                self._handle_brace(brace)
            elif text:
                self._add_bytes(text)
        self._end_paragraph()
        self._end_table()

    def _handle_brace(self, brace: bytes) -> None:
        self._flush()
        self._skip = 0
        self._is_starred = False
        if brace == b"{":
            if len(self._stack) >= _DEEPEST:
                raise Unreadable(Refusal.HOSTILE, _NESTED)
            self._stack.append(self._group)
        elif self._stack:
            was, self._group = self._group, self._stack.pop()
            if was.is_note and not self._group.is_note:
                self._notes.append("\n")

    def _handle_control(self, word: str, number: int | None) -> None:
        self._flush()
        starred, self._is_starred = self._is_starred, False
        if word in _SILENT or (starred and word not in _SHOWN_STARRED):
            self._group = replace(self._group, is_silent=True)
        elif word in ("footnote", "annotation"):
            self._group = replace(self._group, is_note=True)
        elif word == "ansicpg" and number:
            self._encoding = _lookup_encoding(f"cp{number}")
        elif word == "uc":
            self._group = replace(self._group, fallback=max(0, min(number or 0, 10)))
        elif word == "u" and number is not None:
            self._add_unicode(number)
        elif word in _CHARS:
            self._add(_CHARS[word])
        elif not self._group.is_silent:
            self._handle_structure(word, number)

    def _handle_structure(self, word: str, number: int | None) -> None:
        if self._group.is_note:
            if word in ("par", "sect"):
                self._notes.append("\n")
        elif word in ("par", "sect", "page"):
            if self._is_in_table:
                self._words.append(" ")
            else:
                self._end_paragraph()
        elif word == "pard":
            self._level, self._is_in_table = 0, False
        elif word == "intbl":
            self._is_in_table = True
        elif word == "outlinelevel":
            self._level = min((number or 0) + 1, 9)
        elif word in ("cell", "nestcell"):
            self._cells.append("".join(self._words))
            self._words.clear()
        elif word in ("row", "nestrow"):
            self._rows.append(row_text(self._cells))
            self._cells.clear()

    def _add_unicode(self, number: int) -> None:
        code = number + 0x10000 if number < 0 else number
        self._add(chr(code) if code < 0x110000 else "")
        self._skip = self._group.fallback

    def _add_byte(self, value: int) -> None:
        if self._skip:
            self._skip -= 1
        elif not self._group.is_silent:
            self._bytes.append(value)

    def _handle_sign(self, sign: bytes) -> None:
        self._flush()
        if sign == b"*":
            self._is_starred = True
        elif sign in b"\r\n":
            self._handle_control("par", None)
        else:
            self._add(_SIGNS.get(sign, ""))

    def _add_bytes(self, text: bytes) -> None:
        skipped = min(self._skip, len(text))
        self._skip -= skipped
        if not self._group.is_silent:
            self._bytes += text[skipped:]

    def _flush(self) -> None:
        if self._bytes:
            text = self._bytes.decode(self._encoding, "replace")
            self._bytes.clear()
            self._add(text)

    def _add(self, text: str) -> None:
        if not self._group.is_silent:
            (self._notes if self._group.is_note else self._words).append(text)

    def _end_paragraph(self) -> None:
        self._flush()
        self._end_table()
        self._paragraph += 1
        # Characters beyond the first plane come as two halves.
        text = "".join(self._words).encode("utf-16", "surrogatepass").decode("utf-16", "replace").strip()
        self._words.clear()
        kind = BlockKind.HEADING if self._level else BlockKind.PARAGRAPH
        self.assembly.add(kind, text, BlockLocation(paragraph=self._paragraph), self._level)
        notes = "".join(self._notes).strip()
        self._notes.clear()
        self.assembly.add(BlockKind.NOTE, notes, BlockLocation(paragraph=self._paragraph))

    def _end_table(self) -> None:
        if self._cells:
            self._rows.append(row_text(self._cells))
            self._cells.clear()
        if self._rows:
            self.assembly.add(BlockKind.TABLE, "\n".join(self._rows), BlockLocation(paragraph=self._paragraph))
            self._rows.clear()


def _lookup_encoding(encoding: str) -> str:
    """Return the canonical name of an encoding; cp1252 when Python does not know it."""
    try:
        return codecs.lookup(encoding).name
    except LookupError:
        return "cp1252"
