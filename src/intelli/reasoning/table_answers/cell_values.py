"""What a cell of a table holds: its number, money, a span of time, and what tells it from others."""

from collections.abc import Sequence
from decimal import Decimal

from intelli.reasoning.table_answers.labels import moment_of
from intelli.reasoning.table_answers.slices import CellPlace
from intelli.reasoning.table_answers.source_table import SourceColumn

# How names of columns of money and of spans of time are written.
_MONEY = (
    "eur", "usd", "gbp", "chf", "\u20ac", "$", "\u00a3", "price", "preis", "cost", "kosten", "fee", "amount", "betrag",
    "revenue", "umsatz", "beitrag", "ausgabe", "einnahme", "sales",
)  # fmt: skip
_SPAN = (
    "minute", "hour", "day", "week", "month", "year", "stunde", "tag", "woche", "monat", "jahr", "duration", "dauer",
    "time", "frist", "response",
)  # fmt: skip


def figures_of(cells: Sequence[CellPlace]) -> list[tuple[Decimal, CellPlace]]:
    """The numbers in some cells, of columns of numbers only."""
    return [(value, cell) for cell in cells if column_of(cell).is_number and (value := number_of(cell)) is not None]


def number_of(cell: CellPlace) -> Decimal | None:
    """The number in a cell."""
    return cell.table.table.rows[cell.row].number(cell.column)


def column_of(cell: CellPlace) -> SourceColumn:
    """The column of a cell."""
    return cell.table.table.columns[cell.column]


def is_money(cell: CellPlace) -> bool:
    """Whether a cell is an amount of money."""
    column = column_of(cell)
    told = f"{column.name} {column.unit} {cell.text} {cell.table.label(cell.row)}".casefold()
    return column.is_number and any(word in told for word in _MONEY)


def is_span(*told: str) -> bool:
    """Whether one of some texts speaks of a span of time."""
    return any(word in text.casefold() for text in told for word in _SPAN)


def sort_value(cell: CellPlace) -> Decimal | None:
    """What a cell is ranked by: its number, or its time as a number."""
    if not column_of(cell).is_time:
        return number_of(cell) if column_of(cell).is_number else None
    time = moment_of(cell.text)
    if time is None or time[0] is None:
        return None
    return Decimal(time[0] * 10_000 + (time[1] or 0) * 100 + (time[2] or 0))


def time_of(cell: CellPlace, varies: str) -> tuple[int, int, int] | None:
    """The time that tells a cell from the others of its slice."""
    if varies == "document":
        return (max(cell.table.years), 0, 0) if cell.table.years else None
    time = cell.table.times_of_columns[cell.column] if varies == "column" else cell.table.times_of_rows[cell.row]
    return (time[0], time[1] or 0, time[2] or 0) if time is not None and time[0] is not None else None
