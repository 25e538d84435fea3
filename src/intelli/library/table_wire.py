"""Wire models of tables: what a document's tables are, what is asked of them, and the cells a result was made of."""

from decimal import Decimal
from enum import StrEnum
from typing import Annotated
from uuid import UUID

from pydantic import ConfigDict, Field

from intelli.content.wire import Sha256
from intelli.kit.wire import Request, Wire
from intelli.library.structure.document_table import ColumnType, RowKind
from intelli.library.wire import Place

ColumnName = Annotated[
    str, Field(min_length=1, max_length=300, description="Name of a column, in any case; or its number, as #2.")
]
TableNumber = Annotated[int, Field(ge=1, le=5000, description="Number of the table in its document, from 1.")]
_MOST_PARTS = 20


class Unit(Wire):
    """A unit: `eur` with the scale 6 is EUR million; `written` is what the table says."""

    name: str
    scale: int
    written: str


class Column(Wire):
    """A column of a table. `is_key` when it says what a row is about."""

    name: str
    type: ColumnType
    unit: Unit | None
    is_key: bool
    is_total: bool


class TableOverview(Wire):
    """A table of a document without its cells. Offsets count characters of the document's text."""

    number: int
    start: int
    end: int
    caption: str | None
    headings: list[str]
    place: Place
    columns: list[Column]
    row_count: int


class DocumentTables(Wire):
    """The tables of a document."""

    document_id: UUID
    sha256: Sha256
    tables: list[TableOverview]


class TableRowCell(Wire):
    """A cell: its words, its value where it is a number, its unit, and where it stands."""

    column: int
    text: str
    number: Decimal | None
    unit: Unit | None
    start: int
    end: int
    place: Place


class TableRowCells(Wire):
    """A row of a table."""

    row: int
    kind: RowKind
    cells: list[TableRowCell]


class TableCells(Wire):
    """A table with a part of its rows; `next_row` is where the next part begins."""

    table: TableOverview
    rows: list[TableRowCells]
    next_row: int | None


class TableRef(Request):
    """A table of a document."""

    document_id: UUID
    table: TableNumber = 1


class CellComparison(StrEnum):
    """How a filter compares."""

    EQUAL = "="
    UNEQUAL = "!="
    LESS = "<"
    AT_MOST = "<="
    MORE = ">"
    AT_LEAST = ">="
    CONTAINS = "contains"
    IN = "in"
    EMPTY = "is_empty"
    FILLED = "is_filled"


FilterValue = Annotated[str, Field(max_length=500)] | Decimal


class RowFilter(Request):
    """Which rows count. Words compare without regard to case; `in` takes `values`."""

    column: ColumnName
    compare: CellComparison = CellComparison.EQUAL
    value: FilterValue | None = None
    values: list[FilterValue] = Field([], max_length=200)


class AggregateFunction(StrEnum):
    """What is calculated from the cells of a column."""

    SUM = "sum"
    COUNT = "count"
    MEAN = "mean"
    SMALLEST = "smallest"
    LARGEST = "largest"


class Aggregate(Request):
    """A figure calculated from a column; `count` without a column counts rows."""

    function: AggregateFunction
    column: ColumnName | None = None


class RowOrder(Request):
    """The order of the result, by a column or by a calculated figure such as `sum(Revenue)`."""

    column: ColumnName
    descending: bool = False


class TableJoin(Request):
    """Another table, whose rows go with those that have the same value in a column."""

    table: TableRef
    column: ColumnName
    other_column: ColumnName


class TableQuery(Request):
    """A question to a table: filter, join, group, calculate, rank, sort, cut.

    Without `aggregates` the rows themselves are the result. Rows that add others up are left out unless `with_totals`.
    """

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "table": {"document_id": "0198c0de-0000-7000-8000-000000000001", "table": 1},
                    "group_by": ["Year"],
                    "aggregates": [{"function": "sum", "column": "Revenue"}],
                }
            ]
        }
    )

    table: TableRef
    join: TableJoin | None = None
    where: list[RowFilter] = Field([], max_length=_MOST_PARTS)
    group_by: list[ColumnName] = Field([], max_length=_MOST_PARTS)
    aggregates: list[Aggregate] = Field([], max_length=_MOST_PARTS)
    columns: list[ColumnName] = Field([], max_length=100)
    rank_by: RowOrder | None = None
    order_by: list[RowOrder] = Field([], max_length=_MOST_PARTS)
    limit: int = Field(50, ge=1, le=500)
    with_totals: bool = False


class UsedCell(Wire):
    """A cell that a figure was made of: the bytes, the span of their text, and the place in the original."""

    document_id: UUID
    sha256: Sha256
    table: int
    row: int
    column: int
    text: str
    start: int
    end: int
    place: Place


class ResultValue(Wire):
    """A value of the result with the cells it was made of; `cell_count` counts them all, `cells` are the first 200."""

    text: str | None
    number: Decimal | None
    unit: Unit | None
    cells: list[UsedCell]
    cell_count: int


class ResultColumn(Wire):
    """A column of the result."""

    name: str
    type: ColumnType


class TableResult(Wire):
    """The result of a query. `row_count` counts all rows of the result, of which `rows` are the first."""

    columns: list[ResultColumn]
    rows: list[list[ResultValue]]
    row_count: int
    how: str
