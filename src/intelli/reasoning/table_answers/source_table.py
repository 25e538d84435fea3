"""Values of tables: names of columns, cells with their numbers, and where each row stands in its document."""

from dataclasses import dataclass
from datetime import date
from decimal import Decimal


@dataclass(frozen=True, slots=True)
class SourceCell:
    """A cell: its words, and its number where it holds one."""

    text: str
    number: Decimal | None = None


@dataclass(frozen=True, slots=True)
class SourceRow:
    """A row: its cells by column, whether it adds up others, and the characters it takes in the document's text."""

    cells: dict[int, SourceCell]
    start: int
    end: int
    is_total: bool = False

    def text(self, column: int) -> str:
        """The words of a cell; empty without one."""
        return self.cells[column].text if column in self.cells else ""

    def number(self, column: int) -> Decimal | None:
        """The number of a cell; None without one."""
        return self.cells[column].number if column in self.cells else None


@dataclass(frozen=True, slots=True)
class SourceColumn:
    """A column: its name, its unit as written, and whether its cells are figures or periods."""

    name: str
    unit: str = ""
    is_number: bool = False
    is_time: bool = False


@dataclass(frozen=True, slots=True)
class SourceTable:
    """A table of a document with what stands over it.

    `document` is the document's name, `around` the caption and the headings, nearest first, a line each, `opening` the
    first words of the document, which often say whom and when it is about. Its rows take `start` to `end` of the text.
    """

    document: str
    around: str
    opening: str
    columns: tuple[SourceColumn, ...]
    rows: tuple[SourceRow, ...]
    start: int
    end: int
    dated: date | None = None
