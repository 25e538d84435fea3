"""Readers of OpenDocument texts and presentations (ODT, ODP), which have all content in one XML part."""

import re
import zipfile
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path

from intelli.library.extraction.assemble import TextAssembler
from intelli.library.extraction.limits import Limits
from intelli.library.extraction.model import BlockKind, BlockLocation, Extraction, Refusal, Unreadable
from intelli.library.extraction.table import SpannedCell, expand_spans
from intelli.library.extraction.xml import XmlElement, attribute, child, children_of, local_name, parse
from intelli.library.extraction.zip_files import open_zip, read_entry

_ODT = "application/vnd.oasis.opendocument.text"
_ODP = "application/vnd.oasis.opendocument.presentation"
_UNSEEN = {"tracked-changes", "sequence-decls", "forms", "soft-page-break", "bookmark", "desc", "title", "settings"}
_SLIDE_PT = (793.7, 595.3)
_LENGTH = re.compile(r"([\d.]+)(cm|mm|in|pt|px)")
_POINTS = {"cm": 28.346, "mm": 2.8346, "in": 72.0, "pt": 1.0, "px": 0.75}
_SPACES = 1000


def extract_odt(path: Path, limits: Limits) -> Extraction:
    """Extract the text of a text document."""
    with open_zip(path, limits) as archive:
        check_unlocked(archive)
        assembly = TextAssembler(limits)
        _Walk(assembly).add_blocks(children_of(parse(read_entry(archive, "content.xml")), "body", "text"))
        title, properties = _properties(archive)
        return assembly.finish(_ODT, title=title, properties=properties)


def extract_odp(path: Path, limits: Limits) -> Extraction:
    """Extract the text of a presentation; each slide is a page."""
    with open_zip(path, limits) as archive:
        check_unlocked(archive)
        assembly = TextAssembler(limits)
        body = children_of(parse(read_entry(archive, "content.xml")), "body", "presentation")
        slides = [each for each in body if local_name(each) == "page"]
        for number, slide in enumerate(slides[: limits.max_pages], 1):
            assembly.begin_page(*_SLIDE_PT)
            _Walk(assembly, slide=number).add_slide(slide)
        title, properties = _properties(archive)
        return assembly.finish(_ODP, title=title, properties=properties)


def check_unlocked(archive: zipfile.ZipFile) -> None:
    """Raise Unreadable when parts of a document are encrypted."""
    if "META-INF/manifest.xml" not in archive.namelist():
        return
    if b"encryption-data" in read_entry(archive, "META-INF/manifest.xml"):
        reason = "The document is protected by a password. Remove it and upload the file again."
        raise Unreadable(Refusal.ENCRYPTED, reason)


def _properties(archive: zipfile.ZipFile) -> tuple[str | None, dict[str, str]]:
    if "meta.xml" not in archive.namelist():
        return None, {}
    found: dict[str, str] = {}
    with suppress(Unreadable):
        for each in children_of(parse(read_entry(archive, "meta.xml")), "meta"):
            if each.text and each.text.strip():
                found[local_name(each)] = each.text.strip()
    author = found.get("creator") or found.get("initial-creator")
    return found.get("title"), {"author": author} if author else {}


class _Walk:
    """Appends the text of a document or a slide to an assembler, block by block."""

    def __init__(self, assembly: TextAssembler, slide: int | None = None) -> None:
        self._assembly = assembly
        self._slide = slide
        self._paragraph = 0

    def add_blocks(self, elements: Iterable[XmlElement], marker: str = "") -> None:
        for element in elements:
            name = local_name(element)
            if self._assembly.is_full:
                return
            if name in ("p", "h"):
                self._add_paragraph(element, marker)
                marker = " " * len(marker)
            elif name == "list":
                self._add_list(element)
            elif name == "table":
                self._add_table(element)
            elif name and name not in _UNSEEN:
                self.add_blocks(element, marker)

    def add_slide(self, slide: XmlElement) -> None:
        """Append the frames of a slide from top to bottom, its title first, its notes last."""
        frames = [each for each in slide if local_name(each) not in ("notes", "forms")]
        for frame in sorted(frames, key=_rank):
            if _class(frame) == "title":
                text = " ".join(
                    " ".join(_text(each) for each in frame.iter() if local_name(each) in ("p", "h")).split()
                )
                self._assembly.add(BlockKind.HEADING, text, self._place(), 1)
            else:
                self.add_blocks([frame])
        for notes in slide:
            if local_name(notes) == "notes":
                texts = (
                    _text(each)
                    for frame in notes
                    if _class(frame) == "notes"
                    for each in frame.iter()
                    if local_name(each) == "p"
                )
                self._assembly.add(BlockKind.NOTE, "\n".join(texts), self._place())

    def _place(self) -> BlockLocation:
        return BlockLocation(slide=self._slide) if self._slide else BlockLocation(paragraph=self._paragraph)

    def _add_paragraph(self, element: XmlElement, marker: str) -> None:
        self._paragraph += 1
        level = 0
        if local_name(element) == "h":
            outline = attribute(element, "outline-level") or "1"
            level = min(int(outline), 9) if outline.isdecimal() and outline != "0" else 1
        kind = BlockKind.HEADING if level else BlockKind.LIST if marker else BlockKind.PARAGRAPH
        text = _text(element).strip()
        self._assembly.add(kind, marker + text if text else "", self._place(), level)
        for apart in _anchored_elements(element):
            if local_name(apart) in ("note", "annotation"):
                words = "\n".join(_text(each) for each in apart.iter() if local_name(each) == "p").strip()
                self._assembly.add(BlockKind.NOTE, _note_prefix(apart) + words if words else "", self._place())
            else:
                self.add_blocks(apart)

    def _add_list(self, element: XmlElement, depth: int = 0) -> None:
        for item in element:
            if local_name(item) not in ("list-item", "list-header"):
                continue
            self.add_blocks([each for each in item if local_name(each) != "list"], "  " * min(depth, 8) + "- ")
            for each in item:
                if local_name(each) == "list":
                    self._add_list(each, depth + 1)

    def _add_table(self, table: XmlElement) -> None:
        self._paragraph += 1
        rows = expand_spans(_rows(table), max_cells=self._assembly.limits.max_cells)
        self._assembly.add(BlockKind.TABLE, "\n".join(rows), self._place())


def _rows(table: XmlElement) -> Iterator[list[SpannedCell]]:
    for row in table:
        name = local_name(row)
        if name in ("table-header-rows", "table-rows", "table-row-group"):
            yield from _rows(row)
        elif name == "table-row":
            yield [
                SpannedCell(_cell(cell), _span(cell, "number-columns-spanned"), _span(cell, "number-rows-spanned"))
                for cell in row
                if local_name(cell) == "table-cell"
            ]


def _cell(cell: XmlElement) -> str:
    return " ".join(text for each in cell.iter() if local_name(each) in ("p", "h") and (text := _text(each).strip()))


def _span(cell: XmlElement, name: str) -> int:
    span = attribute(cell, name) or "1"
    return int(span) if span.isdecimal() and len(span) < 5 else 1


def _text(element: XmlElement) -> str:
    """Return the text of a paragraph without the notes, comments and frames in it."""
    parts = [element.text or ""]
    for each in element:
        name = local_name(each)
        if name == "s":
            count = attribute(each, "c") or "1"
            parts.append(" " * (min(int(count), _SPACES) if count.isdecimal() else 1))
        elif name == "tab":
            parts.append("\t")
        elif name == "line-break":
            parts.append("\n")
        elif name == "note":
            parts.append(_note_prefix(each).strip())
        elif name not in ("annotation", "frame", "custom-shape", "g", "tracked-changes") and name:
            parts.append(_text(each))
        parts.append(each.tail or "")
    return "".join(parts)


def _anchored_elements(element: XmlElement) -> Iterator[XmlElement]:
    """Yield the notes, comments and frames inside a paragraph."""
    for each in element:
        if local_name(each) in ("note", "annotation", "frame", "custom-shape", "g"):
            yield each
        else:
            yield from _anchored_elements(each)


def _note_prefix(note: XmlElement) -> str:
    """Return the prefix of a note, its number in brackets, or of a comment."""
    citation = child(note, "note-citation")
    return f"[{citation.text or ''}] " if citation is not None else "Comment: "


def _class(frame: XmlElement) -> str:
    return attribute(frame, "class") or ""


def _rank(frame: XmlElement) -> tuple[int, float, float]:
    """Return the sort key of a frame: title first, then from top to bottom and left to right."""
    return (0 if _class(frame) == "title" else 1, _points(frame, "y") // 16, _points(frame, "x"))


def _points(frame: XmlElement, name: str) -> float:
    found = _LENGTH.match(frame.get("{urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0}" + name) or "")
    try:
        return float(found[1]) * _POINTS[found[2]] if found else 0.0
    except ValueError:
        return 0.0
