"""Cells of a spreadsheet that a part of a table covers, counted from the line feeds and tabs of its text."""

from dataclasses import replace

from intelli.library.extraction.assemble import parse_cell_range
from intelli.library.extraction.model import BlockLocation
from intelli.library.extraction.table import column_letters, column_number


def narrow(place: BlockLocation, table: str, *, start: int, end: int) -> BlockLocation:
    """Return the location of `table[start:end]`: the rows it touches and, within a single row, the columns."""
    if not place.cells:
        return place
    (left, top), (right, bottom) = parse_cell_range(place.cells)
    first, last = table.count("\n", 0, start), table.count("\n", 0, end - 1)
    if not left or table.count("\n") > bottom - top:
        return place
    if first == last:
        left, right = _columns(table, start, end, left=left, right=right)
    return replace(
        place,
        cells=f"{left}{top + first}:{right}{top + last}",
        line=None if place.line is None else place.line + first,
    )


def _columns(table: str, start: int, end: int, *, left: str, right: str) -> tuple[str, str]:
    """Return first and last column of a span in one row; a span to the row's end includes its trailing empty cells."""
    begin, stop = table.rfind("\n", 0, start) + 1, table.find("\n", end - 1)
    first = column_number(left)
    is_to_end = end >= (len(table) if stop < 0 else stop)
    last = right if is_to_end else column_letters(first + table.count("\t", begin, end - 1))
    return column_letters(first + table.count("\t", begin, start)), last
