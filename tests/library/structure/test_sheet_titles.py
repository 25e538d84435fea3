"""Titles over the tables of sheets, and notes below them: they are no rows, and what stands below names the columns."""

import io
from decimal import Decimal

import openpyxl
import pytest
from tests.library.extraction.reading import read

from intelli.library.structure import document_structure, table_rows
from intelli.library.structure.document_table import ColumnType, RowKind

__all__ = ["read"]
_PLAN = (
    ("Planned investment, EUR million", None, None, None),
    ("Project", 2025, 2026, 2027),
    ("Halls", 4, 16.5, 6),
    ("Roofs", 3.5, 2, 2),
    ("Total", 7.5, 18.5, 8),
)


def sheet(rows, *merged):
    """A workbook of one sheet; `merged` are ranges such as "A1:D1"."""
    book = openpyxl.Workbook()
    for row in rows:
        book.active.append(row)
    for each in merged:
        book.active.merge_cells(each)
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def kinds_of(extraction, table):
    return [row.kind for row in table_rows.read_rows(extraction.text, table)]


def table_of(read, content, name="a.xlsx"):
    extraction = read(content, name)
    return extraction, document_structure.build(extraction).tables[0]


@pytest.mark.parametrize("merged", [("A1:D1",), ()], ids=["merged", "alone"])
def test_a_title_over_all_columns_is_the_caption_and_the_years_below_it_are_names(read, merged):
    extraction, table = table_of(read, sheet(_PLAN, *merged))
    assert [column.name for column in table.columns] == ["Project", "2025", "2026", "2027"]
    assert [column.type for column in table.columns[1:]] == [ColumnType.NUMBER] * 3
    assert (table.unit.name, table.unit.scale) == ("eur", 6)
    assert extraction.text[slice(*table.caption)] == "Planned investment, EUR million"
    assert kinds_of(extraction, table) == [
        RowKind.CAPTION,
        RowKind.HEAD,
        RowKind.BODY,
        RowKind.BODY,
        RowKind.TOTAL,
    ]


def test_a_title_that_an_empty_row_keeps_apart_tells_the_unit(read):
    extraction, table = table_of(read, sheet([_PLAN[0], (), *_PLAN[1:]], "A1:D1"))
    assert extraction.text[slice(*table.caption)] == "Planned investment, EUR million"
    assert (table.unit.name, table.unit.scale, table.columns[0].name) == ("eur", 6, "Project")


def test_several_titles_and_the_notes_below_have_no_values(read):
    rows = [
        ("Stores of the north", None, None),
        ("as of 31 December 2023", None, None),
        ("Site", "Occupancy 2023 %", "Price EUR"),
        ("Bergen", 90, 12.5),
        ("Drammen", 93, 7.5),
        ("Malmo", 92, 11),
        ("Source: own count of the stores", None, None),
        ("* without the yard", None, None),
    ]
    extraction, table = table_of(read, sheet(rows, "A1:C1", "A2:C2", "A7:C7"))
    assert [(column.name, column.unit and column.unit.name) for column in table.columns] == [
        ("Site", None),
        ("Occupancy 2023 %", "percent"),
        ("Price EUR", "eur"),
    ]
    found = kinds_of(extraction, table)
    assert found[:3] == [RowKind.CAPTION, RowKind.CAPTION, RowKind.HEAD]
    assert found[3:] == [RowKind.BODY] * 3 + [RowKind.CAPTION] * 2


def test_a_merged_row_among_the_values_names_those_below_it(read):
    rows = [
        ("Article", "Price EUR", "Pieces"),
        ("Pumps and valves", None, None),
        ("Pump", 385, 2),
        ("Filters and sand", None, None),
        ("Filter", 27.9, 4),
    ]
    extraction, table = table_of(read, sheet(rows, "A2:C2", "A4:C4"))
    assert [at for at, kind in enumerate(kinds_of(extraction, table)) if kind is RowKind.SECTION] == [1, 3]
    assert [column.type for column in table.columns] == [ColumnType.TEXT, ColumnType.NUMBER, ColumnType.NUMBER]


def test_a_csv_file_may_have_a_title_and_a_source(read):
    content = "Prices of July;;\nArticle;Price EUR;In stock\nPump;385,00;2\nFilter;27,90;14\nSource: shop;;\n"
    extraction, table = table_of(read, content, "a.csv")
    assert [(column.name, column.unit and column.unit.name) for column in table.columns] == [
        ("Article", None),
        ("Price EUR", "eur"),
        ("In stock", None),
    ]
    rows = list(table_rows.read_rows(extraction.text, table))
    assert [row.kind for row in rows] == [RowKind.CAPTION, RowKind.HEAD, RowKind.BODY, RowKind.BODY, RowKind.CAPTION]
    assert rows[2].cells[1].value == Decimal("385.00")


def test_rows_of_equal_figures_or_words_are_no_titles(read):
    extraction, table = table_of(read, "0;0;0\n1;2;3\n4;5;7\n", "a.csv")
    assert set(kinds_of(extraction, table)[:2]) == {RowKind.BODY}
    extraction, table = table_of(read, "cat;cat\nTier;animal\nHund;dog\n", "b.csv")
    assert RowKind.CAPTION not in kinds_of(extraction, table)
