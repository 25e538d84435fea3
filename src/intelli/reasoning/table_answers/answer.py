"""Answer a question from tables: choose the slice that accounts for most of it, and calculate."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

from intelli.reasoning.table_answers import cell_values, slices
from intelli.reasoning.table_answers.labels import LabelledTable, Moment, moment_of
from intelli.reasoning.table_answers.question import (
    Condition,
    Operation,
    TableQuestion,
    column_kind,
    is_for_tables,
    read,
    read_literally,
)
from intelli.reasoning.table_answers.slices import CellPlace, TableSlice
from intelli.reasoning.table_answers.source_table import SourceTable

_LEAST_SHARE = 0.74
# What is accounted for where the words of an operation are read as names, or rows that add up others are taken.
_LITERAL_SHARE, _WHOLE_SHARE = 0.95, 0.95
_MOST_ROWS = 12
_FULL = 100


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
    literal = read_literally(question)
    found = _best(tables, literal, least=_LITERAL_SHARE) if literal else None
    return found or _best(tables, read(question), least=_LEAST_SHARE)


def _best(tables: Sequence[SourceTable], asked: TableQuestion, *, least: float) -> TableAnswer | None:
    labelled = [LabelledTable(table, asked) for table in tables if table.columns and table.rows]
    best: tuple[tuple[float, ...], TableAnswer] | None = None
    for number, found in enumerate(slices.find(labelled, asked)):
        made = _made(found, asked)
        if made is None or made.share < least:
            continue
        rank = (*_rank(made, asked), -number)
        if best is None or rank > best[0]:
            best = rank, made
    # Where the cell that is asked for is empty, the next best one is not the answer.
    return best[1] if best and any(cell.text for cell in best[1].cells) else None


def _made(found: TableSlice, asked: TableQuestion) -> TableAnswer | None:
    is_named = found.named or ((asked.operation in _OF_ALL or found.is_whole) and found.cells[0].table.over)
    if (asked.times and not found.timed) or not is_named or asked.names - found.covered:
        return None
    if not _is_literal(found, asked):
        return None
    return _CALCULATIONS[asked.operation](found, asked)


def _is_literal(found: TableSlice, asked: TableQuestion) -> bool:
    """Whether the words of an operation, where they are read as names, stand in each row or over the column."""
    if not asked.literal or asked.literal & found.in_column:
        return True
    return all(asked.literal & cell.table.of_rows[cell.row] for cell in found.cells) and len(found.cells) == 1


def _rank(made: TableAnswer, asked: TableQuestion) -> tuple[float, ...]:
    found, tables = made.slice, {cell.table for cell in made.cells}
    return (
        round(made.share, 2),
        _suits(made, asked),
        len(found.named),
        max(len(table.over) for table in tables),
        float(len(made.cells)) if made.operation is Operation.SUM else -float(len(made.cells)),
        -float(all(table.is_outdated for table in tables)),
        float(max(table.newest for table in tables)),
        max(((time[0] or 0) + (time[1] or 0) / 12 for time in _column_times(made)), default=0.0),
    )


def _column_times(made: TableAnswer) -> Iterator[Moment]:
    for cell in made.cells:
        time = cell.table.times_of_columns[cell.column]
        if time is not None:
            yield time


def _suits(made: TableAnswer, asked: TableQuestion) -> float:
    """How well the cells are of the kind that the question's words imply."""
    cell = made.cells[0]
    column = cell_values.column_of(cell)
    score = 0.0
    if "money" in asked.hints:
        score += cell_values.is_money(cell)
    if "time" in asked.hints and asked.operation is Operation.LOOKUP:
        score += column.is_time
    if "span" in asked.hints:
        score += cell_values.is_span(column.name, column.unit, cell.text)
    if "number" in asked.hints:
        score += 2 * column_kind("stock", column.name)
    if asked.operation is Operation.COUNT:
        score += made.operation is Operation.LOOKUP
    return score - made.is_of_row * 0.5


def _body(found: TableSlice) -> list[CellPlace]:
    if found.is_whole:
        return list(found.cells)
    return [cell for cell in found.cells if not cell.table.table.rows[cell.row].is_total]


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
    is_implied = is_timed or ("money" in table.asked.hints and cell_values.is_money(cell))
    return bool(table.asked_in(cell.text) & of_row) or not (table.of_columns[cell.column] or is_implied)


def _lookup(found: TableSlice, asked: TableQuestion) -> TableAnswer | None:
    if found.varies == "document" or _is_one_of_many(found) or not _has_row(found, asked) or _is_of_one_part(found):
        return None
    is_of_row = _is_what_was_named(found)
    if not (found.in_column or any(cell.text for cell in found.cells)):
        return None
    if not _is_of_kind(found, asked, is_of_row=is_of_row) or _is_of_another_measure(found, asked):
        return None
    if "amount" in asked.hints and found.varies == "row" and len(cell_values.figures_of(found.cells)) > 1:
        return _total(found, asked)
    if len(found.cells) > _MOST_ROWS:
        return None
    return TableAnswer(Operation.LOOKUP, found, found.cells, None, found.share(asked), is_of_row=is_of_row)


def _is_of_one_part(found: TableSlice) -> bool:
    """Whether cells are of one part of a year among several, of which the question names none."""
    cell = found.cells[0]
    parts = cell.table.parts
    return found.varies == "row" and not found.in_column and cell.column in parts and len(parts) > 1


def _is_of_another_measure(found: TableSlice, asked: TableQuestion) -> bool:
    """Whether a word behind the name of a figure is nowhere: the EBIT is not the EBIT margin."""
    if asked.language != "en" or not cell_values.column_of(found.cells[0]).is_number:
        return False
    absent = frozenset(asked.terms) - found.covered
    return any(one in found.named and other in absent for one, other in asked.pairs)


def _has_row(found: TableSlice, asked: TableQuestion) -> bool:
    """Whether something tells the row: its words, its time, or that it adds up all others."""
    if found.in_rows:
        return True
    if found.is_whole:
        return found.share(asked) >= _WHOLE_SHARE and bool(found.in_column)
    first = found.cells[0]
    return bool(asked.times) and found.varies == "row" and first.table.times_of_rows[first.row] is not None


def _is_of_kind(found: TableSlice, asked: TableQuestion, *, is_of_row: bool) -> bool:
    """Whether cells tell money, a time or a span of time where one is asked for."""
    cell = found.cells[0]
    if "money" in asked.hints and (is_of_row or not cell_values.is_money(cell)):
        return False
    table = cell.table.table
    columns = range(len(table.columns)) if is_of_row else (cell.column,)
    told = [f"{table.columns[at].name} {table.columns[at].unit} {table.rows[cell.row].text(at)}" for at in columns]
    if "span" in asked.hints and is_of_row:
        # Of a whole row, a sentence in one of its cells may tell some other span.
        told = [f"{column.name} {column.unit}" for column in table.columns]
    if "span" in asked.hints:
        return cell_values.is_span(*told, cell.table.label(cell.row))
    if "time" in asked.hints:
        return any(table.columns[at].is_time or moment_of(text) for at, text in zip(columns, told, strict=True))
    return True


def _is_one_of_many(found: TableSlice) -> bool:
    """Whether other documents have the same table, and nothing that is asked tells which is meant."""
    return all(cell.table.is_alike_unnamed for cell in found.cells) and found.varies != "document"


def _list(found: TableSlice, asked: TableQuestion) -> TableAnswer | None:
    if found.is_whole and found.varies == "row":
        return None
    cells = tuple(_body(found))
    if asked.condition is not None:
        cells = tuple(_such(found, asked, asked.condition))
    if not cells or _is_one_of_many(found):
        return None
    return TableAnswer(Operation.LIST, found, cells, None, found.share(asked))


def _such(found: TableSlice, asked: TableQuestion, condition: Condition) -> Iterator[CellPlace]:
    """The cells that are as the question says; none where it does not say of which column."""
    for cell in _body(found):
        column = cell_values.column_of(cell)
        if condition.is_time:
            time = moment_of(cell.text) if column.is_time else None
            value = Decimal(time[0]) if time is not None and time[0] is not None else None
        else:
            is_named = found.in_column or found.varies == "document"
            is_meant = is_named or ("money" in asked.hints and cell_values.is_money(cell))
            value = cell_values.number_of(cell) if column.is_number and is_meant else None
        if value is not None and condition.holds(value):
            yield cell


def _gap(found: TableSlice, asked: TableQuestion) -> TableAnswer | None:
    """What is missing to the least that there has to be: of the row that is named, else all rows that are below it."""
    limit = found.cells[0].column
    table = found.cells[0].table
    stock = _kind_of_column(table, "stock", but=limit)
    if found.varies != "row" or stock is None or not column_kind("limit", table.table.columns[limit].name):
        return None
    named = replace(found, in_column=found.in_column | table.of_columns[stock])
    rows = [(cell.row, table.table.rows[cell.row]) for cell in _body(found)]
    lacking = [
        at for at, row in rows if (has := row.number(stock)) is not None and has < (row.number(limit) or Decimal(0))
    ]
    if not lacking:
        return None
    if not found.in_rows:
        cells = tuple(CellPlace(table, row, stock) for row in lacking)
        return TableAnswer(Operation.LIST, replace(named, cells=cells), cells, None, named.share(asked))
    cells = (CellPlace(table, lacking[0], limit), CellPlace(table, lacking[0], stock))
    missing = (cell_values.number_of(cells[0]) or Decimal(0)) - (cell_values.number_of(cells[1]) or Decimal(0))
    columns = replace(named, cells=cells, varies="column")
    return TableAnswer(Operation.DIFFERENCE, columns, cells, missing, named.share(asked)) if len(rows) == 1 else None


def _worth(found: TableSlice, asked: TableQuestion) -> TableAnswer | None:
    """What there is of a thing, times the price of one."""
    cell = found.cells[0]
    stock = _kind_of_column(cell.table, "stock", but=cell.column)
    if found.varies != "row" or len(found.cells) != 1 or not found.in_rows or stock is None:
        return None
    if not column_kind("price", cell_values.column_of(cell).name):
        return None
    cells = (CellPlace(cell.table, cell.row, stock), cell)
    many, price = (cell_values.number_of(each) for each in cells)
    if many is None or price is None:
        return None
    named = replace(found, cells=cells, varies="column", in_column=found.in_column | cell.table.of_columns[stock])
    return TableAnswer(Operation.WORTH, named, cells, many * price, named.share(asked))


def _kind_of_column(table: LabelledTable, kind: str, *, but: int) -> int | None:
    columns = table.table.columns
    return next(
        (at for at, each in enumerate(columns) if at != but and each.is_number and column_kind(kind, each.name)), None
    )


def _extreme(found: TableSlice, asked: TableQuestion) -> TableAnswer | None:
    cells = [(value, cell) for cell in _body(found) if (value := cell_values.sort_value(cell)) is not None]
    if len(cells) < 2 or not _is_meant(found, asked):
        return None
    if "time" in asked.hints and not asked.times and not cell_values.column_of(cells[0][1]).is_time:
        return None
    end = (max if asked.operation is Operation.MOST else min)(value for value, _ in cells)
    chosen = tuple(cell for value, cell in cells if value == end)
    return TableAnswer(asked.operation, found, chosen, end, found.share(asked))


def _is_meant(found: TableSlice, asked: TableQuestion) -> bool:
    """Whether something tells of which figures: a name, a time, the kind that is asked for, or that no others are."""
    cell = found.cells[0]
    table = cell.table
    if found.in_column or found.varies == "column" or table.times_of_columns[cell.column] is not None:
        return True
    if found.is_whole and found.varies == "document":
        return True
    return _is_hinted(cell, asked) or sum(column.is_number for column in table.table.columns) == 1


def _is_hinted(cell: CellPlace, asked: TableQuestion) -> bool:
    """Whether a cell is of the kind that the question's words imply."""
    column = cell_values.column_of(cell)
    quantities = [each for each in cell.table.table.columns if each.is_number and column_kind("stock", each.name)]
    if "number" in asked.hints and quantities:
        return column in quantities
    is_span = "span" in asked.hints and cell_values.is_span(column.name)
    is_time = "time" in asked.hints and column.is_time
    return is_span or is_time or ("money" in asked.hints and cell_values.is_money(cell))


def _total(found: TableSlice, asked: TableQuestion) -> TableAnswer | None:
    figures = cell_values.figures_of(_body(found))
    if not figures or len({cell_values.column_of(cell).unit for _, cell in figures}) > 1 or not _is_meant(found, asked):
        return None
    result = sum((value for value, _ in figures), Decimal(0))
    if asked.operation is Operation.MEAN:
        result /= len(figures)
    operation = asked.operation if asked.operation is Operation.MEAN else Operation.SUM
    return TableAnswer(operation, found, tuple(cell for _, cell in figures), result, found.share(asked))


def _count(found: TableSlice, asked: TableQuestion) -> TableAnswer | None:
    cells = _body(found)
    if len(cells) == 1 and cell_values.figures_of(cells) and not _is_one_of_many(found):
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
    figures = cell_values.figures_of(found.cells)
    if len(figures) != 2 or _is_one_of_many(found):
        return None
    (one, _), (other, _) = figures
    cells = tuple(cell for _, cell in figures)
    return TableAnswer(Operation.DIFFERENCE, found, cells, abs(one - other), found.share(asked))


def _share_of_whole(found: TableSlice, asked: TableQuestion) -> TableAnswer | None:
    """The share of a row in the row that adds up all."""
    cells = cell_values.figures_of(_body(found))
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
    if not (found.in_column or cell_values.figures_of(found.cells)):
        return None
    return TableAnswer(Operation.SIDES, found, found.cells, None, found.share(asked))


def _course(found: TableSlice, asked: TableQuestion) -> TableAnswer | None:
    """Cells of several periods, in their order."""
    timed = [(time, cell) for cell in found.cells if (time := cell_values.time_of(cell, found.varies)) is not None]
    if len({time for time, _ in timed}) < 2 or len(timed) > _MOST_ROWS or _is_one_of_many(found):
        return None
    cells = tuple(cell for _, cell in sorted(timed, key=lambda each: each[0]))
    return TableAnswer(Operation.COURSE, found, cells, None, found.share(asked))


# What may be asked of all rows, with the name of what they are about alone.
_OF_ALL = frozenset({Operation.MOST, Operation.LEAST, Operation.LIST, Operation.GAP})
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
    Operation.GAP: _gap,
    Operation.WORTH: _worth,
}
