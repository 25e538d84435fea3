"""Which marks answer for what a Word report says: a mark stands for all that its paragraph or row says before it."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from docx.oxml.ns import qn

from intelli.deliverables.forms.docx import read_report
from intelli.deliverables.forms.docx.read_report import ReportStatement


@dataclass(frozen=True, slots=True)
class Covered:
    """The identifiers of the mark that answers for a statement, and, in a table, the cells of its row."""

    identifiers: tuple[str, ...] = ()
    row: tuple[str, ...] = ()


def covers(body: Any, style_names: Mapping[str, str], notes: Mapping[str, tuple[str, ...]]) -> list[Covered]:
    """What answers for each statement of a body, in the order in which it is read."""
    found: list[Covered] = []
    for block in _blocks(body):
        said = read_report.said(block, style_names, notes)
        found += _row(said) if block.tag == qn("w:tr") else _paragraph(said)
    return found


def _blocks(element: Any) -> Iterator[Any]:
    """Rows of tables, and paragraphs that stand in none."""
    for child in element:
        if child.tag in {qn("w:tr"), qn("w:p")}:
            yield child
        else:
            yield from _blocks(child)


def _row(said: list[ReportStatement]) -> list[Covered]:
    marks = tuple(dict.fromkeys(name for each in said for name in each.identifiers))
    return [Covered(each.identifiers or marks, tuple(cell.text for cell in said)) for each in said]


def _paragraph(said: list[ReportStatement]) -> list[Covered]:
    found: list[Covered] = []
    marks: tuple[str, ...] = ()
    for each in reversed(said):
        marks = each.identifiers or marks
        found.append(Covered(marks))
    return found[::-1]
