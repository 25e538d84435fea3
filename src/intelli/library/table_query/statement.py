"""Translates a query into a statement for the engine. Words of the caller are only ever values, never part of it."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation

from intelli.kit.errors import Invalid
from intelli.library.structure.document_table import ColumnType
from intelli.library.table_query.loaded_table import LoadedTable, unknown_column
from intelli.library.table_wire import (
    Aggregate,
    AggregateFunction,
    CellComparison,
    FilterValue,
    RowFilter,
    RowOrder,
    TableQuery,
)

_SIGNS = {
    CellComparison.EQUAL: "=",
    CellComparison.UNEQUAL: "<>",
    CellComparison.LESS: "<",
    CellComparison.AT_MOST: "<=",
    CellComparison.MORE: ">",
    CellComparison.AT_LEAST: ">=",
}
_FUNCTIONS = {
    AggregateFunction.SUM: "sum",
    AggregateFunction.COUNT: "count",
    AggregateFunction.MEAN: "avg",
    AggregateFunction.SMALLEST: "min",
    AggregateFunction.LARGEST: "max",
}
_OF_NUMBERS = frozenset({AggregateFunction.SUM, AggregateFunction.MEAN})


@dataclass(frozen=True, slots=True)
class PickedColumn:
    """A column of one of the tables, and its name in the result."""

    table: int
    column: int
    name: str
    type: ColumnType

    @property
    def sql(self) -> str:
        """The column in a statement."""
        return f"t{self.table}.c{self.column}"


@dataclass(frozen=True, slots=True)
class PickedFigure:
    """A calculated figure, and its name in the result; without a column it counts rows."""

    function: AggregateFunction
    column: PickedColumn | None
    name: str

    @property
    def sql(self) -> str:
        """The figure in a statement."""
        return f"{_FUNCTIONS[self.function]}({self.column.sql if self.column else '*'})"


@dataclass(slots=True)
class QueryStatement:
    """A statement with its values. Its rows are: the rows of each table, the rank if asked, then the values."""

    columns: list[PickedColumn]
    figures: list[PickedFigure]
    rank: str | None = None
    conditions: list[str] = field(default_factory=list)
    values: list[object] = field(default_factory=list)
    order: list[str] = field(default_factory=list)
    source: str = "t0"
    table_count: int = 1

    @property
    def picked(self) -> list[PickedColumn | PickedFigure]:
        """What the result shows, in order."""
        return [*self.columns, *self.figures]

    @property
    def is_grouped(self) -> bool:
        """Whether a row of the result stands for several rows of the table."""
        return bool(self.figures)

    def sql(self) -> str:
        """Return the statement."""
        rows = [
            f"list(t{at}.r order by t{at}.r)" if self.is_grouped else f"[t{at}.r]" for at in range(self.table_count)
        ]
        picked = [*rows, *([self.rank] if self.rank else [])]
        picked += [each.sql for each in self.picked]
        where = f" where {' and '.join(self.conditions)}" if self.conditions else ""
        group = ""
        if self.is_grouped and self.columns:
            group = f" group by {', '.join(each.sql for each in self.columns)}"
        order = f" order by {', '.join([*self.order, 'min(t0.r)' if self.is_grouped else 't0.r'])}"
        return f"select {', '.join(picked)} from {self.source}{where}{group}{order}"  # noqa: S608  # our own names


def build(query: TableQuery, tables: Sequence[LoadedTable]) -> QueryStatement:
    """Build the statement of a query. Raises TableColumnUnknown, or Invalid for what cannot be asked."""
    names = query.group_by if query.aggregates else query.columns
    if query.group_by and not query.aggregates:
        raise Invalid("Grouping needs a figure to calculate for each group: name it in `aggregates`.")
    columns = [_pick(name, tables) for name in names]
    if not query.aggregates and not columns:
        columns = [_picked(tables, table, at) for table, each in enumerate(tables) for at in range(len(each.columns))]
    figures = [_figure(each, tables) for each in query.aggregates]
    statement = QueryStatement(columns, figures, table_count=len(tables))
    if query.join is not None:
        left, right = tables[0].get_column(query.join.column), tables[1].get_column(query.join.other_column)
        statement.source = f"t0 join t1 on {_key(f't0.c{left}')} = {_key(f't1.c{right}')}"
    for condition in query.where:
        _add_condition(statement, condition, tables)
    if query.rank_by is not None:
        statement.rank = f"rank() over (order by {_order(query.rank_by, statement, tables)})"
    statement.order = [_order(each, statement, tables) for each in query.order_by]
    if query.rank_by is not None and not statement.order:
        statement.order = [_order(query.rank_by, statement, tables)]
    return statement


def _key(column: str) -> str:
    """A column as words that compare whatever their case and the blanks around them."""
    return f"lower(trim(cast({column} as varchar)))"


def _pick(name: str, tables: Sequence[LoadedTable]) -> PickedColumn:
    for at, table in enumerate(tables):
        found = table.find_column(name)
        if found is not None:
            return _picked(tables, at, found)
    raise unknown_column(name, tables)


def _picked(tables: Sequence[LoadedTable], table: int, column: int) -> PickedColumn:
    found = tables[table].columns[column]
    return PickedColumn(table, column, found.name or f"#{column + 1}", found.type)


def _figure(asked: Aggregate, tables: Sequence[LoadedTable]) -> PickedFigure:
    if asked.column is None:
        if asked.function is not AggregateFunction.COUNT:
            raise Invalid(f"Name the column that {asked.function} is calculated from.")
        return PickedFigure(asked.function, None, "count")
    column = _pick(asked.column, tables)
    if asked.function in _OF_NUMBERS and column.type is not ColumnType.NUMBER:
        raise Invalid(f"The column {column.name!r} holds no numbers, so it has no {asked.function}.")
    return PickedFigure(asked.function, column, f"{asked.function}({column.name})")


def _order(asked: RowOrder, statement: QueryStatement, tables: Sequence[LoadedTable]) -> str:
    direction = "desc" if asked.descending else "asc"
    wanted = " ".join(asked.column.split()).casefold()
    for each in reversed(statement.picked):
        if each.name.casefold() == wanted:
            return f"{each.sql} {direction} nulls last"
    if statement.is_grouped:
        told = ", ".join(each.name for each in statement.picked)
        raise Invalid(f"A grouped result can be sorted by {told}, and not by {asked.column!r}.")
    return f"{_pick(asked.column, tables).sql} {direction} nulls last"


def _add_condition(statement: QueryStatement, asked: RowFilter, tables: Sequence[LoadedTable]) -> None:
    column = _pick(asked.column, tables)
    if asked.compare in {CellComparison.EMPTY, CellComparison.FILLED}:
        statement.conditions.append(f"{column.sql} is {'not ' * (asked.compare is CellComparison.FILLED)}null")
        return
    given = asked.values if asked.compare is CellComparison.IN else [asked.value]
    if not given or any(value is None for value in given):
        raise Invalid(f"Say what {asked.column!r} is compared with, in `value`; for `in` in `values`.")
    if asked.compare is CellComparison.CONTAINS:
        statement.conditions.append(f"contains({_key(column.sql)}, lower(?))")
        statement.values.append(str(asked.value).strip())
        return
    subject, mark = (_key(column.sql), "lower(trim(?))")
    if column.type is ColumnType.NUMBER:
        subject, mark = column.sql, "cast(? as decimal(38, 9))"
    elif column.type is ColumnType.DATE:
        subject, mark = column.sql, "cast(? as date)"
    values = [_value(value, column) for value in given if value is not None]
    if asked.compare is CellComparison.IN:
        statement.conditions.append(f"{subject} in ({', '.join([mark] * len(values))})")
    else:
        statement.conditions.append(f"{subject} {_SIGNS[asked.compare]} {mark}")
    statement.values += values


def _value(value: FilterValue, column: PickedColumn) -> str:
    """Return a value as the engine reads it. Raises Invalid when the column holds other values."""
    if column.type is ColumnType.NUMBER:
        try:
            number = Decimal(str(value).replace(",", "") if isinstance(value, str) else value)
        except InvalidOperation as error:
            raise Invalid(f"The column {column.name!r} holds numbers, and {value!r} is none.") from error
        return f"{number:f}"
    if column.type is ColumnType.DATE:
        from intelli.library.structure import cell_values

        day = cell_values.date_of(str(value).strip())
        if day is None:
            raise Invalid(f"The column {column.name!r} holds dates: write {value!r} as 2025-03-14.")
        return day.isoformat()
    return str(value)
