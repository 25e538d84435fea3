"""A table as a value: columns with names, types and units, and rows of cells with their values, spans and addresses."""

from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from enum import StrEnum

from intelli.language.notation import Decimals
from intelli.library.extraction.model import BlockLocation

Value = Decimal | date | str | None


class ColumnType(StrEnum):
    """What the cells of a column hold."""

    TEXT = "text"
    NUMBER = "number"
    DATE = "date"
    PERIOD = "period"


class RowKind(StrEnum):
    """What a row of a table is. Only `body` and `total` have values; a `section` names the rows below it.

    A `caption` stands above the heads or below the last values: a title, a source, a note.
    """

    CAPTION = "caption"
    HEAD = "head"
    BODY = "body"
    SECTION = "section"
    TOTAL = "total"


@dataclass(frozen=True, slots=True)
class ColumnUnit:
    """A unit as heads tell it: "EUR million" is `eur` with the scale 6. `written` are the words."""

    name: str = ""
    scale: int = 0
    written: str = ""


@dataclass(frozen=True, slots=True)
class TableColumn:
    """A column. `is_key` when it says what a row is about; `is_total` when it adds up other columns."""

    name: str
    type: ColumnType
    unit: ColumnUnit | None = None
    is_key: bool = False
    is_total: bool = False


@dataclass(frozen=True, slots=True)
class TableBand:
    """A part of a table whose rows follow each other in the text, with its location. Columns count from `left`.

    Of records, a band is one row.
    """

    start: int
    end: int
    place: BlockLocation
    left: int = 0


@dataclass(frozen=True, slots=True)
class DocumentTable:
    """What is known of a table without its cells, which are read from the text.

    `kinds` names the rows that are not of the body, by index. `columns_of` are the columns of each row's cells where
    empty cells left no trace in the text; without it the n-th cell is in the n-th column. Rows that are records have
    their cells where the text has values under the names of the columns.
    """

    bands: tuple[TableBand, ...]
    columns: tuple[TableColumn, ...]
    kinds: dict[int, RowKind]
    row_count: int
    is_piped: bool = False
    decimals: Decimals | None = None
    unit: ColumnUnit | None = None
    caption: tuple[int, int] | None = None
    columns_of: tuple[tuple[int, ...], ...] | None = None
    is_of_records: bool = False

    @property
    def start(self) -> int:
        """Where the table begins in the text."""
        return self.bands[0].start

    @property
    def end(self) -> int:
        """Where the table ends in the text."""
        return self.bands[-1].end


@dataclass(frozen=True, slots=True)
class TableCell:
    """A cell: its words, where they stand in the text, its value, and the unit of that."""

    column: int
    text: str
    start: int
    end: int
    value: Value = None
    unit: ColumnUnit | None = None


@dataclass(frozen=True, slots=True)
class TableRow:
    """A row: its index in the table, its kind, its cells, and the row number in its sheet or file if it has one."""

    index: int
    kind: RowKind
    cells: tuple[TableCell, ...]
    place: BlockLocation
