"""Word features that python-docx lacks: fields, bookmarks, links, shading. Elements are in the order of the schema."""

from typing import Any

from docx.opc.constants import RELATIONSHIP_TYPE
from docx.oxml import OxmlElement
from docx.oxml.ns import qn


def add_field(paragraph: Any, code: str, shown: str) -> None:
    """Add a field that Word computes, with the text to show until then."""
    begin_field(paragraph, code)
    paragraph.add_run(shown)
    end_field(paragraph)


def begin_field(paragraph: Any, code: str) -> None:
    """Begin a field, up to its shown value."""
    for element in _field_beginning(code):
        paragraph._p.append(element)  # the library has no other way


def end_field(paragraph: Any) -> None:
    """End a field."""
    paragraph._p.append(_field_character("end"))


def field_runs(code: str, shown: str) -> list[Any]:
    """Return the runs of a whole field, for use inside a link."""
    return [*_field_beginning(code), text_run(shown), _field_character("end")]


def tab_run() -> Any:
    """Return a run with a tab."""
    element = OxmlElement("w:r")
    element.append(OxmlElement("w:tab"))
    return element


def bookmark(paragraph: Any, name: str, number: int) -> None:
    """Bookmark a whole paragraph."""
    start, end = _bookmark(name, number)
    properties = paragraph._p.pPr
    paragraph._p.insert(0 if properties is None else 1, start)
    paragraph._p.append(end)


def bookmark_run(element: Any, name: str, number: int) -> None:
    """Bookmark one run."""
    start, end = _bookmark(name, number)
    element.addprevious(start)
    element.addnext(end)


def _bookmark(name: str, number: int) -> tuple[Any, Any]:
    start, end = OxmlElement("w:bookmarkStart"), OxmlElement("w:bookmarkEnd")
    for element in (start, end):
        element.set(qn("w:id"), str(number))
    start.set(qn("w:name"), name)
    return start, end


def add_inner_link(paragraph: Any, name: str) -> Any:
    """Add a link to a bookmark and return its element, to which runs are appended."""
    link = OxmlElement("w:hyperlink")
    link.set(qn("w:anchor"), name)
    link.set(qn("w:history"), "1")
    paragraph._p.append(link)
    return link


def add_link(paragraph: Any, text: str, address: str, *, style: str = "Hyperlink") -> None:
    """Add text with an external link."""
    relation = paragraph.part.relate_to(address, RELATIONSHIP_TYPE.HYPERLINK, is_external=True)
    element = OxmlElement("w:hyperlink")
    element.set(qn("r:id"), relation)
    element.append(text_run(text, style))
    paragraph._p.append(element)


def text_run(text: str, style: str | None = None) -> Any:
    """Return a run of text in a character style."""
    element = OxmlElement("w:r")
    if style is not None:
        properties, named = OxmlElement("w:rPr"), OxmlElement("w:rStyle")
        named.set(qn("w:val"), style)
        properties.append(named)
        element.append(properties)
    words = OxmlElement("w:t")
    words.set(qn("xml:space"), "preserve")
    words.text = text
    element.append(words)
    return element


def shade(properties: Any, colour: str) -> None:
    """Set the background colour of a paragraph or cell."""
    shading = OxmlElement("w:shd")
    for name, value in (("val", "clear"), ("color", "auto"), ("fill", colour)):
        shading.set(qn(f"w:{name}"), value)
    properties.append(shading)


def borders(tag: str, sides: dict[str, tuple[int, str]]) -> Any:
    """Return borders; each side has a width in eighths of a point and a colour, a width of 0 is no line."""
    element = OxmlElement(tag)
    for side, (width, colour) in sides.items():
        edge = OxmlElement(f"w:{side}")
        edge.set(qn("w:val"), "single" if width else "nil")
        if width:
            edge.set(qn("w:sz"), str(width))
            edge.set(qn("w:space"), "8" if tag == "w:pBdr" else "0")
            edge.set(qn("w:color"), colour)
        element.append(edge)
    return element


def _field_beginning(code: str) -> list[Any]:
    instruction, holder = OxmlElement("w:instrText"), OxmlElement("w:r")
    instruction.set(qn("xml:space"), "preserve")
    instruction.text = f" {code} "
    holder.append(instruction)
    return [_field_character("begin"), holder, _field_character("separate")]


def _field_character(kind: str) -> Any:
    element, holder = OxmlElement("w:fldChar"), OxmlElement("w:r")
    element.set(qn("w:fldCharType"), kind)
    holder.append(element)
    return holder
