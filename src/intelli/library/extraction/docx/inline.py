"""Text of a paragraph with its inline elements: tabs, breaks, symbols, check boxes, equations, references to notes."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from intelli.library.extraction.docx.equations import render_equation
from intelli.library.extraction.ooxml import relation_id
from intelli.library.extraction.xml import XmlElement, attribute, child, local_name

# Moved or deleted text, field codes, and the second copy that older programs show instead of the first.
_UNSEEN = {"del", "moveFrom", "instrText", "delText", "Fallback", "pPr", "rPr", "sectPr", "tblPr", "trPr", "tcPr", "rt"}
_WINGDINGS = {
    0x6F: "☐",
    0xA8: "☐",
    0x71: "☐",
    0xFE: "☒",
    0xFD: "☒",
    0x78: "☒",
    0x53: "☒",
    0xFC: "✓",
    0xFB: "✗",
    0xB7: "•",
}
_WINGDINGS |= {0xE0: "→", 0xDF: "←", 0xA7: "▪", 0x4A: "☺"}


@dataclass(slots=True)
class ParagraphText:
    """The text of a paragraph, the text boxes and charts anchored in it, and the number of page breaks inside it."""

    parts: list[str] = field(default_factory=list)
    boxes: list[XmlElement] = field(default_factory=list)
    charts: list[str] = field(default_factory=list)
    breaks: int = 0

    @property
    def text(self) -> str:
        """The text as one string."""
        return "".join(self.parts)


def read_paragraph(paragraph: XmlElement) -> ParagraphText:
    """Read the visible text of a paragraph."""
    inline = ParagraphText()
    for each in paragraph:
        _visit(each, inline)
    return inline


def _visit(element: XmlElement, inline: ParagraphText) -> None:
    name = local_name(element)
    if name in _UNSEEN or not name:
        return
    if writer := _WRITERS.get(name):
        inline.parts.append(writer(element))
    elif name == "txbxContent":
        inline.boxes.append(element)
    elif name == "chart":
        inline.charts.append(relation_id(element) or "")
    else:
        if name == "lastRenderedPageBreak" or (name == "br" and attribute(element, "type") == "page"):
            inline.breaks += 1
        if name == "br":
            inline.parts.append("\n")
        for each in element:
            _visit(each, inline)


def _equation(element: XmlElement) -> str:
    before = element.getprevious()
    return (" " if before is not None and local_name(before) == "oMath" else "") + render_equation(element)


def _reference(element: XmlElement) -> str:
    return f"[{attribute(element, 'id')}]"


def _symbol(element: XmlElement) -> str:
    """Return the Unicode character that looks like a character of a symbol font."""
    try:
        code = int(attribute(element, "char") or "", 16)
    except ValueError:
        return ""
    if not 0xF000 <= code <= 0xF0FF:
        return chr(code) if 0x20 <= code < 0xD800 or 0xE000 <= code < 0x110000 else ""
    return _WINGDINGS.get(code - 0xF000, "•")


def _check_box(element: XmlElement) -> str:
    checked = child(element, "checked")
    default = child(element, "default")
    state = checked if checked is not None else default
    is_checked = state is not None and attribute(state, "val") not in ("0", "false")
    return "☒" if is_checked else "☐"


_WRITERS: Mapping[str, Callable[[XmlElement], str]] = {
    "t": lambda element: element.text or "",
    "tab": lambda _: "\t",
    "ptab": lambda _: "\t",
    "cr": lambda _: "\n",
    "noBreakHyphen": lambda _: "\u2011",
    "sym": _symbol,
    "oMath": _equation,
    "footnoteReference": _reference,
    "endnoteReference": _reference,
    "checkBox": _check_box,
}
