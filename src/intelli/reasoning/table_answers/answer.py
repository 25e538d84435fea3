"""Answer a question from tables: choose the slice that accounts for most of it, and calculate."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

from intelli.reasoning.table_answers import slices
from intelli.reasoning.table_answers.labels import LabelledTable, moment_of
from intelli.reasoning.table_answers.question import Operation, TableQuestion, is_for_tables, read
from intelli.reasoning.table_answers.slices import CellPlace, TableSlice
from intelli.reasoning.table_answers.source_table import SourceColumn, SourceTable

_LEAST_SHARE = 0.74
_MOST_ROWS = 12
_FULL = 100
# How names of columns of money and of spans of time are written.
_MONEY = (
    "eur", "usd", "gbp", "chf", "\u20ac", "$", "\u00a3", "price", "preis", "cost", "kosten", "fee", "amount", "betrag",
    "revenue", "umsatz", "beitrag", "ausgabe", "einnahme", "sales",
)  # fmt: skip
_SPAN = (
    "minute", "hour", "day", "week", "month", "year", "stunde", "tag", "woche", "monat", "jahr", "duration", "dauer",
    "time", "frist", "response",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class TableAnswer:
    """What tables answer: the cells it rests on, the operation, its result, and how much of the question they cover.

    Of a lookup `is_of_row` tells that the question names a row and none of its cells: all of the row is the answer.
    """

    operation: Operation
    slice: TableSlice
    cells: tuple[CellPlace, ...]
    result: Decimal | None
    share: float
    is_of_row: bool = False


def answer(question: str, tables: Sequence[SourceTable]) -> TableAnswer | None:
    """Return the best answer of some tables; None where none accounts for enough of the question."""
    if not is_for_tables(question):
        return None
    asked = read(question)
    labelled = [LabelledTable(table, asked) for table in tables if table.columns and table.rows]
    best: tuple[tuple[float, ...], TableAnswer] | None = None
    for number, found in enumerate(slices.find(labelled, asked)):
        made = _made(found, asked)
        if made is None or made.share < _LEAST_SHARE:
            continue
        rank = (*_rank(made, asked), -number)
        if best is None or rank > best[0]:
            best = rank, made
    # Where the cell that is asked for is empty, the next best one is not the answer.
    return best[1] if best and any(cell.text for cell in best[1].cells) else None


def _made(found: TableSlice, asked: TableQuestion) -> TableAnswer | None:
    is_named = found.named or (asked.operation in _OF_ALL and found.cells[0].table.over)
    if (asked.times and not found.timed) or not is_named or asked.names - found.covered:
        return None
    return _CALCULATIONS[asked.operation](found, asked)


def _rank(made: TableAnswer, asked: TableQuestion) -> tuple[float, ...]:
    found, tables = made.slice, {cell.table for cell in made.cells}
    return (
        round(made.share, 2),
        _suits(made, asked),
        len(found.named),
        max(len(table.over) for table in tables),
        float(len(made.cells)) if made.operation is Operation.SUM else -float(len(made.cells)),
        float(max(table.newest for table in tables)),
    )


def _suits(made: TableAnswer, asked: TableQuestion) -> float:
    """How well the cells are of the kind that the question's words imply."""
    cell = made.cells[0]
    column = _column(cell)
    name = f"{column.name} {column.unit} {cell.text}".casefold()
    score = 0.0
    if "money" in asked.hints:
        score += _is_money(cell)
    if "time" in asked.hints and asked.operation is Operation.LOOKUP:
        score += column.is_time
    if "span" in asked.hints:
        score += any(word in name for word in _SPAN)
    if asked.operation is Operation.COUNT:
        score += made.operation is Operation.LOOKUP
    return score - made.is_of_row * 0.5


def _body(found: TableSlice) -> list[CellPlace]:
    return [cell for cell in found.cells if not cell.table.table.rows[cell.row].is_total]


def _figures(cells: Sequence[CellPlace]) -> list[tuple[Decimal, CellPlace]]:
    return [(value, cell) for cell in cells if _column(cell).is_number and (value := number_of(cell)) is not None]


def number_of(cell: CellPlace) -> Decimal | None:
    """The number in a cell."""
    return cell.table.table.rows[cell.row].number(cell.column)


def _column(cell: CellPlace) -> SourceColumn:
    return cell.table.table.columns[cell.column]


def _is_of_key(found: TableSlice) -> bool:
    """Whether the cells only repeat what rows are called."""
    return found.varies == "row" and found.cells[0].column == found.cells[0].table.key


def _is_what_was_named(found: TableSlice) -> bool:
    """Whether the cells themselves have the words by which their rows were found, so that the rest is the answer."""
    cell = found.cells[0]
    table = cell.table
    of_row = table.of_rows[cell.row] - table.around
    if found.varies != "row" or not of_row:
        return False
    is_timed = bool(table.asked.times) and table.times_of_columns[cell.column] is not None
    is_implied = is_timed or ("money" in table.asked.hints and _is_money(cell))
    return bool(table.asked_in(cell.text) & of_row) or not (table.of_columns[cell.column] or is_implied)


def _lookup(found: TableSlice, asked: TableQuestion) -> TableAnswer | None:
    is_timed_row = (
        bool(asked.times) and found.varies == "row" and found.cells[0].table.times_of_rows[found.cells[0].row]
    )
    if found.varies == "document" or _is_one_of_many(found) or not (found.in_rows or is_timed_row):
        return None
    if not found.in_column and not any(cell.text for cell in found.cells):
        return None
    is_of_row = _is_what_was_named(found)
    if "money" in asked.hints and (is_of_row or not _is_money(found.cells[0])):
        return None
    if "amount" in asked.hints and found.varies == "row" and len(_figures(found.cells)) > 1:
        return _total(found, asked)
    if len(found.cells) > _MOST_ROWS:
        return None
    return TableAnswer(Operation.LOOKUP, found, found.cells, None, found.share(asked), is_of_row=is_of_row)


def _is_money(cell: CellPlace) -> bool:
    column = _column(cell)
    told = f"{column.name} {column.unit} {cell.text} {cell.table.label(cell.row)}".casefold()
    return column.is_number and any(word in told for word in _MONEY)


def _is_one_of_many(found: TableSlice) -> bool:
    """Whether other documents have the same table, and nothing that is asked tells which is meant."""
    return all(cell.table.is_alike_unnamed for cell in found.cells) and found.varies != "document"


def _list(found: TableSlice, asked: TableQuestion) -> TableAnswer | None:
    cells = tuple(_body(found))
    if not cells or _is_one_of_many(found):
        return None
    return TableAnswer(Operation.LIST, found, cells, None, found.share(asked))


def _extreme(found: TableSlice, asked: TableQuestion) -> TableAnswer | None:
    cells = [(value, cell) for cell in _body(found) if (value := _sortable(cell)) is not None]
    if len(cells) < 2 or ("time" in asked.hints and not asked.times and not _column(cells[0][1]).is_time):
        return None
    end = (max if asked.operation is Operation.MOST else min)(value for value, _ in cells)
    chosen = tuple(cell for value, cell in cells if value == end)
    return TableAnswer(asked.operation, found, chosen, end, found.share(asked))


def _sortable(cell: CellPlace) -> Decimal | None:
    """What a cell is ranked by: its number, or its time as a number."""
    if not _column(cell).is_time:
        return number_of(cell) if _column(cell).is_number else None
    time = moment_of(cell.text)
    if time is None or time[0] is None:
        return None
    return Decimal(time[0] * 10_000 + (time[1] or 0) * 100 + (time[2] or 0))


def _total(found: TableSlice, asked: TableQuestion) -> TableAnswer | None:
    figures = _figures(_body(found))
    if not figures or len({_column(cell).unit for _, cell in figures}) > 1:
        return None
    result = sum((value for value, _ in figures), Decimal(0))
    if asked.operation is Operation.MEAN:
        result /= len(figures)
    operation = asked.operation if asked.operation is Operation.MEAN else Operation.SUM
    return TableAnswer(operation, found, tuple(cell for _, cell in figures), result, found.share(asked))


def _count(found: TableSlice, asked: TableQuestion) -> TableAnswer | None:
    cells = _body(found)
    if len(cells) == 1 and _figures(cells) and not _is_one_of_many(found):
        return TableAnswer(Operation.LOOKUP, found, tuple(cells), None, found.share(asked))
    if (
        cells
        and _is_of_key(found)
        and found.share(asked) == 1
        and cells[0].table.of_rows[cells[0].row] - cells[0].table.around
    ):
        return TableAnswer(Operation.COUNT, found, tuple(cells), Decimal(len(cells)), found.share(asked))
    return None


def _difference(found: TableSlice, asked: TableQuestion) -> TableAnswer | None:
    figures = _figures(found.cells)
    if len(figures) != 2 or _is_one_of_many(found):
        return None
    (one, _), (other, _) = figures
    cells = tuple(cell for _, cell in figures)
    return TableAnswer(Operation.DIFFERENCE, found, cells, abs(one - other), found.share(asked))


def _share_of_whole(found: TableSlice, asked: TableQuestion) -> TableAnswer | None:
    """The share of a row in the row that adds up all."""
    cells = _figures(_body(found))
    if len(cells) != 1 or found.varies != "row":
        return None
    value, cell = cells[0]
    rows = cell.table.table.rows
    totals = [at for at, row in enumerate(rows) if row.is_total and row.number(cell.column)]
    whole = rows[totals[-1]].number(cell.column) if totals else None
    if not whole:
        return None
    cells_of_both = (cell, CellPlace(cell.table, totals[-1], cell.column))
    return TableAnswer(Operation.SHARE, found, cells_of_both, value / whole * _FULL, found.share(asked))


def _sides(found: TableSlice, asked: TableQuestion) -> TableAnswer | None:
    if not 2 <= len(found.cells) <= _MOST_ROWS or _is_one_of_many(found):
        return None
    return TableAnswer(Operation.SIDES, found, found.cells, None, found.share(asked))


def _course(found: TableSlice, asked: TableQuestion) -> TableAnswer | None:
    """Cells of several periods, in their order."""
    timed = [(time, cell) for cell in found.cells if (time := time_of(cell, found.varies)) is not None]
    if len({time for time, _ in timed}) < 2 or len(timed) > _MOST_ROWS or _is_one_of_many(found):
        return None
    cells = tuple(cell for _, cell in sorted(timed, key=lambda each: each[0]))
    return TableAnswer(Operation.COURSE, found, cells, None, found.share(asked))


def time_of(cell: CellPlace, varies: str) -> tuple[int, int, int] | None:
    """The time that tells a cell from the others of its slice."""
    if varies == "document":
        return (max(cell.table.years), 0, 0) if cell.table.years else None
    time = cell.table.times_of_columns[cell.column] if varies == "column" else cell.table.times_of_rows[cell.row]
    return (time[0], time[1] or 0, time[2] or 0) if time is not None and time[0] is not None else None


# What may be asked of all rows, with the name of what they are about alone.
_OF_ALL = frozenset({Operation.MOST, Operation.LEAST, Operation.LIST})
_CALCULATIONS: Mapping[Operation, Callable[[TableSlice, TableQuestion], TableAnswer | None]] = {
    Operation.LOOKUP: _lookup,
    Operation.LIST: _list,
    Operation.MOST: _extreme,
    Operation.LEAST: _extreme,
    Operation.SUM: _total,
    Operation.MEAN: _total,
    Operation.COUNT: _count,
    Operation.DIFFERENCE: _difference,
    Operation.SHARE: _share_of_whole,
    Operation.SIDES: _sides,
    Operation.COURSE: _course,
}
