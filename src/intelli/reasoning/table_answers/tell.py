"""Tell what tables answer: a sentence with the result, and the rows that it rests on."""

import re
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cache
from importlib.resources import files

from pydantic import BaseModel, ConfigDict

from intelli.reasoning.table_answers.answer import TableAnswer
from intelli.reasoning.table_answers.cell_values import number_of, time_of
from intelli.reasoning.table_answers.question import Operation
from intelli.reasoning.table_answers.slices import CellPlace
from intelli.reasoning.table_answers.source_table import SourceRow, SourceTable

_MOST_SHOWN = 12
# Figures that are written out as a calculation; more are told by their number.
_MOST_WRITTEN = 6
_PLACES = 2
_LONGEST = 160
_MOST_COLUMNS = 8
# Headings that say nothing of a table.
_EMPTY_HEADINGS = frozenset({"contents", "table of contents", "inhalt", "inhaltsverzeichnis", "sheet1", "tabelle1"})
_CODE = re.compile(r"[A-Z/.-]*+\d[A-Z\d/.-]*+")
_COMMA_LANGUAGES = frozenset({"de", "fr", "es", "it", "pt", "nl", "ru"})


class TablePhrases(BaseModel):
    """Sentences of one language, with numbered slots."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    most: str
    least: str
    oldest: str
    newest: str
    sum: str
    mean: str
    count: str
    difference: str
    share: str
    worth: str
    values: str
    table: str
    documents: str


@dataclass(frozen=True, slots=True)
class ToldRow:
    """A row of a table: what is shown of it."""

    table: SourceTable
    row: SourceRow
    cells: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ToldTable:
    """A result in words, with the rows it rests on; `columns` is empty where these are not shown as a table."""

    text: str
    columns: tuple[str, ...]
    rows: tuple[ToldRow, ...]
    row_count: int


def tell(answer: TableAnswer, language: str) -> ToldTable:
    """Tell an answer in a language."""
    said = _phrases().get(language) or _phrases()["en"]
    sentence = _SENTENCES[answer.operation](answer, said, language)
    columns = _columns(answer)
    rows = tuple(_rows(answer))
    return ToldTable(sentence, columns if _is_shown(answer) else (), rows, len(answer.cells))


def _is_shown(answer: TableAnswer) -> bool:
    return answer.operation in _SHOWN and 1 < len(answer.cells) <= _MOST_SHOWN


def _columns(answer: TableAnswer) -> tuple[str, ...]:
    first = answer.cells[0]
    if answer.slice.varies == "column":
        return (_name(first, first.table.key), *(_name(cell, cell.column) for cell in answer.cells))
    if answer.slice.varies == "document":
        return ("", f"{_measure(answer)}")
    return tuple(_name(first, at) for at in _shown(answer))


def _shown(answer: TableAnswer) -> list[int]:
    """The columns that are shown of rows: all of a list where the question names none, else the key and the asked."""
    first = answer.cells[0]
    columns = range(len(first.table.table.columns))
    if answer.operation is Operation.LIST and not answer.slice.in_column and len(columns) <= _MOST_COLUMNS:
        return [at for at in columns if any(cell.table.table.rows[cell.row].text(at) for cell in answer.cells)]
    return list(dict.fromkeys((first.table.key, first.column)))


def _rows(answer: TableAnswer) -> Iterator[ToldRow]:
    if answer.slice.varies == "column":
        first = answer.cells[0]
        cells = (first.table.label(first.row), *(cell.text for cell in answer.cells))
        yield ToldRow(first.table.table, first.table.table.rows[first.row], cells)
        return
    shown = _shown(answer)
    for cell in answer.cells:
        row = cell.table.table.rows[cell.row]
        if answer.slice.varies == "document":
            yield ToldRow(cell.table.table, row, (_whose(answer, cell), cell.text))
        else:
            yield ToldRow(cell.table.table, row, tuple(row.text(at) for at in shown))


def _lookup(answer: TableAnswer, said: TablePhrases, language: str) -> str:
    first = answer.cells[0]
    if len(answer.cells) > 1:
        return _from_table(answer, said)
    if answer.slice.varies == "document":
        return f"{_measure(answer)}, {_whose(answer, first)}: {_with_unit(first)}."
    if answer.is_of_row:
        return f"{_whole_row(first)}{_behind(first)}."
    return f"{_whose(answer, first)}, {_name(first, first.column)}: {_with_unit(first)}{_behind(first)}."


def _whole_row(cell: CellPlace) -> str:
    table = cell.table.table
    row = table.rows[cell.row]
    others = [
        f"{_name(cell, at)} {row.text(at)}".strip()
        for at in range(len(table.columns))
        if at != cell.table.key and row.text(at)
    ]
    return f"{cell.table.label(cell.row)}: {', '.join(others)}"


def _behind(cell: CellPlace) -> str:
    context = _context(cell)
    return f" ({context})" if context else ""


def _context(cell: CellPlace) -> str:
    """What stands over the table of a cell: the caption, else the nearest heading."""
    lines = (line.strip("# *").strip() for line in cell.table.table.around.split("\n"))
    return next((line[:_LONGEST] for line in lines if line and line.casefold() not in _EMPTY_HEADINGS), "")


def _list(answer: TableAnswer, said: TablePhrases, language: str) -> str:
    if len(answer.cells) == 1:
        return _lookup(answer, said, language)
    return _from_table(answer, said)


def _beside(answer: TableAnswer, said: TablePhrases, language: str) -> str:
    """What stands side by side: each value with what it is of, and the change over time."""
    cells = list(answer.cells)
    if len(cells) == 1 or any(number_of(cell) is None for cell in cells) or not _is_of_one_measure(answer):
        return _list(answer, said, language)
    told = [f"{_with_unit(cell)} ({_whose(answer, cell)})" for cell in cells]
    listed = ", ".join(told) if len(told) <= _MOST_WRITTEN else f"{told[0]} \u2026 {told[-1]}"
    change = _change(answer, language) if answer.operation is Operation.COURSE else ""
    return f"{_measure(answer)}: {listed}{change}."


def _is_of_one_measure(answer: TableAnswer) -> bool:
    """Whether all values are of one thing: of a row, or of columns and documents that are called alike."""
    return len({_name(cell, cell.column) for cell in answer.cells}) == 1 or answer.slice.varies == "column"


def _from_table(answer: TableAnswer, said: TablePhrases) -> str:
    first = answer.cells[0]
    if answer.slice.varies == "document":
        return said.documents.format(_measure(answer), len({cell.table.table.document for cell in answer.cells}))
    return said.table.format(_context(first) or first.table.table.document)


def _extreme(answer: TableAnswer, said: TablePhrases, language: str) -> str:
    first = answer.cells[0]
    is_most = answer.operation is Operation.MOST
    is_time = first.table.table.columns[first.column].is_time
    phrase = (said.newest if is_most else said.oldest) if is_time else (said.most if is_most else said.least)
    return phrase.format(_measure(answer), _with_unit(first), ", ".join(_whose(answer, cell) for cell in answer.cells))


def _whose(answer: TableAnswer, cell: CellPlace) -> str:
    """What a cell is told from the others by."""
    if answer.slice.varies == "document":
        return cell.table.told_by or cell.table.table.document
    if answer.slice.varies == "column":
        return _name(cell, cell.column)
    row = cell.table.table.rows[cell.row]
    columns = cell.table.table.columns
    told = [at for at, column in enumerate(columns) if not column.is_number and at != cell.column and row.text(at)]
    label = cell.table.label(cell.row)
    # A code says little: what stands beside it says what it is.
    beside = {cell.table.key + 1} if _CODE.fullmatch(label) else set()
    shown = {*told[:1], cell.table.key, *beside}
    named = [at for at in told if at in shown or cell.table.asked_in(row.text(at))]
    return ", ".join(dict.fromkeys(row.text(at) for at in named)) or cell.table.label(cell.row)


def _measure(answer: TableAnswer) -> str:
    """What all cells are of: the column, with the row where only one is meant."""
    first = answer.cells[0]
    if answer.slice.varies == "row":
        return _name(first, first.column)
    label = first.table.label(first.row)
    return label if answer.slice.varies == "column" else f"{label}, {_name(first, first.column)}"


def _sum(answer: TableAnswer, said: TablePhrases, language: str) -> str:
    phrase = said.sum if answer.operation is Operation.SUM else said.mean
    values = [number_of(cell) or Decimal(0) for cell in answer.cells]
    result = _written(answer.result or Decimal(0), language, _places(values))
    unit = answer.cells[0].table.table.columns[answer.cells[0].column].unit
    told = f"{result} {unit}".strip() if unit and unit.casefold() not in _measure(answer).casefold() else result
    if answer.operation is Operation.SUM and 1 < len(values) <= _MOST_WRITTEN:
        told = f"{' + '.join(cell.text for cell in answer.cells)} = {told}"
    elif len(values) > 1:
        told = said.values.format(told, len(values))
    return phrase.format(_of_whom(answer), told)


def _of_whom(answer: TableAnswer) -> str:
    """The measure, with the rows that were chosen where their words say more than the measure."""
    labels = list(dict.fromkeys(_whose(answer, cell) for cell in answer.cells))
    measure = _measure(answer)
    return (
        f"{measure} ({', '.join(labels)})"
        if len(labels) <= _MOST_WRITTEN
        else f"{measure} ({labels[0]} \u2013 {labels[-1]})"
    )


def _count(answer: TableAnswer, said: TablePhrases, language: str) -> str:
    labels = [cell.table.label(cell.row) for cell in answer.cells]
    return said.count.format(len(labels), ", ".join(labels[:_MOST_SHOWN]))


def _difference(answer: TableAnswer, said: TablePhrases, language: str) -> str:
    first, other = sorted(answer.cells, key=lambda cell: number_of(cell) or Decimal(0), reverse=True)
    result = _written(answer.result or Decimal(0), language, _places([number_of(first), number_of(other)]))
    told = " \u2212 ".join(f"{cell.text} ({_whose(answer, cell)})" for cell in (first, other))
    calculation = f"{told} = {_with_unit_of(first, result)}{_change(answer, language)}"
    return said.difference.format(_same(answer), calculation)


def _change(answer: TableAnswer, language: str) -> str:
    """The change from the earliest to the latest figure, in percent; nothing of what is no course of time."""
    timed = [(time, cell) for cell in answer.cells if (time := time_of(cell, answer.slice.varies)) is not None]
    if len({time for time, _ in timed}) < 2:
        return ""
    in_order = [number_of(cell) or Decimal(0) for _, cell in sorted(timed, key=lambda each: each[0])]
    before, after = in_order[0], in_order[-1]
    if before <= 0:
        return ""
    change = (after - before) / before * 100
    sign = "+" if change > 0 else "\u2212" if change < 0 else ""
    return f" ({sign}{_written(abs(change), language, 1)} %)"


def _with_unit_of(cell: CellPlace, told: str) -> str:
    unit = cell.table.table.columns[cell.column].unit
    around = f"{_name(cell, cell.column)} {cell.table.label(cell.row)}".casefold()
    return f"{told} {unit}" if unit and unit.casefold() not in around else told


def _same(answer: TableAnswer) -> str:
    first = answer.cells[0]
    label, column = first.table.label(first.row), _name(first, first.column)
    if answer.slice.varies == "row":
        return column
    return label if answer.slice.varies == "column" or _is_time(first) else f"{column}, {label}"


def _is_time(cell: CellPlace) -> bool:
    return cell.table.times_of_columns[cell.column] is not None


def _worth(answer: TableAnswer, said: TablePhrases, language: str) -> str:
    many, price = answer.cells
    result = _written(answer.result or Decimal(0), language, _places([number_of(many), number_of(price)]))
    unit = price.table.table.columns[price.column].unit
    told = f"{many.text} \u00d7 {price.text} = {result} {unit}".strip()
    about = f"{price.table.label(price.row)} ({_name(many, many.column)} \u00d7 {_name(price, price.column)})"
    return said.worth.format(about, told)


def _share(answer: TableAnswer, said: TablePhrases, language: str) -> str:
    part, whole = answer.cells
    result = _written(answer.result or Decimal(0), language, _PLACES)
    about = f"{part.table.label(part.row)}, {_name(part, part.column)}"
    return said.share.format(about, f"{part.text} / {whole.text} = {result} %")


def _name(cell: CellPlace, column: int) -> str:
    return cell.table.table.columns[column].name


def _with_unit(cell: CellPlace) -> str:
    unit = cell.table.table.columns[cell.column].unit
    around = f"{cell.text} {_name(cell, cell.column)} {cell.table.label(cell.row)}".casefold()
    return (
        f"{cell.text} {unit}" if unit and unit.casefold() not in around and number_of(cell) is not None else cell.text
    )


def _places(values: Sequence[Decimal | None]) -> int:
    """Decimals of figures: as many as the figure with most of them has."""
    exponents = [value.normalize().as_tuple().exponent for value in values if value is not None]
    return max((-exponent for exponent in exponents if isinstance(exponent, int) and exponent < 0), default=0)


def _written(value: Decimal, language: str, places: int) -> str:
    """A number as a language writes it."""
    text = f"{value:,.{places}f}"
    return text.translate(str.maketrans(",.", ".,")) if language in _COMMA_LANGUAGES else text


_SHOWN = frozenset({Operation.LOOKUP, Operation.LIST, Operation.SIDES, Operation.COURSE})
_SENTENCES = {
    Operation.LOOKUP: _lookup,
    Operation.LIST: _list,
    Operation.MOST: _extreme,
    Operation.LEAST: _extreme,
    Operation.SUM: _sum,
    Operation.MEAN: _sum,
    Operation.COUNT: _count,
    Operation.DIFFERENCE: _difference,
    Operation.SHARE: _share,
    Operation.SIDES: _beside,
    Operation.COURSE: _beside,
    Operation.WORTH: _worth,
}


@cache
def _phrases() -> dict[str, TablePhrases]:
    tables = tomllib.loads(files(__package__).joinpath("phrases.toml").read_text(encoding="utf-8"))
    return {code: TablePhrases.model_validate(table) for code, table in tables.items()}
