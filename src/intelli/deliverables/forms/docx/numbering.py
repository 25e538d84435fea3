"""Numbered lists of a Word report that each begin at 1."""

from typing import Any

from docx.oxml import OxmlElement
from docx.oxml.ns import qn


def create_list(document: Any) -> int:
    """Create a list in the format of the style `List Number`; return its id."""
    numbering = document.part.numbering_part.element
    style = document.styles["List Number"].element
    used = style.find(f"{qn('w:pPr')}/{qn('w:numPr')}/{qn('w:numId')}").get(qn("w:val"))
    form = next(each for each in numbering.num_lst if str(each.numId) == used).abstractNumId.val
    made = numbering.add_num(form)
    made.add_lvlOverride(ilvl=0).add_startOverride(1)
    return int(made.numId)


def add_item(paragraph: Any, list_id: int) -> None:
    """Make a paragraph an item of a list."""
    properties = paragraph._p.get_or_add_pPr().get_or_add_numPr()  # the library has no call for it
    level, number = OxmlElement("w:ilvl"), OxmlElement("w:numId")
    level.set(qn("w:val"), "0")
    number.set(qn("w:val"), str(list_id))
    properties.extend([level, number])
