"""Find the cell of a source's table that a cell of a text speaks of, by the heads of its row and column."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from intelli.citations.source_views import SourceView, language_of, read_figures
from intelli.language import numbers, words
from intelli.language.quotes import skeleton
from intelli.language.text_tables import CellText, TableText

_LEAST_ALIKE = 0.6
_LEAST_ROW = 0.6


class CellMatch(StrEnum):
    """Whether a table has a value where the heads of its row and column meet."""

    SAME = "same"
    OTHER = "other"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class CellFinding:
    """What a table has for a row and a column: the same value, another one, or nothing that could be told."""

    match: CellMatch
    cell: CellText | None = None
    identifier: str = ""


def find_cell(row: str, column: str, value: str, views: Sequence[SourceView]) -> CellFinding:
    """Return what the tables of sources have where a row and a column meet."""
    other = CellFinding(CellMatch.UNKNOWN)
    for view in views:
        for table in view.tables:
            for cell, is_named in _cells(row, column, table, language_of(view.text)):
                if _is_same(value, cell.text, view.text):
                    return CellFinding(CellMatch.SAME, cell, view.identifier)
                # "Net debt to EBITDA" is not the row "Net debt": only what is named in full can contradict.
                if is_named and other.match is CellMatch.UNKNOWN and _is_comparable(value, cell.text):
                    other = CellFinding(CellMatch.OTHER, cell, view.identifier)
    return other


def _cells(row: str, column: str, table: TableText, language: str) -> Iterator[tuple[CellText, bool]]:
    """The cells at which the heads meet, with rows as rows or as columns, and whether both are named in full."""
    heads = [cell.text for cell in table.head]
    names = [" ".join(cell.text for cell in each[:2]) for each in table.rows]
    for across, down in ((column, row), (row, column)):
        at = _best(across, heads, language, least=_LEAST_ALIKE)
        below = _best(down, names, language, least=_LEAST_ROW)
        if at is not None and below is not None and at < len(table.rows[below]):
            is_named = _has_all(across, heads[at], language) and _has_all(down, names[below], language)
            yield table.rows[below][at], is_named


def _best(name: str, names: Sequence[str], language: str, *, least: float) -> int | None:
    """The one name that is most alike; None when none is, or two are equally."""
    wanted = set(words.terms_of(name, language))
    if not wanted:
        return None
    scores = [_alike(wanted, set(words.terms_of(each, language))) for each in names]
    best = max(scores, default=0.0)
    return scores.index(best) if best >= least and scores.count(best) == 1 else None


def _has_all(name: str, known: str, language: str) -> bool:
    return set(words.terms_of(name, language)) <= set(words.terms_of(known, language))


def _alike(wanted: set[str], known: set[str]) -> float:
    common = len(wanted & known)
    return common / len(wanted) + 0.01 * common / len(known) if known else 0.0


def _is_same(value: str, cell: str, around: str) -> bool:
    if skeleton(value) == skeleton(cell) and skeleton(value):
        return True
    mine, theirs = read_figures(value, around), read_figures(cell, around)
    if mine.days or theirs.days:
        return [(day.year, day.month, day.day) for day in mine.days] == [
            (day.year, day.month, day.day) for day in theirs.days
        ]
    if not mine.numbers or len(mine.numbers) != len(theirs.numbers):
        return False
    return all(numbers.is_same(one, other) for one, other in zip(mine.numbers, theirs.numbers, strict=True))


def _is_comparable(value: str, cell: str) -> bool:
    """Whether both are one figure each, of one unit: then another value is a contradiction."""
    mine, theirs = read_figures(value, cell), read_figures(cell, "")
    if len(mine.numbers) != 1 or len(theirs.numbers) != 1 or mine.days or theirs.days:
        return False
    return (mine.numbers[0].unit == "percent") == (theirs.numbers[0].unit == "percent")
