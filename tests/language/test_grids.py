"""Rows of tables that a text has: where a table goes on."""

from intelli.language import grids


def test_a_table_goes_on_where_the_next_line_is_a_row() -> None:
    text = "Month\tSum\n2025-01\t5\n2025-02\t9\n\nOther words."
    first = text.index("\n2025-02")

    assert grids.goes_on(text, first)
    assert not grids.goes_on(text, text.index("\n\nOther"))
    assert not grids.goes_on(text, len(text))
