"""A table with all its rows in memory, ready to be asked."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from uuid import UUID

from intelli.library.errors import TableColumnUnknown, TableTooLarge
from intelli.library.structure import table_rows
from intelli.library.structure.document_table import DocumentTable, RowKind, TableCell, TableColumn, TableRow

MOST_CELLS = 400_000
_VALUED = frozenset({RowKind.BODY, RowKind.TOTAL})


@dataclass(frozen=True)
class LoadedTable:
    """A table of a document: its content hash, its number from 1, and the rows that have values."""

    document_id: UUID
    sha256: str
    number: int
    table: DocumentTable
    rows: Sequence[TableRow]

    @classmethod
    def read(cls, document_id: UUID, sha256: str, *, number: int, table: DocumentTable, text: str) -> "LoadedTable":
        """Read the rows of a table. Raises TableTooLarge."""
        if table.row_count * max(len(table.columns), 1) > MOST_CELLS:
            raise TableTooLarge(
                f"This table has {table.row_count:,} rows and {len(table.columns)} columns, more than can be asked at "
                f"once ({MOST_CELLS:,} cells). Ask a smaller sheet or file."
            )
        rows = [row for row in table_rows.read_rows(text, table) if row.kind in _VALUED]
        return cls(document_id, sha256, number, table, rows)

    @property
    def columns(self) -> tuple[TableColumn, ...]:
        """The columns of the table."""
        return self.table.columns

    @cached_property
    def cells(self) -> list[dict[int, TableCell]]:
        """The cells of each row by column."""
        return [{cell.column: cell for cell in row.cells} for row in self.rows]

    def find_column(self, name: str) -> int | None:
        """Return the column of a name, in any case, or of a number such as "#2"; None when there is none."""
        if name.startswith("#") and name[1:].isdecimal() and 0 < int(name[1:]) <= len(self.columns):
            return int(name[1:]) - 1
        wanted = " ".join(name.split()).casefold()
        names = [column.name.casefold() for column in self.columns]
        if wanted in names:
            return names.index(wanted)
        beginning = [at for at, each in enumerate(names) if each.startswith(wanted)]
        return beginning[0] if len(beginning) == 1 else None

    def get_column(self, name: str) -> int:
        """Return the column of a name. Raises TableColumnUnknown, with the names that there are."""
        found = self.find_column(name)
        if found is None:
            raise unknown_column(name, [self])
        return found


def unknown_column(name: str, tables: Sequence[LoadedTable]) -> TableColumnUnknown:
    """Return the error for a column that none of some tables has."""
    names = [column.name or f"#{at}" for table in tables for at, column in enumerate(table.columns, 1)]
    return TableColumnUnknown(f"There is no column {name!r}. The columns are: {', '.join(names)}.")
