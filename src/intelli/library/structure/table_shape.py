"""Finds out what the rows and columns of a table are: heads, keys, types, units, totals."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cache
from itertools import islice

from intelli.language import head_units, notation
from intelli.language.languages import languages
from intelli.language.notation import Decimals
from intelli.library.structure import cell_values
from intelli.library.structure.document_table import ColumnType, ColumnUnit, RowKind, TableColumn
from intelli.library.structure.text_lines import ends_sentence

Cells = Mapping[int, str]  # the words of a row by column; empty cells are left out

_MOST_HEADS = 4
_MOST_CAPTIONS = 6
_SAMPLE = 80
_NAME_CHARS = 200
_LONGEST_HEAD = 120
_MOST_ADDED = 2000
_FEWEST_ADDED = 2
_NOTATION_CHARS = 4000
_OF_RECORDS = Decimals.POINT


@dataclass(frozen=True, slots=True)
class TableShape:
    """What the rows and columns of a table are."""

    columns: tuple[TableColumn, ...]
    kinds: dict[int, RowKind]
    decimals: Decimals | None
    unit: ColumnUnit | None


def find_record_shape(rows: Sequence[Cells], names: Sequence[str], *, around: str = "") -> TableShape:
    """Return the shape of a table whose rows are records: their fields have these names, and numbers a point."""
    types = [
        cell_values.type_of((row[at] for row in rows[:_SAMPLE] if at in row), _OF_RECORDS) for at in range(len(names))
    ]
    columns = _columns([dict(enumerate(names))], types)
    kinds = dict[int, RowKind]()
    _mark_rows(rows, 0, columns, kinds, decimals=_OF_RECORDS)
    # A record with a single value is one.
    totals = dict.fromkeys((at for at, kind in kinds.items() if kind is RowKind.TOTAL), RowKind.TOTAL)
    return TableShape(columns, totals, _OF_RECORDS, _unit(around))


def find_shape(
    rows: Sequence[Cells], width: int, *, around: str = "", decimals: Decimals | None = None, has_head: bool = False
) -> TableShape:
    """Return the shape of a table.

    `around` is the caption and the heading above it, which may tell the unit; `has_head` is set when the format says
    that its first row is a head.
    """
    kinds = dict[int, RowKind]()
    first = _mark_captions(rows, width, kinds)
    decimals = decimals or _notation(rows[first:], around)
    body = _mark_heads(rows, first, kinds, has_head=has_head, decimals=decimals)
    sample = list(islice((row for row in rows[body:] if not _is_alone(row, width)), _SAMPLE))
    types = [cell_values.type_of((row[at] for row in sample if at in row), decimals) for at in range(width)]
    heads = [row for at, row in enumerate(rows[:body]) if kinds.get(at) is RowKind.HEAD]
    captions = " ".join(row[min(row)] for at, row in enumerate(rows[:body]) if kinds.get(at) is RowKind.CAPTION)
    unit = _unit(captions) or _unit(_corner(heads, types)) or _unit(around)
    columns = _columns(heads, types)
    _mark_rows(rows, body, columns, kinds, decimals=decimals)
    return TableShape(columns, kinds, decimals, unit)


def _is_alone(row: Cells, width: int) -> bool:
    """Return whether a row has one cell, or the same words in all of them: one that was merged across columns."""
    return width > 1 and (len(row) == 1 or _is_merged(row))


def _is_merged(row: Cells) -> bool:
    words = next(iter(row.values()), "")
    if len(row) < 2 or any(other != words for other in row.values()):
        return False
    # Figures, years and a word beside itself may be equal by chance.
    is_chance = not any(map(str.isalpha, words)) or (len(row) == 2 and " " not in words)
    return not is_chance and not cell_values.is_period(words) and not cell_values.is_missing(words)


def _mark_captions(rows: Sequence[Cells], width: int, kinds: dict[int, RowKind]) -> int:
    """Mark the rows above the head that have one cell; return the index of the first other row."""
    left = min((min(row) for row in rows if row), default=0)
    for at, row in enumerate(rows[:_MOST_CAPTIONS]):
        if not _is_alone(row, width) or left not in row:
            return at
        kinds[at] = RowKind.CAPTION
    # A table of lone cells has no caption.
    kinds.clear()
    return 0


def _mark_heads(
    rows: Sequence[Cells], first: int, kinds: dict[int, RowKind], *, has_head: bool, decimals: Decimals | None
) -> int:
    """Mark the rows that name the columns; return the index of the first row of the body."""
    at = first
    while at < min(len(rows), first + _MOST_HEADS) and _may_be_head(rows, at, first, decimals):
        kinds[at] = RowKind.HEAD
        at += 1
    if at == first and has_head and first < len(rows):
        kinds[first] = RowKind.HEAD
        at += 1
    if at >= len(rows):
        # Nothing is left: a table of words, with one head at most.
        for other in range(first + 1, at):
            del kinds[other]
        at = first + 1
        if len(rows) - first < 2:
            kinds.pop(first, None)
            at = first
    return at


def _may_be_head(rows: Sequence[Cells], at: int, first: int, decimals: Decimals | None) -> bool:
    row = rows[at]
    if any(len(text) > _LONGEST_HEAD or _is_measure(text, decimals) for text in row.values()):
        return False
    if at == first:
        return bool(row) and len(set(row.values())) > len(row) / 3
    # Another row of the head has no name of its own: it divides the columns, or tells their units and periods.
    left = min(min(each) for each in rows if each)
    if left not in row and len(row) > 1:
        return True
    if left in row and row[left] == rows[at - 1].get(left) and len(row[left]) > 1:
        return True
    others = [text for column, text in row.items() if column != left]
    return bool(others) and all(cell_values.is_period(text) or _is_unit(text) for text in others)


def _is_measure(text: str, decimals: Decimals | None) -> bool:
    """Return whether a cell is a value: a number that is no year, or a day."""
    if not any(map(str.isdigit, text)) or cell_values.is_period(text):
        return False
    return cell_values.number_of(text, decimals) is not None or cell_values.date_of(text) is not None


def _is_unit(text: str) -> bool:
    found = _unit(text)
    return found is not None and len(text) <= len(found.written) + 6


def _unit(text: str) -> ColumnUnit | None:
    found = head_units.find_unit(text) if text else None
    return ColumnUnit(found.name, found.scale, found.written) if found else None


def _corner(heads: Sequence[Cells], types: Sequence[ColumnType]) -> str:
    """Return the words over the first column when that holds no numbers: they may tell the unit of the others."""
    if not types or types[0] is ColumnType.NUMBER:
        return ""
    return " ".join(row[0] for row in heads if 0 in row)


def _notation(rows: Sequence[Cells], around: str) -> Decimals | None:
    """Return what begins the decimals: as the cells show it, else as the words around the table do."""
    lines, chars = [], 0
    for row in rows:
        line = "\t".join(row.values())
        lines.append(f"{line}\t")
        chars += len(line)
        if chars > _NOTATION_CHARS:
            break
    return notation.decimals_of("\n".join(lines), around)


def _columns(heads: Sequence[Cells], types: Sequence[ColumnType]) -> tuple[TableColumn, ...]:
    first_measure = next((at for at, kind in enumerate(types) if kind is ColumnType.NUMBER), len(types))
    found = []
    for at, kind in enumerate(types):
        words = list(dict.fromkeys(text for row in heads if (text := row.get(at))))
        name = " ".join(words)[:_NAME_CHARS]
        is_key = kind is not ColumnType.NUMBER and (at < max(first_measure, 1))
        # "In stock" is a name, "in km" tells a unit.
        unit = _unit(name.removeprefix("In ")) if kind is ColumnType.NUMBER else None
        found.append(TableColumn(name, kind, unit, is_key=is_key, is_total=is_total(name)))
    return tuple(found)


def is_total(label: str) -> bool:
    """Return whether the name of a row or column says that it adds others up."""
    bare = label.strip(" :*").casefold()
    if bare in _totals():
        return True
    head, _, rest = bare.partition(" ")
    return head in _totals() and bool(rest)


@cache
def _totals() -> frozenset[str]:
    return frozenset(phrase for known in languages().values() for phrase in known.totals)


def _mark_rows(
    rows: Sequence[Cells],
    body: int,
    columns: Sequence[TableColumn],
    kinds: dict[int, RowKind],
    *,
    decimals: Decimals | None,
) -> None:
    """Mark totals and the rows that only name those below them."""
    measures = [at for at, column in enumerate(columns) if column.type is ColumnType.NUMBER]
    keys = [at for at, column in enumerate(columns) if column.is_key]
    for at in range(body, len(rows)):
        row = rows[at]
        if measures and _is_alone(row, len(columns)) and (_is_merged(row) or not any(m in row for m in measures)):
            kinds[at] = RowKind.SECTION
        elif measures and any(is_total(row[key]) for key in keys if key in row):
            kinds[at] = RowKind.TOTAL
    last = _mark_notes(rows, body, columns, kinds)
    if measures and last not in kinds and body + _FEWEST_ADDED < last <= body + _MOST_ADDED:
        values = [rows[at] for at in range(body, last) if at not in kinds]
        if _adds_up(rows[last], values, measures, decimals):
            kinds[last] = RowKind.TOTAL


def _mark_notes(rows: Sequence[Cells], body: int, columns: Sequence[TableColumn], kinds: dict[int, RowKind]) -> int:
    """Mark the rows below the last one with values, such as "Source: …"; return the index of that one."""
    has_measures = any(column.type is ColumnType.NUMBER for column in columns)
    at = len(rows) - 1
    while at > body and rows[at] and _is_note(rows[at], len(columns), has_measures=has_measures):
        kinds[at] = RowKind.CAPTION
        at -= 1
    return at


def _is_note(row: Cells, width: int, *, has_measures: bool) -> bool:
    """Return whether the last row of a table is a note: words alone, in a table of words a sentence or a source."""
    first = row[min(row)]
    if len(row) == 2 and first.endswith(":"):
        return not any(map(str.isdigit, row[max(row)][:1]))
    if not _is_alone(row, width) or min(row) or not any(map(str.isalpha, first)):
        return False
    return has_measures or _is_merged(row) or ends_sentence(first) or ": " in first


def _adds_up(row: Cells, above: Sequence[Cells], measures: Sequence[int], decimals: Decimals | None) -> bool:
    """Return whether a row is the sum of those above it in each column of numbers that it has."""
    compared = 0
    for at in measures:
        total = cell_values.number_of(row.get(at, ""), decimals)
        values = [found[0] for each in above if (found := cell_values.number_of(each.get(at, ""), decimals))]
        if total is None or not total[0] or len(values) <= _FEWEST_ADDED:
            continue
        exponent = total[0].as_tuple().exponent
        step = Decimal(1).scaleb(exponent if isinstance(exponent, int) else 0)
        if abs(sum(values, Decimal()) - total[0]) > step * len(values) / 2:
            return False
        compared += 1
    # One column may add up by chance.
    return compared > 1 or (compared == 1 and len(measures) == 1 and len(above) > _FEWEST_ADDED + 1)
