"""Reader of PowerPoint presentations from before 2007 (PPT): the texts of each slide, from its records."""

import struct
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from intelli.library.extraction import compound
from intelli.library.extraction.assemble import TextAssembler
from intelli.library.extraction.limits import Limits
from intelli.library.extraction.model import BlockKind, BlockLocation, Extraction, Refusal, Unreadable

_MEDIA_TYPE = "application/vnd.ms-powerpoint"
_STREAM, _USER = "PowerPoint Document", "Current User"
_DOCUMENT, _SLIDE_LIST, _SLIDE_PERSIST, _NOTES_ATOM = 0x03E8, 0x0FF0, 0x03F3, 0x03F1
_TEXT_HEADER, _TEXT_CHARS, _TEXT_BYTES, _OUTLINE_REF = 0x0F9F, 0x0FA0, 0x0FA8, 0x0F9E
_USER_EDIT, _PERSIST = 0x0FF5, 0x1772
_SLIDES, _NOTES = 0, 2
_TITLES = (0, 6)
_SLIDE_PT = (720.0, 540.0)
_DEEPEST = 64
_LOCKED = "The presentation is protected by a password. Remove it and upload the file again."


@dataclass(frozen=True, slots=True)
class _Record:
    """Header of a record; `start` and `end` delimit its content in the stream."""

    kind: int
    instance: int
    start: int  # of what is in it
    end: int
    is_container: bool


@dataclass(slots=True)
class _Text:
    """A text of a slide; `kind` is its text type, such as title or body."""

    kind: int
    text: str


@dataclass(slots=True)
class _Slide:
    """A slide or its notes page; `offset` is that of its record, `outline` are the texts stored in the slide list."""

    id: int
    offset: int | None
    outline: list[_Text] = field(default_factory=list)


def extract_ppt(path: Path, limits: Limits) -> Extraction:
    """Extract the text of an old presentation; each slide is a page."""
    with compound.open_compound(path) as file:
        stream, user = file.read(_STREAM), file.read(_USER)
    try:
        return _Presentation(stream, user).extract(limits)
    except (struct.error, IndexError, KeyError, ValueError) as error:
        raise compound.damaged_error() from error


class _Presentation:
    """The current records of a presentation; a file that was saved again also contains older ones."""

    def __init__(self, stream: bytes, user: bytes) -> None:
        self._stream = stream
        self._places: dict[int, int] = {}
        (edit,) = struct.unpack_from("<I", user, 16)
        self._document = self._read_edits(edit)

    def _read_edits(self, edit: int) -> int:
        """Collect record offsets from the last edit back to the first and return the offset of the document record.

        The offset of a newer edit takes precedence.
        """
        document, seen = None, set[int]()
        while edit and edit not in seen:
            seen.add(edit)
            record = self._read_record(edit)
            if record.kind != _USER_EDIT:
                raise ValueError("no edit")
            if record.end - record.start >= 32:
                raise Unreadable(Refusal.ENCRYPTED, _LOCKED)
            before, directory, reference = struct.unpack_from("<8xIII", self._stream, record.start)
            for number, offset in self._read_directory(directory):
                self._places.setdefault(number, offset)
            document = reference if document is None else document
            edit = before
        if document is None:
            raise ValueError("no document")
        return self._places[document]

    def _read_directory(self, offset: int) -> Iterator[tuple[int, int]]:
        record = self._read_record(offset)
        if record.kind != _PERSIST:
            raise ValueError("no directory")
        position = record.start
        while position + 4 <= record.end:
            (head,) = struct.unpack_from("<I", self._stream, position)
            first, count = head & 0xFFFFF, head >> 20
            offsets = struct.unpack_from(f"<{count}I", self._stream, position + 4)
            yield from enumerate(offsets, first)
            position += 4 + 4 * count

    def _read_record(self, offset: int) -> _Record:
        head, kind, length = struct.unpack_from("<HHI", self._stream, offset)
        end = min(offset + 8 + length, len(self._stream))
        return _Record(kind, head >> 4, offset + 8, end, head & 0xF == 0xF)

    def _children_of(self, record: _Record) -> Iterator[_Record]:
        position = record.start
        while position + 8 <= record.end:
            inner = self._read_record(position)
            yield inner
            position = max(inner.end, position + 8)

    def _walk(self, top: _Record) -> Iterator[_Record]:
        """All records below one, in order, without recursion."""
        stack = [self._children_of(top)]
        while stack:
            record = next(stack[-1], None)
            if record is None:
                stack.pop()
                continue
            yield record
            if record.is_container and len(stack) < _DEEPEST:
                stack.append(self._children_of(record))

    def _text(self, record: _Record) -> str:
        raw = self._stream[record.start : record.end]
        text = raw.decode("latin-1" if record.kind == _TEXT_BYTES else "utf-16-le", "replace")
        return text.replace("\r", "\n").replace("\x0b", "\n").strip()

    def _slides(self, instance: int) -> list[_Slide]:
        slides: list[_Slide] = []
        for record in self._children_of(self._read_record(self._document)):
            if record.kind != _SLIDE_LIST or record.instance != instance:
                continue
            kind = -1
            for inner in self._children_of(record):
                if inner.kind == _SLIDE_PERSIST:
                    reference, number = struct.unpack_from("<I8xI", self._stream, inner.start)
                    slides.append(_Slide(number, self._places.get(reference)))
                elif inner.kind == _TEXT_HEADER:
                    (kind,) = struct.unpack_from("<I", self._stream, inner.start)
                elif inner.kind in (_TEXT_CHARS, _TEXT_BYTES) and slides:
                    slides[-1].outline.append(_Text(kind, self._text(inner)))
        return slides

    def _texts(self, slide: _Slide) -> list[_Text]:
        """Return the texts of a slide in the order of its shapes, with those that are stored in the outline."""
        found: list[_Text] = []
        used: set[int] = set()
        kind = -1
        for record in self._walk(self._read_record(slide.offset)) if slide.offset is not None else ():
            if record.kind == _TEXT_HEADER:
                (kind,) = struct.unpack_from("<I", self._stream, record.start)
            elif record.kind in (_TEXT_CHARS, _TEXT_BYTES):
                found.append(_Text(kind, self._text(record)))
            elif record.kind == _OUTLINE_REF:
                (index,) = struct.unpack_from("<I", self._stream, record.start)
                if index < len(slide.outline):
                    used.add(index)
                    found.append(slide.outline[index])
        return found + [text for index, text in enumerate(slide.outline) if index not in used]

    def _notes(self) -> dict[int, str]:
        """Map each slide id to the text of its notes."""
        notes: dict[int, str] = {}
        for note in self._slides(_NOTES):
            if note.offset is None:
                continue
            top = self._read_record(note.offset)
            atom = next((record for record in self._children_of(top) if record.kind == _NOTES_ATOM), None)
            if atom is not None:
                (slide,) = struct.unpack_from("<I", self._stream, atom.start)
                notes[slide] = "\n".join(text.text for text in self._texts(note) if text.kind == 2)
        return notes

    def extract(self, limits: Limits) -> Extraction:
        """Assemble the slides."""
        assembly = TextAssembler(limits)
        notes = self._notes()
        for number, slide in enumerate(self._slides(_SLIDES)[: limits.max_pages], 1):
            assembly.begin_page(*_SLIDE_PT)
            place = BlockLocation(slide=number)
            for text in sorted(self._texts(slide), key=lambda text: text.kind not in _TITLES):
                if text.kind in _TITLES:
                    assembly.add(BlockKind.HEADING, " ".join(text.text.split()), place, 1)
                else:
                    is_list = text.kind in (1, 5, 7, 8) and "\n" in text.text
                    assembly.add(BlockKind.LIST if is_list else BlockKind.PARAGRAPH, text.text, place)
            assembly.add(BlockKind.NOTE, notes.get(slide.id, ""), place)
        return assembly.finish(_MEDIA_TYPE)
