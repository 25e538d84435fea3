"""Tell what tables answer: a sentence with the result, and the rows that it rests on."""

import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cache
from importlib.resources import files

from pydantic import BaseModel, ConfigDict

from intelli.reasoning.table_answers.answer import TableAnswer, number_of
from intelli.reasoning.table_answers.question import Operation
from intelli.reasoning.table_answers.slices import CellPlace
from intelli.reasoning.table_answers.source_table import SourceRow, SourceTable

_MOST_SHOWN = 12
# Figures that are written out as a calculation; more are told by their number.
_MOST_WRITTEN = 6
_PLACES = 2
_LONGEST = 160
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
    values: str
    table: str


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
    key = _name(first, first.table.key)
    if answer.slice.varies == "column":
        return (key, *(_name(cell, cell.column) for cell in answer.cells))
    named = () if first.column == first.table.key else (_name(first, first.column),)
    return ("", *named) if answer.slice.varies == "document" else (key, *named)


def _rows(answer: TableAnswer) -> Iterator[ToldRow]:
    if answer.slice.varies == "column":
        first = answer.cells[0]
        cells = (first.table.label(first.row), *(cell.text for cell in answer.cells))
        yield ToldRow(first.table.table, first.table.table.rows[first.row], cells)
        return
    for cell in answer.cells:
        label = cell.table.table.document if answer.slice.varies == "document" else cell.table.label(cell.row)
        shown = (label,) if cell.column == cell.table.key else (label, cell.text)
        yield ToldRow(cell.table.table, cell.table.table.rows[cell.row], shown)


def _lookup(answer: TableAnswer, said: TablePhrases, language: str) -> str:
    first = answer.cells[0]
    if len(answer.cells) > 1:
        return said.table.format(_context(first) or first.table.table.document)
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
    return next((line[:_LONGEST] for line in lines if line), "")


def _list(answer: TableAnswer, said: TablePhrases, language: str) -> str:
    first = answer.cells[0]
    if len(answer.cells) == 1:
        return _lookup(answer, said, language)
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
        return cell.table.table.document
    if answer.slice.varies == "column":
        return _name(cell, cell.column)
    row = cell.table.table.rows[cell.row]
    columns = cell.table.table.columns
    texts = [row.text(at) for at, column in enumerate(columns) if not column.is_number and at != cell.column]
    return ", ".join(dict.fromkeys(text for text in texts[:2] if text)) or cell.table.label(cell.row)


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
    calculation = f"{first.text} \u2212 {other.text} = {result}"
    return said.difference.format(_same(answer), calculation)


def _same(answer: TableAnswer) -> str:
    first = answer.cells[0]
    label, column = first.table.label(first.row), _name(first, first.column)
    return f"{column}, {label}" if answer.slice.varies != "column" else label


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
    Operation.SIDES: _list,
    Operation.COURSE: _list,
}


@cache
def _phrases() -> dict[str, TablePhrases]:
    tables = tomllib.loads(files(__package__).joinpath("phrases.toml").read_text(encoding="utf-8"))
    return {code: TablePhrases.model_validate(table) for code, table in tables.items()}
