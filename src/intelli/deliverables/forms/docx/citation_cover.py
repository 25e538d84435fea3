"""Which marks cover each statement of a Word report: a mark covers the text before it in its paragraph or row."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from docx.oxml.ns import qn

from intelli.deliverables.forms.docx import read_report
from intelli.deliverables.forms.docx.read_report import ReportStatement


@dataclass(frozen=True, slots=True)
class Covered:
    """Identifiers of the mark that covers a statement and, in a table, the cells of its row."""

    identifiers: tuple[str, ...] = ()
    row: tuple[str, ...] = ()


def list_covers(body: Any, style_names: Mapping[str, str], notes: Mapping[str, tuple[str, ...]]) -> list[Covered]:
    """Return the cover of each statement of a body, in reading order."""
    found: list[Covered] = []
    for block in _blocks(body):
        said = read_report.read_statements(block, style_names, notes)
        found += _row(said) if block.tag == qn("w:tr") else _paragraph(said)
    return found


def _blocks(element: Any) -> Iterator[Any]:
    """Yield table rows, and paragraphs outside of tables."""
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
