"""Workbooks: every cell a person sees, with the range it stands in."""

import datetime as dt
import io

import openpyxl
import pytest
from openpyxl.chart import BarChart, Reference
from openpyxl.comments import Comment
from tests.library.extraction.reading import Read, shown

from intelli.library.extraction.limits import Limits
from intelli.library.extraction.sheet import extract_sheet_slowly


def saved(book: openpyxl.Workbook) -> bytes:
    kept = io.BytesIO()
    book.save(kept)
    return kept.getvalue()


@pytest.fixture
def book() -> openpyxl.Workbook:
    book = openpyxl.Workbook()
    book.active.title = "Ducks"
    return book


def test_a_sheet_is_a_heading_and_its_tables_know_their_cells(read: Read, book: openpyxl.Workbook):
    for row, values in enumerate([("year", "ducks"), (2023, 1.5), (2024, 3)], 2):
        for column, value in enumerate(values, 2):
            book.active.cell(row, column, value)
    book.active["B9"] = "apart"
    book.create_sheet("Empty")
    extraction = read(saved(book))
    assert shown(extraction) == [
        ("heading", "Ducks"),
        ("table", "year\tducks\n2023\t1.5\n2024\t3"),
        ("table", "apart"),
        ("heading", "Empty"),
    ]
    places = [(block.place.sheet, block.place.cells) for block in extraction.blocks]
    assert places == [("Ducks", None), ("Ducks", "B2:C4"), ("Ducks", "B9:B9"), ("Empty", None)]


def test_values_are_written_as_people_write_them(read: Read, book: openpyxl.Workbook):
    values = [dt.datetime(2024, 5, 1), dt.datetime(2024, 5, 1, 12, 30), True, 0.1 + 0.2, 1e6, "two\nlines"]  # noqa: DTZ001
    book.active.append(values)
    assert shown(read(saved(book)))[1][1] == "2024-05-01\t2024-05-01 12:30:00\tTRUE\t0.3\t1000000\ttwo lines"


def test_merged_cells_stand_in_every_cell_they_cover(read: Read, book: openpyxl.Workbook):
    book.active.append(["both", None, "c"])
    book.active.append([1, 2, 3])
    book.active.merge_cells("A1:B1")
    assert shown(read(saved(book)))[1][1] == "both\tboth\tc\n1\t2\t3"


def test_charts_and_comments_are_read(read: Read, book: openpyxl.Workbook):
    for row in (("year", "wild"), ("2023", 1), ("2024", 2)):
        book.active.append(row)
    book.active["B2"].comment = Comment("so few", "Ann")
    chart = BarChart()
    chart.title = "Wild ducks"
    chart.add_data(Reference(book.active, min_col=2, min_row=1, max_row=3), titles_from_data=True)
    book.active.add_chart(chart, "E2")
    kinds = shown(read(saved(book)))
    assert ("note", "Comment by Ann at B2: so few") in kinds
    assert any(kind == "table" and "Wild ducks" in text for kind, text in kinds)


def test_long_sheets_are_read_in_bands_that_continue_each_other(read: Read, book: openpyxl.Workbook):
    for number in range(120):
        book.active.append([number, "x"])
    extraction = read(saved(book))
    assert [block.place.cells for block in extraction.blocks[1:]] == ["A1:B50", "A51:B100", "A101:B120"]
    assert "\n\n" not in extraction.text[extraction.blocks[1].start :]


def test_cells_beyond_the_limit_are_left_out_with_a_warning(read: Read, book: openpyxl.Workbook):
    for number in range(100):
        book.active.append([number] * 10)
    assert "Only the first 50 cells" in read(saved(book), max_cells=50).warnings[0]


def test_the_slow_reader_reads_the_same(read: Read, book: openpyxl.Workbook, tmp_path):
    book.active["C3"] = "x"
    book.active["E3"] = 2.5
    book.active["C4"] = dt.datetime(2024, 5, 1)  # noqa: DTZ001
    (tmp_path / "a.xlsx").write_bytes(saved(book))
    slow = extract_sheet_slowly(tmp_path / "a.xlsx", Limits())
    assert (slow.text, slow.blocks) == (read(saved(book)).text, read(saved(book)).blocks)


def test_a_row_of_blanks_moves_no_row_from_its_number(read: Read, book: openpyxl.Workbook):
    for row in ((" ",), ("heron", 14), ("grebe", 9)):
        book.active.append(row)
    extraction = read(saved(book))
    assert extraction.blocks[1].place.cells == "A2:B3"
