"""What python-docx has no call for: fields, bookmarks, links, shading. Elements in the order that the schema wants."""

from typing import Any

from docx.opc.constants import RELATIONSHIP_TYPE
from docx.oxml import OxmlElement
from docx.oxml.ns import qn


def field(paragraph: Any, code: str, shown: str) -> None:
    """A field that Word computes, with what to show until then."""
    begin_field(paragraph, code)
    paragraph.add_run(shown)
    end_field(paragraph)


def begin_field(paragraph: Any, code: str) -> None:
    """The beginning of a field, up to where its shown value begins."""
    for element in _beginning(code):
        paragraph._p.append(element)  # the library has no other way


def end_field(paragraph: Any) -> None:
    """The end of a field."""
    paragraph._p.append(_character("end"))


def parts(code: str, shown: str) -> list[Any]:
    """The runs of a whole field, for inside of a link."""
    return [*_beginning(code), run(shown), _character("end")]


def tab() -> Any:
    """A run that goes on at the next tab stop."""
    element = OxmlElement("w:r")
    element.append(OxmlElement("w:tab"))
    return element


def bookmark(paragraph: Any, name: str, number: int) -> None:
    """Make all of a paragraph a place that links lead to."""
    start, end = _bookmark(name, number)
    properties = paragraph._p.pPr
    paragraph._p.insert(0 if properties is None else 1, start)
    paragraph._p.append(end)


def enclose(element: Any, name: str, number: int) -> None:
    """Make one run such a place."""
    start, end = _bookmark(name, number)
    element.addprevious(start)
    element.addnext(end)


def _bookmark(name: str, number: int) -> tuple[Any, Any]:
    start, end = OxmlElement("w:bookmarkStart"), OxmlElement("w:bookmarkEnd")
    for element in (start, end):
        element.set(qn("w:id"), str(number))
    start.set(qn("w:name"), name)
    return start, end


def inner_link(paragraph: Any, name: str) -> Any:
    """A link to a bookmark; runs are added to what it gives."""
    link = OxmlElement("w:hyperlink")
    link.set(qn("w:anchor"), name)
    link.set(qn("w:history"), "1")
    paragraph._p.append(link)
    return link


def link(paragraph: Any, text: str, address: str, *, style: str = "Hyperlink") -> None:
    """Words that open an address."""
    relation = paragraph.part.relate_to(address, RELATIONSHIP_TYPE.HYPERLINK, is_external=True)
    element = OxmlElement("w:hyperlink")
    element.set(qn("r:id"), relation)
    element.append(run(text, style))
    paragraph._p.append(element)


def run(text: str, style: str | None = None) -> Any:
    """A run of text in a character style."""
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
    """The ground of a paragraph or cell."""
    shading = OxmlElement("w:shd")
    for name, value in (("val", "clear"), ("color", "auto"), ("fill", colour)):
        shading.set(qn(f"w:{name}"), value)
    properties.append(shading)


def borders(tag: str, sides: dict[str, tuple[int, str]]) -> Any:
    """Lines along sides, each with its width in eighths of a point and its colour; a width of 0 is no line."""
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


def _beginning(code: str) -> list[Any]:
    instruction, holder = OxmlElement("w:instrText"), OxmlElement("w:r")
    instruction.set(qn("xml:space"), "preserve")
    instruction.text = f" {code} "
    holder.append(instruction)
    return [_character("begin"), holder, _character("separate")]


def _character(kind: str) -> Any:
    element, holder = OxmlElement("w:fldChar"), OxmlElement("w:r")
    element.set(qn("w:fldCharType"), kind)
    holder.append(element)
    return holder
