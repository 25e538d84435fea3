"""Shows tables on the wire: overviews, cells, units and places."""

from collections.abc import Iterator
from dataclasses import asdict
from decimal import Decimal

from intelli.library import wire
from intelli.library.extraction.model import BlockLocation
from intelli.library.structure import table_rows
from intelli.library.structure.document_structure import DocumentStructure
from intelli.library.structure.document_table import ColumnUnit, DocumentTable
from intelli.library.table_wire import Column, TableCells, TableOverview, TableRowCell, TableRowCells, Unit

_CHARS = 300


def show_unit(unit: ColumnUnit | None) -> Unit | None:
    """Return a unit as a wire model."""
    return None if unit is None else Unit(name=unit.name, scale=unit.scale, written=unit.written)


def show_place(place: BlockLocation) -> wire.Place:
    """Return a location as a wire model."""
    values = asdict(place)
    return wire.Place(**{**values, "box": list(values["box"]) if values["box"] else None})


def show_tables(structure: DocumentStructure, text: str) -> Iterator[TableOverview]:
    """Yield the tables of a document without their cells."""
    for number in range(1, len(structure.tables) + 1):
        yield show_table(structure, text, number)


def show_table(structure: DocumentStructure, text: str, number: int) -> TableOverview:
    """Return a table without its cells; numbers begin at 1."""
    table = structure.tables[number - 1]
    place = structure.place_of(table.start, table.end)
    headings = [text[each.start : each.end][:_CHARS] for each in place.headings] if place else []
    return TableOverview(
        number=number,
        start=table.start,
        end=table.end,
        caption=text[slice(*table.caption)][:_CHARS] if table.caption else None,
        headings=headings,
        place=show_place(table.bands[0].place),
        columns=[
            Column(
                name=column.name,
                type=column.type,
                unit=show_unit(column.unit or (table.unit if column.type == "number" else None)),
                is_key=column.is_key,
                is_total=column.is_total,
            )
            for column in table.columns
        ],
        row_count=table.row_count,
    )


def show_cells(structure: DocumentStructure, text: str, number: int, *, from_row: int, limit: int) -> TableCells:
    """Return a table with up to `limit` rows from `from_row` on."""
    table = structure.tables[number - 1]
    after = from_row + limit
    return TableCells(
        table=show_table(structure, text, number),
        rows=list(_rows(table, text, from_row=from_row, limit=limit)),
        next_row=after if after < table.row_count else None,
    )


def _rows(table: DocumentTable, text: str, *, from_row: int, limit: int) -> Iterator[TableRowCells]:
    for row in table_rows.read_rows(text, table, start=from_row, limit=limit):
        cells = [
            TableRowCell(
                column=cell.column,
                text=cell.text,
                number=cell.value if isinstance(cell.value, Decimal) else None,
                unit=show_unit(cell.unit),
                start=cell.start,
                end=cell.end,
                place=show_place(table_rows.cell_address(row, cell, table)),
            )
            for cell in row.cells
            if cell.text
        ]
        yield TableRowCells(row=row.index, kind=row.kind, cells=cells)
