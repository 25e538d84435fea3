"""Tables as values: heads, keys, types, units, totals, and the address and span of each cell."""

from datetime import date
from decimal import Decimal

import pytest
from tests.library.extraction.reading import read
from tests.library.structure import labelled

from intelli.language.head_units import find_unit
from intelli.language.notation import Decimals
from intelli.library.structure import cell_values, document_structure, table_rows
from intelli.library.structure.document_table import ColumnType, RowKind

__all__ = ["read"]


def shown(read, content, name, number=0):
    extraction = read(content, name)
    table = document_structure.build(extraction).tables[number]
    rows = [
        [str(each.value) if each.value is not None else None for each in row.cells]
        for row in table_rows.read_rows(extraction.text, table)
        if row.kind in {RowKind.BODY, RowKind.TOTAL}
    ]
    return extraction, table, rows


def test_a_markdown_table_has_names_units_of_its_caption_and_its_total(read):
    extraction, table, rows = shown(read, labelled.REPORT_MD, "report.md")
    assert [column.name for column in table.columns] == ["Segment", "2023", "2024"]
    assert [column.is_key for column in table.columns] == [True, False, False]
    assert (table.unit.name, table.unit.scale) == ("eur", 6)
    assert rows[-1] == ["Total", "790.1", "857.1"]
    assert table.kinds[3 + 0] is RowKind.TOTAL
    assert extraction.text[slice(*table.caption)].startswith("Table 1")


def test_an_empty_cell_of_a_page_keeps_the_cells_behind_it_in_their_columns(read):
    extraction = read(labelled.report_pdf(), "report.pdf")
    table = document_structure.build(extraction).tables[0]
    assert [column.name for column in table.columns] == ["", "2022", "2023", "2024"]
    rows = {row.cells[0].text: row for row in table_rows.read_rows(extraction.text, table, start=1)}
    assert [(cell.column, cell.text) for cell in rows["Czechia"].cells] == [(0, "Czechia"), (3, "47.2")]
    assert rows["Czechia"].cells[1].unit.scale == 6
    assert rows["Poland"].place.page == 2


def test_a_cell_knows_its_span_and_its_address(read):
    content = "Year;Umsatz in Mio. \u20ac\n2023;1.234,5\n2024;1.300,0\n"
    extraction, table, _ = shown(read, content, "a.csv")
    row = list(table_rows.read_rows(extraction.text, table))[1]
    cell = row.cells[1]
    assert extraction.text[cell.start : cell.end] == "1.234,5"
    assert (cell.value, cell.unit.name, cell.unit.scale) == (Decimal("1234.5"), "eur", 6)
    assert table_rows.cell_address(row, cell, table).cells == "B2"


@pytest.mark.parametrize(
    ("content", "name"),
    [
        (labelled.report_docx(), "a.docx"),
        (labelled.slides_pptx(), "a.pptx"),
        (labelled.sales_xlsx(), "a.xlsx"),
        (labelled.REPORT_MD, "a.md"),
    ],
    ids=["word", "slides", "sheet", "markdown"],
)
def test_a_table_is_worth_the_same_in_every_format(read, content, name):
    _, table, rows = shown(read, content, name)
    assert [column.name for column in table.columns] == ["Segment", "2023", "2024"]
    assert [column.type for column in table.columns] == [ColumnType.TEXT, ColumnType.NUMBER, ColumnType.NUMBER]
    assert [[row[0], Decimal(row[1]), Decimal(row[2])] for row in rows[:2]] == [
        ["Logistics", Decimal("560.1"), Decimal("612.4")],
        ["Freight", Decimal("230.0"), Decimal("244.7")],
    ]


def test_the_title_of_a_sheet_tells_its_unit_and_its_last_row_is_a_total(read):
    extraction, table, _ = shown(read, labelled.sales_xlsx(), "a.xlsx")
    assert (table.unit.name, table.unit.scale, table.kinds[4]) == ("eur", 6, RowKind.TOTAL)
    row = list(table_rows.read_rows(extraction.text, table))[2]
    assert (row.place.sheet, table_rows.cell_address(row, row.cells[2], table).cells) == ("Sales", "C3")


def test_a_row_that_adds_the_others_up_is_a_total_whatever_it_is_called(read):
    _, table, _ = shown(read, "Depot,Trucks,Vans\nA,1,10\nB,2,20\nC,3,31\nFleet,6,61\n", "a.csv")
    assert table.kinds[4] is RowKind.TOTAL


def test_a_row_without_figures_names_those_below_it(read):
    _, table, _ = shown(read, "Item,2023,2024\nAssets,,\nCash,1.5,2.5\nStock,3.5,4.5\n", "a.csv")
    assert table.kinds[1] is RowKind.SECTION


def test_a_table_of_plain_text_has_columns(read):
    _, table, rows = shown(read, labelled.NOTES_TXT, "notes.txt")
    assert [(column.name, column.type) for column in table.columns] == [
        ("Item", ColumnType.TEXT),
        ("Price", ColumnType.NUMBER),
        ("Pieces", ColumnType.NUMBER),
    ]
    assert rows[1] == ["Hook", "12.0", "40"]


def test_rows_of_a_long_file_are_one_table(read):
    content = "n,square\n" + "".join(f"{n},{n * n}\n" for n in range(1, 301))
    extraction, table, _rows = shown(read, content, "a.csv")
    assert table.row_count == 301
    last = next(iter(table_rows.read_rows(extraction.text, table, start=300)))
    assert table_rows.cell_address(last, last.cells[1], table).cells == "B301"


@pytest.mark.parametrize(
    ("head", "unit"),
    [
        ("Revenue (EUR million)", ("eur", 6)),
        ("in TEUR", ("eur", 3)),
        ("EBIT EURm", ("eur", 6)),
        ("Share in %", ("percent", 0)),
        ("Capacity [t]", ("t", 0)),
        ("Umsatz in Mio. \u20ac", ("eur", 6)),
        ("(in thousands, except per share data)", ("", 3)),
        ("Employees", None),
        ("Q3 2024", None),
    ],
)
def test_a_head_tells_its_unit(head, unit):
    found = find_unit(head)
    assert (found and (found.name, found.scale)) == unit


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1,234.5", Decimal("1234.5")),
        ("(1,234)", Decimal(-1234)),
        ("\u20135.3", Decimal("-5.3")),
        ("6.9 %", Decimal("6.9")),
        ("EUR 1.2 million", Decimal("1.2")),
        ("1 234 567", Decimal(1234567)),
        ("B12", None),
        ("3 of 4", None),
    ],
)
def test_a_cell_is_worth_its_number(text, value):
    found = cell_values.number_of(text, None)
    assert (found and found[0]) == value


def test_a_comma_begins_decimals_where_the_table_writes_so():
    assert cell_values.number_of("1.577", Decimals.COMMA)[0] == 1577
    assert cell_values.date_of("14.03.2025") == date(2025, 3, 14)
    assert cell_values.type_of(["14.03.2025", "15.03.2025"], None) is ColumnType.DATE
