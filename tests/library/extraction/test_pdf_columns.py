"""Columns of tables on pages whose gaps are narrow, and prose whose gaps are wide."""

from decimal import Decimal

import pytest
import typst
from tests.library.extraction.reading import read

from intelli.library.extraction.model import BlockKind
from intelli.library.structure import document_structure, table_rows
from intelli.library.structure.document_table import RowKind

__all__ = ["read"]
_SEGMENTS = (
    ("Segment", "Revenue", "EBIT"),
    ("Storage", "186.4", "14.2"),
    ("Transport", "124.8", "3.0"),
    ("Packaging", "36.7", "2.6"),
    ("Group", "347.9", "19.8"),
)
_INVOICE = (
    ("Article", "Quantity", "Price EUR", "Amount EUR"),
    ("Plan for teams, 12 months, 40 users", "480", "12.80", "6,144.00"),
    ("Training", "2", "1,050.00", "2,100.00"),
    ("Net", "", "", "8,244.00"),
    ("VAT 21 %", "", "", "1,731.24"),
    ("Total", "", "", "9,975.24"),
)
# All cells of a column are of one width: no gap is wider than any other.
_YEARS = (("2021", "2022", "2023"), ("11.0", "12.0", "13.0"), ("21.5", "22.5", "23.5"), ("31.5", "32.5", "33.5"))
_PROSE = (
    "the board expects that demand for cold stores will grow in all of its markets although energy has become dearer "
    "and the contracts with large customers run out before the new halls in the north have been handed over to us"
)


def page(body, *, columns=1, align="left", stroke="none"):
    source = f'#set page(paper: "a4", columns: {columns})\n#set text(size: 10pt)\n#set par(justify: true)\n'
    return typst.compile(f"{source}#set table(align: {align}, stroke: {stroke})\n{body}".encode())


def table(rows):
    return f"#table(columns: {len(rows[0])}, {', '.join(f'[{cell}]' for row in rows for cell in row)})"


def lines(extraction):
    return [extraction.text[block.start : block.end] for block in extraction.blocks if block.kind is BlockKind.TABLE]


@pytest.mark.parametrize("align", ["left", "right", "center", "(left, right, right)"])
@pytest.mark.parametrize("rows", [_SEGMENTS, _YEARS], ids=["segments", "years"])
def test_a_narrow_gap_divides_cells_where_other_lines_show_a_column(read, rows, align):
    extraction = read(page(f"Some words before it.\n\n{table(rows)}\n\nAnd behind it.", align=align), "a.pdf")
    assert lines(extraction) == ["\n".join("\t".join(row) for row in rows)]


def test_an_empty_cell_beside_a_narrow_column_stays_in_its_column(read):
    extraction = read(page(table(_INVOICE), stroke="0.4pt"), "a.pdf")
    found = document_structure.build(extraction).tables[0]
    assert [column.name for column in found.columns] == list(_INVOICE[0])
    rows = list(table_rows.read_rows(extraction.text, found))
    assert [(cell.column, cell.value) for cell in rows[3].cells] == [(0, "Net"), (3, Decimal("8244.00"))]
    assert [cell.text for cell in rows[1].cells] == list(_INVOICE[1])
    assert rows[5].kind is RowKind.TOTAL


def test_a_cell_of_several_lines_and_a_line_over_all_columns_leave_the_columns_as_they_are(read):
    rows = [("Code", "Meaning", "Remedy"), ("A02", "Dose below limit", "Reduce the flow #linebreak() and wait")]
    rows += [("A03", "Chamber too hot", "Stop at 60"), ("A04", "Sensor fault", "Clean it")]
    body = table(rows).replace("[A03]", "table.cell(colspan: 3)[Alarms that stop the unit at once], [A03]")
    extraction = read(page(body), "a.pdf")
    expected = (
        "Code\tMeaning\tRemedy\nA02\tDose below limit\tReduce the flow\nand wait\n"
        "Alarms that stop the unit at once\nA03\tChamber too hot\tStop at 60\nA04\tSensor fault\tClean it"
    )
    assert lines(extraction) == [expected]


@pytest.mark.parametrize("columns", [1, 2, 3])
@pytest.mark.parametrize("shift", range(4))
def test_justified_prose_is_no_table(read, columns, shift):
    prose = _PROSE.split()
    words = (prose[shift * 5 :] + prose) * 8
    body = "\n\n".join(" ".join(words[at : at + 70]) for at in range(0, len(words), 70))
    assert lines(read(page(body, columns=columns), "a.pdf")) == []


def test_points_and_references_are_no_tables(read):
    body = "#set enum(body-indent: 1em)\n+ Open the valve.\n+ Vent the chamber.\n+ Switch on.\n\n"
    body += "#set list(body-indent: 1.1em)\n- Fuel may become dearer.\n- One customer is large.\n- Ice melts.\n"
    assert lines(read(page(body), "a.pdf")) == []


def test_lines_of_a_paragraph_stay_together_where_many_headings_are_nearer(read):
    clauses = "\n\n".join(
        f"= Clause {number}\n\n({number}) The board invites all members of the club in good time to the meeting of the "
        f"year, and sends them what is to be decided on, with a notice of three weeks in writing.\n\n"
        f"= Dues {number}\n\nThey are due in March."
        for number in range(1, 6)
    )
    extraction = read(page(f"#show heading: set text(size: 26pt)\n{clauses}"), "a.pdf")
    blocks = [" ".join(extraction.text[each.start : each.end].split()) for each in extraction.blocks]
    assert sum("The board" in each and each.endswith("in writing.") for each in blocks) == 5
