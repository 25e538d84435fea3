"""Reads the rows of a table from the text: cells with their spans, values, units and addresses."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from intelli.language import head_units, text_tables
from intelli.library.extraction.assemble import parse_cell_range
from intelli.library.extraction.model import BlockLocation
from intelli.library.extraction.table import column_letters
from intelli.library.structure import cell_values, records
from intelli.library.structure.document_table import (
    ColumnType,
    ColumnUnit,
    DocumentTable,
    RowKind,
    TableBand,
    TableCell,
    TableRow,
)

# What a name of a row has when it tells a unit.
_UNIT_SIGNS = ("(", "[", "%", " in ", "\u20ac", "$", "\u00a3")


def row_words(text: str, table: DocumentTable, *, most_columns: int) -> Iterator[dict[int, str]]:
    """Yield the words of each row of a table by column; empty cells are left out."""
    if table.is_piped or table.is_of_records or table.columns_of is not None:
        for _, _, cells in _placed_rows(text, table):
            yield {cell.column: cell.text for cell in cells if cell.text and cell.column < most_columns}
        return
    for band in table.bands:
        for line in text[band.start : band.end].split("\n"):
            written = line.split("\t", most_columns)[:most_columns]
            yield {column: words for column, words in enumerate(written) if words and not words.isspace()}


def _placed_rows(text: str, table: DocumentTable) -> Iterator[tuple[TableBand, int, list[TableCell]]]:
    """Yield the cells of each row with the band that the row is in, and its number there."""
    if table.is_of_records:
        yield from _records(text, table)
        return
    index = 0
    for band in table.bands:
        lines = _piped_lines(text, band) if table.is_piped else _tabbed_lines(text, band)
        for number, cells in enumerate(lines):
            is_placed = table.columns_of is not None and index < len(table.columns_of)
            yield band, number, _in_columns(cells, (table.columns_of or ())[index]) if is_placed else cells
            index += 1


def _records(text: str, table: DocumentTable) -> Iterator[tuple[TableBand, int, list[TableCell]]]:
    column_of = {column.name: at for at, column in reversed(list(enumerate(table.columns)))}
    names = frozenset(column_of)
    for band in table.bands:
        cells: dict[int, TableCell] = {}
        for each in records.fields_of(text, band, names):
            column = column_of.get(each.name)
            if column is not None and column not in cells:
                cells[column] = TableCell(column, text[each.start : each.end], each.start, each.end)
        yield band, 0, [cells[column] for column in sorted(cells)]


def read_rows(text: str, table: DocumentTable, *, start: int = 0, limit: int | None = None) -> Iterator[TableRow]:
    """Yield the rows of a table with values, from `start` on, at most `limit`."""
    end = None if limit is None else start + limit
    for index, (band, number, cells) in enumerate(_placed_rows(text, table)):
        if end is not None and index >= end:
            return
        if index >= start:
            kind = table.kinds.get(index, RowKind.BODY)
            yield TableRow(index, kind, tuple(_valued(cells, table, kind)), _place_of(band, number))


def cell_address(row: TableRow, cell: TableCell, table: DocumentTable) -> BlockLocation:
    """Return the location of a cell: its row's, and in a sheet or a file of values its own address."""
    place = row.place
    if not place.cells:
        return place
    (_, number), _ = parse_cell_range(place.cells)
    return replace(place, cells=f"{column_letters(cell.column + table.bands[0].left)}{number}")


def _tabbed_lines(text: str, band: TableBand) -> Iterator[list[TableCell]]:
    at = band.start
    for line in text[band.start : band.end].split("\n"):
        cells = []
        for column, written in enumerate(line.split("\t")):
            bare = written.strip()
            begin = at + (len(written) - len(written.lstrip()) if bare else 0)
            cells.append(TableCell(column, bare, begin, begin + len(bare)))
            at += len(written) + 1
        yield cells


def _piped_lines(text: str, band: TableBand) -> Iterator[list[TableCell]]:
    for found in text_tables.find_tables(text[band.start : band.end]):
        for row in (*([found.head] if found.head else []), *found.rows):
            if all(cell.text.strip(":-") == "" for cell in row) and any(cell.text for cell in row):
                continue  # a rule below the head
            yield [
                TableCell(column, cell.text, band.start + cell.start, band.start + cell.end)
                for column, cell in enumerate(row)
            ]


def _in_columns(cells: Sequence[TableCell], columns: Sequence[int]) -> list[TableCell]:
    """Return the cells that have words, each in its column on the page."""
    filled = [cell for cell in cells if cell.text]
    if len(filled) != len(columns):
        return list(cells)
    return [replace(cell, column=column) for cell, column in zip(filled, columns, strict=True)]


def _valued(cells: Sequence[TableCell], table: DocumentTable, kind: RowKind) -> Iterator[TableCell]:
    if kind not in {RowKind.BODY, RowKind.TOTAL}:
        yield from (replace(cell, value=cell.text or None) for cell in cells)
        return
    of_row = _row_unit(cells, table)
    for cell in cells:
        if cell.column >= len(table.columns):
            yield replace(cell, value=cell.text or None)
            continue
        column = table.columns[cell.column]
        value, unit = cell_values.value_of(cell.text, column.type, table.decimals)
        if column.type is ColumnType.NUMBER and value is not None:
            unit = _join_units(unit, of_row or column.unit or table.unit)
        yield replace(cell, value=value, unit=unit)


def _row_unit(cells: Sequence[TableCell], table: DocumentTable) -> ColumnUnit | None:
    """Return the unit that the name of a row tells: "EBIT margin (%)"."""
    for cell in cells:
        is_key = cell.column < len(table.columns) and table.columns[cell.column].is_key
        tells = is_key and any(sign in cell.text for sign in _UNIT_SIGNS)
        if tells and (found := head_units.find_unit(cell.text)):
            return ColumnUnit(found.name, found.scale, found.written)
    return None


def _join_units(own: ColumnUnit | None, told: ColumnUnit | None) -> ColumnUnit | None:
    """Return the unit of a cell: its own sign, with the scale that the head tells for the same unit."""
    if own is None:
        return told
    if told is not None and not own.scale and (told.name == own.name or (own.name != "percent" and not told.name)):
        return ColumnUnit(own.name, told.scale, told.written or own.written)
    return own


def _place_of(band: TableBand, number: int) -> BlockLocation:
    """Return the location of a row of a band: in a sheet its cells, else that of the band."""
    if not band.place.cells:
        return band.place
    (first, top), (last, _) = parse_cell_range(band.place.cells)
    line = None if band.place.line is None else band.place.line + number
    return replace(band.place, cells=f"{first}{top + number}:{last}{top + number}", line=line)
