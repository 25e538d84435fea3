"""Answers a query: runs it, and finds for each value of the result the cells that it was made of."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from intelli.library.errors import UnitsDiffer
from intelli.library.structure import table_rows
from intelli.library.structure.document_table import ColumnType, ColumnUnit, RowKind, TableCell
from intelli.library.table_query import engine, statement
from intelli.library.table_query.loaded_table import LoadedTable
from intelli.library.table_query.statement import PickedColumn, PickedFigure, QueryStatement
from intelli.library.table_view import show_place, show_unit
from intelli.library.table_wire import AggregateFunction, ResultColumn, ResultValue, TableQuery, TableResult, UsedCell

_MOST_CELLS = 200
_EXTREMES = frozenset({AggregateFunction.SMALLEST, AggregateFunction.LARGEST})
_ADDED = frozenset({AggregateFunction.SUM, AggregateFunction.MEAN})
_RANK = "rank"


@dataclass(frozen=True, slots=True)
class _Cell:
    """A cell of one of the tables."""

    table: int
    row: int
    cell: TableCell


def answer(query: TableQuery, tables: Sequence[LoadedTable]) -> TableResult:
    """Answer a query over loaded tables. CPU-bound. Raises TableColumnUnknown, UnitsDiffer, TableQueryTooLong."""
    built = statement.build(query, tables)
    with engine.open_engine() as opened:
        for at, table in enumerate(tables):
            opened.load(f"t{at}", table, _rows(table, query))
        found = opened.run(built.sql(), built.values)
    shown = [list(_values(row, built, tables)) for row in found[: query.limit] if _is_row(row)]
    return TableResult(
        columns=_columns(built),
        rows=shown,
        row_count=len(found) if shown else 0,
        how=_describe(query, built, tables),
    )


def _rows(table: LoadedTable, query: TableQuery) -> list[int]:
    return [at for at, row in enumerate(table.rows) if query.with_totals or row.kind is RowKind.BODY]


def _is_row(row: Sequence[object]) -> bool:
    """Return whether a row of the result stands for any: a figure over no rows at all is none."""
    return bool(row[0])


def _columns(built: QueryStatement) -> list[ResultColumn]:
    ranks = [ResultColumn(name=_RANK, type=ColumnType.NUMBER)] if built.rank else []
    columns = [ResultColumn(name=each.name, type=each.type) for each in built.columns]
    return [*ranks, *columns, *(ResultColumn(name=each.name, type=_type(each)) for each in built.figures)]


def _type(figure: PickedFigure) -> ColumnType:
    return figure.column.type if figure.function in _EXTREMES and figure.column else ColumnType.NUMBER


def _values(row: Sequence[object], built: QueryStatement, tables: Sequence[LoadedTable]) -> Iterator[ResultValue]:
    rows = [
        [int(str(number)) for number in numbers] for numbers in row[: built.table_count] if isinstance(numbers, list)
    ]
    left = list(row[built.table_count :])
    if built.rank:
        yield _result(left.pop(0), (), tables, unit=None)
    for column in built.columns:
        value = left.pop(0)
        cells = list(_cells(column, rows, tables))
        yield _result(value, cells[:1] if built.is_grouped else cells, tables, unit=_unit(cells[:1]))
    for figure in built.figures:
        value = left.pop(0)
        cells = list(_operands(figure, value, rows, tables))
        yield _result(value, cells, tables, unit=_figure_unit(figure, cells))


def _cells(column: PickedColumn, rows: Sequence[Sequence[int]], tables: Sequence[LoadedTable]) -> Iterator[_Cell]:
    table = tables[column.table]
    for row in dict.fromkeys(rows[column.table]):
        cell = table.cells[row].get(column.column)
        if cell is not None and cell.value is not None:
            yield _Cell(column.table, row, cell)


def _operands(
    figure: PickedFigure, value: object, rows: Sequence[Sequence[int]], tables: Sequence[LoadedTable]
) -> Iterator[_Cell]:
    """Yield the cells that a figure was made of: of an extreme those that have it, of a count of rows their names."""
    if figure.column is None:
        for row in dict.fromkeys(rows[0]):
            first = next((cell for cell in tables[0].rows[row].cells if cell.text), None)
            if first is not None:
                yield _Cell(0, row, first)
        return
    for each in _cells(figure.column, rows, tables):
        if figure.function not in _EXTREMES or _is_same(each.cell.value, value):
            yield each


def _is_same(one: object, other: object) -> bool:
    if isinstance(one, Decimal) and isinstance(other, float):
        return float(one) == other
    return one == other


def _figure_unit(figure: PickedFigure, cells: Sequence[_Cell]) -> ColumnUnit | None:
    """Return the unit of a figure. Raises UnitsDiffer when what is added up has several."""
    if figure.function is AggregateFunction.COUNT:
        return None
    units = {(each.cell.unit.name, each.cell.unit.scale) if each.cell.unit else None for each in cells}
    if len(units) > 1 and figure.function in _ADDED:
        told = sorted({each.cell.unit.written if each.cell.unit else "without a unit" for each in cells})
        raise UnitsDiffer(
            f"The cells of {figure.name} have different units ({', '.join(told)}). Filter the rows first."
        )
    return _unit(cells)


def _unit(cells: Iterable[_Cell]) -> ColumnUnit | None:
    return next((each.cell.unit for each in cells), None)


def _result(
    value: object, cells: Sequence[_Cell], tables: Sequence[LoadedTable], *, unit: ColumnUnit | None
) -> ResultValue:
    return ResultValue(
        text=_text(value, cells),
        number=_number(value),
        unit=show_unit(unit),
        cells=[_used(each, tables[each.table]) for each in cells[:_MOST_CELLS]],
        cell_count=len(cells),
    )


def _text(value: object, cells: Sequence[_Cell]) -> str | None:
    if value is None:
        return None
    if len(cells) == 1 and not isinstance(value, int):
        return cells[0].cell.text
    number = _number(value)
    return f"{number:,f}" if number is not None else str(value)


def _number(value: object) -> Decimal | None:
    if isinstance(value, date) or value is None or isinstance(value, str):
        return None
    number = Decimal(repr(value)) if isinstance(value, float) else Decimal(str(value))
    return Decimal(f"{number.normalize():f}")


def _used(found: _Cell, table: LoadedTable) -> UsedCell:
    row = table.rows[found.row]
    return UsedCell(
        document_id=table.document_id,
        sha256=table.sha256,
        table=table.number,
        row=row.index,
        column=found.cell.column,
        text=found.cell.text,
        start=found.cell.start,
        end=found.cell.end,
        place=show_place(table_rows.cell_address(row, found.cell, table.table)),
    )


def _describe(query: TableQuery, built: QueryStatement, tables: Sequence[LoadedTable]) -> str:
    """Return in words how the result was made."""
    figures = ", ".join(each.name for each in built.figures)
    parts = [f"{figures} of" if figures else "rows of"]
    parts.append(" with ".join(f"table {table.number}" for table in tables))
    if query.where:
        parts.append(
            "where "
            + " and ".join(_condition(each.column, each.compare, each.value, each.values) for each in query.where)
        )
    if built.figures and built.columns:
        parts.append("by " + ", ".join(each.name for each in built.columns))
    if query.order_by:
        parts.append(
            "sorted by " + ", ".join(f"{each.column}{' downwards' * each.descending}" for each in query.order_by)
        )
    totals = any(row.kind is RowKind.TOTAL for table in tables for row in table.rows)
    if totals and not query.with_totals:
        parts.append("without its rows of totals")
    return " ".join(parts)


def _condition(column: str, compare: str, value: object, values: Sequence[object]) -> str:
    told = ", ".join(map(str, values)) if values else "" if value is None else str(value)
    return f"{column} {compare} {told}".rstrip()
