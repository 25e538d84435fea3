"""Cells: a part of a table is answered by the cells it stands in."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from intelli.library.extraction.model import Block, BlockKind, BlockLocation, Extraction
from intelli.library.extraction.table import column_letters, column_number
from intelli.library.sheet_cells import narrow
from intelli.library.span_map import SpanMap, pack

_TABLE = "heron\t14\tnorth\ngrebe\t9\n\t3\tsouth"
_PLACE = BlockLocation(sheet="Birds", cells="Z101:AB103", line=101)


@pytest.mark.parametrize(
    ("part", "cells"),
    [
        ("heron\t14\tnorth", "Z101:AB101"),
        ("grebe\t9", "Z102:AB102"),
        ("14", "AA101:AA101"),
        ("heron", "Z101:Z101"),
        ("south", "AB103:AB103"),
        ("north\ngrebe", "Z101:AB102"),
        (_TABLE, "Z101:AB103"),
    ],
)
def test_a_part_of_a_table_stands_in_its_rows_and_inside_a_row_in_its_columns(part: str, cells: str):
    start = _TABLE.index(part)
    assert narrow(_PLACE, _TABLE, start=start, end=start + len(part)).cells == cells


def test_the_line_of_a_part_is_that_of_its_first_row():
    assert narrow(_PLACE, _TABLE, start=_TABLE.index("grebe"), end=len(_TABLE)).line == 102


@pytest.mark.parametrize("cells", [None, "Z101:AB102", "oddly said"])
def test_a_table_whose_lines_are_not_the_rows_of_its_range_keeps_its_place(cells: str | None):
    assert narrow(BlockLocation(cells=cells), _TABLE, start=0, end=5).cells == cells


@given(st.integers(0, 20_000))
def test_letters_and_numbers_of_columns_name_the_same(number: int):
    assert column_number(column_letters(number)) == number


def test_a_span_map_tells_the_cells_of_a_span_and_of_no_more():
    text = f"Birds\n\n{_TABLE}"
    blocks = (
        Block(0, 5, BlockKind.HEADING, BlockLocation(sheet="Birds"), level=1),
        Block(7, len(text), BlockKind.TABLE, _PLACE, path=("Birds",)),
    )
    found = SpanMap(pack(Extraction(text, blocks, "application/vnd.ms-excel")))
    grebe = text.index("grebe")
    assert [place.cells for place in found.places(grebe, grebe + len("grebe\t9"), text=text)] == ["Z102:AB102"]
    assert [place.cells for place in found.places(0, grebe, text=text)] == [None, "Z101:AB101"]
