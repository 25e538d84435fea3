"""Paragraph styles of a Word document: heading level, list and code."""

import re
from dataclasses import dataclass

from intelli.library.extraction.model import PieceKind
from intelli.library.extraction.xml import XmlElement, attribute, child, children_of, local_name, val_attribute

_HEADING = re.compile(r"(?:heading|überschrift|titre|título|titolo|rubrik|kop) ?(\d)", re.IGNORECASE)
_CODE = re.compile(r"\bcode\b|source ?code|html preformatted|macro ?text|listing", re.IGNORECASE)
_DEEPEST_BASE = 20
# What built-in styles say of their paragraphs, by the beginnings of their names in English: Word stores those.
_TOLD = (
    ("toc", PieceKind.CONTENTS),
    ("table of figures", PieceKind.CONTENTS),
    ("table of authorities", PieceKind.CONTENTS),
    ("caption", PieceKind.CAPTION),
    ("bibliography", PieceKind.REFERENCE),
    ("footnote text", PieceKind.FOOTNOTE),
    ("endnote text", PieceKind.FOOTNOTE),
    ("signature", PieceKind.SIGNATURE),
    ("title", PieceKind.TITLE),
)


@dataclass(frozen=True, slots=True)
class ParagraphStyle:
    """A style with everything it inherits from the styles it is based on."""

    level: int = 0
    is_code: bool = False
    list_id: str | None = None
    list_level: int = 0
    told: PieceKind | None = None


class Styles:
    """The styles of a document by id."""

    def __init__(self, root: XmlElement | None) -> None:
        self._elements = {
            attribute(style, "styleId") or "": style for style in children_of(root) if local_name(style) == "style"
        }
        self._known: dict[str, ParagraphStyle] = {}

    def get(self, style_id: str | None) -> ParagraphStyle:
        """Return a style; the default style when the id is not defined."""
        if not style_id:
            return ParagraphStyle()
        if style_id not in self._known:
            self._known[style_id] = self._resolve(style_id)
        return self._known[style_id]

    def _resolve(self, style_id: str) -> ParagraphStyle:
        level, is_code, list_id, list_level, told = 0, False, None, None, None
        chain: list[str] = []
        current: str | None = style_id
        while current and current in self._elements and current not in chain and len(chain) < _DEEPEST_BASE:
            chain.append(current)
            style = self._elements[current]
            level = level or _heading_level(style)
            is_code = is_code or bool(_CODE.search(val_attribute(style, "name") or ""))
            told = told or _told(style)
            list_id = list_id or val_attribute(style, "pPr", "numPr", "numId")
            if list_level is None:
                list_level = val_attribute(style, "pPr", "numPr", "ilvl")
            current = val_attribute(style, "basedOn")
        return ParagraphStyle(level, is_code, list_id, _parse_int(list_level), told)


def _told(style: XmlElement) -> PieceKind | None:
    name = (val_attribute(style, "name") or "").strip().casefold()
    return next((kind for beginning, kind in _TOLD if name.startswith(beginning)), None)


def _heading_level(style: XmlElement) -> int:
    """Return the level of a heading style, from its name or its outline level; 0 for body text."""
    name = (val_attribute(style, "name") or "").strip()
    if found := _HEADING.match(name):
        return int(found[1])
    if name.casefold() == "title":
        return 1
    return outline_level(child(style, "pPr"))


def outline_level(properties: XmlElement | None) -> int:
    """Return the heading level that paragraph properties set; 0 for body text."""
    outline = val_attribute(properties, "outlineLvl")
    return int(outline) + 1 if outline and outline.isdecimal() and int(outline) < 9 else 0


def _parse_int(text: str | None) -> int:
    return int(text) if text and text.isdecimal() else 0
