"""Find the table row with the most or the least of something, only when the whole table is known.

No row is returned for a table that goes on elsewhere, that names a thing twice, or in which several columns may be
meant: a row chosen by its words alone would be a wrong answer with a true quote.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation

from intelli.language import grids, words
from intelli.language.notation import Decimals, decimals_of
from intelli.reasoning.extractive import series
from intelli.reasoning.extractive.question import Extreme, ParsedQuestion, QuestionKind
from intelli.reasoning.values import SourceText

_MOST_ALIKE = 3


@dataclass(frozen=True, slots=True)
class _Row:
    start: int
    cells: tuple[str, ...]


def rows_of(passage: SourceText, at: int, wanted: ParsedQuestion) -> list[int] | None:
    """Where the rows begin that have the extreme which is asked for, in the table around a place of a passage.

    None where the table measures nothing that is asked for; no rows where it cannot be told.
    """
    columns = grids.columns_over(passage.text, at, passage.header)
    rows = _rows(passage, at)
    if not columns or not rows:
        return None
    if any(len(row.cells) != len(columns) for row in rows):
        return []
    label = _label(rows, columns, wanted)
    meant = _meant([row for row in rows if not series.is_total(row.cells[label])], columns, wanted)
    measured = [at for at in range(len(columns)) if at != label and _are_numbers(meant, at)]
    if not measured:
        return None
    column = _asked(measured, columns, wanted)
    labels = [row.cells[label] for row in meant]
    if column is None or not _is_whole(passage, rows) or len(set(labels)) < len(labels):
        return []
    return _extreme(meant, [row.cells[column] for row in meant], passage, wanted)


def _is_whole(passage: SourceText, rows: Sequence[_Row]) -> bool:
    """Return whether all rows of a table are in the passage."""
    return not passage.header and not (passage.is_cut and rows[-1].start == _last_line(passage.text))


def _rows(passage: SourceText, at: int) -> list[_Row]:
    """The lines of a table below the one that names its columns."""
    found = [
        _Row(start, tuple(cells))
        for start, line in grids.lines_around(passage.text, at)
        if (cells := grids.cells_of(line))
    ]
    is_headed = found and not passage.header and grids.is_header("\t".join(found[0].cells))
    return found[1:] if is_headed else found


def _label(rows: Sequence[_Row], columns: Sequence[str], wanted: ParsedQuestion) -> int:
    """The column of what is asked for: the one of periods, or one with names that the question speaks of; the first."""
    everywhere = range(len(columns))
    if wanted.kind is QuestionKind.WHEN:
        return next((at for at in everywhere if all(series.is_period(row.cells[at]) for row in rows)), 0)
    return next((at for at in everywhere if _weight(columns[at], wanted) and not _are_numbers(rows, at)), 0)


def _meant(rows: Sequence[_Row], columns: Sequence[str], wanted: ParsedQuestion) -> list[_Row]:
    """Those rows that have what the question has of some rows only: a year, a place."""
    named = {term for name in columns for term in words.terms_of(name, wanted.language)}
    of_rows = [frozenset(words.terms_of(" ".join(row.cells), wanted.language)) for row in rows]
    telling = {term for term in {*wanted.terms, *wanted.years} - named if any(term in terms for terms in of_rows)}
    return [row for row, terms in zip(rows, of_rows, strict=True) if telling <= terms]


def _are_numbers(rows: Sequence[_Row], column: int) -> bool:
    return len(rows) > 1 and all(grids.is_number(row.cells[column]) for row in rows)


def _asked(measured: Sequence[int], columns: Sequence[str], wanted: ParsedQuestion) -> int | None:
    """The column that the question names most words of; the only one there is."""
    if len(measured) == 1:
        return measured[0]
    weights = {at: _weight(columns[at], wanted) for at in measured}
    best = max(weights.values())
    named = [at for at, weight in weights.items() if weight == best]
    return named[0] if best and len(named) == 1 else None


def _weight(name: str, wanted: ParsedQuestion) -> int:
    return len({*wanted.terms, *wanted.years}.intersection(words.terms_of(name, wanted.language)))


def _extreme(rows: Sequence[_Row], cells: Sequence[str], passage: SourceText, wanted: ParsedQuestion) -> list[int]:
    values = _values(cells, decimals_of("\n".join(f"x\t{cell}" for cell in cells), passage.text))
    if values is None:
        return []
    best = max(values) if wanted.extreme is Extreme.MOST else min(values)
    found = [row.start for row, value in zip(rows, values, strict=True) if value == best]
    return found if len(found) <= _MOST_ALIKE else []


def _values(cells: Sequence[str], decimals: Decimals | None) -> list[Decimal] | None:
    """What numbers are worth; None where a mark could mean two things."""
    if decimals is None and any("," in cell or "." in cell for cell in cells):
        return None
    try:
        return [_value(cell, decimals or Decimals.POINT) for cell in cells]
    except InvalidOperation:
        return None


def _value(cell: str, decimals: Decimals) -> Decimal:
    is_negative = cell.strip().startswith(("-", "\u2212", "("))
    kept = "".join(character for character in cell if character.isdigit() or character == decimals)
    value = Decimal(kept.replace(",", "."))
    return -value if is_negative else value


def _last_line(text: str) -> int:
    return text.rstrip("\n").rfind("\n") + 1
