"""Disagreements that sources prove: the same thing, measure and period with another figure, and totals that are wrong.

Nothing is guessed from likeness. Compared are cells of tables whose row and column are called alike and tell their
period, and sentences that differ in one figure alone and tell the same date. A later issue of the same document
replaces the earlier one, so the two never disagree; nor do a forecast and an actual, which are called differently.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import combinations

from intelli.language import dates, numbers, periods, sentences, text_tables, words
from intelli.language.numbers import Number
from intelli.language.text_tables import TableText
from intelli.reasoning.values import SourceDisagreement, SourceText, SourceValue

_LEAST_TERMS = 4
_LEAST_SUMMED = 3
_MOST = 5
_MOST_COMPARED = 400
# Figures by which two tables of one form are known to be of different things.
_LEAST_ALIKE = 3
_TOTAL = re.compile(r"^(?:sub-?)?(?:total|sum|gesamt|summe|insgesamt)\b", re.IGNORECASE)
_DIGITS = re.compile(r"\d+")
# What makes of a document one that does not hold, or holds no longer.
_NOT_IN_FORCE = re.compile(
    r"\b(?:draft|superseded|withdrawn|cancelled|repealed|replaced|amend\w*|restated|entwurf|ersetzt|aufgehoben|nachtrag|"
    r"\u00e4nderung\w*)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class _Told:
    """A figure that a source tells: what it is a figure of, with its period, and the figure."""

    about: frozenset[str]
    name: str
    figure: Number
    source: SourceText


def disagreements_of(passages: Sequence[SourceText]) -> tuple[SourceDisagreement, ...]:
    """Return what the passages prove to disagree on, each once."""
    in_force = [each for each in passages if not _NOT_IN_FORCE.search(f"{each.title} {each.section or ''}")]
    cells = [each for passage in in_force for each in _cells(passage)]
    told = [*(each for each in cells if not _is_of_family(each, cells)), *(t for p in in_force for t in _sentences(p))]
    found: dict[frozenset[str], SourceDisagreement] = {}
    for one, other in combinations(told[:_MOST_COMPARED], 2):
        if one.about == other.about and _are_apart(one, other) and _differ(one.figure, other.figure):
            found.setdefault(one.about, _disagreement(one, other))
    return (*found.values(), *(each for passage in in_force for each in _wrong_totals(passage)))[:_MOST]


def _is_of_family(cell: _Told, cells: Sequence[_Told]) -> bool:
    """Whether the table of a cell is one of several of one form on different things: most of their figures differ."""
    mine = {each.about: each for each in cells if each.source.identifier == cell.source.identifier}
    others = defaultdict[str, list[bool]](list)
    for each in cells:
        if each.source.identifier != cell.source.identifier and each.about in mine:
            others[each.source.identifier].append(_differ(mine[each.about].figure, each.figure))
    return any(len(differ) >= _LEAST_ALIKE and sum(differ) * 2 > len(differ) for differ in others.values())


def _are_apart(one: _Told, other: _Told) -> bool:
    """Whether two sources are two documents, and not two issues of one: "report-2023" and "report-2024"."""
    names = [_DIGITS.sub("", each.source.title.casefold()) for each in (one, other)]
    bytes_of = [each.source.identifier.partition(".")[0] for each in (one, other)]
    return bytes_of[0] != bytes_of[1] and names[0] != names[1]


def _differ(one: Number, other: Number) -> bool:
    return one.unit == other.unit and one.scale == other.scale and not numbers.is_same(one, other)


def _disagreement(one: _Told, other: _Told) -> SourceDisagreement:
    readings = tuple(SourceValue(value=each.figure.written, identifier=each.source.identifier) for each in (one, other))
    return SourceDisagreement(about=one.name, readings=readings)


def _cells(passage: SourceText) -> Iterator[_Told]:
    """The figures of tables whose row or column tells the period."""
    for table in text_tables.find_tables(passage.text):
        heads = [cell.text for cell in table.head]
        for row in table.rows:
            for at, cell in enumerate(row[1:], start=1):
                name = f"{row[0].text} {heads[at] if at < len(heads) else ''}".strip()
                figure = _single(cell.text, passage.text)
                if figure is not None and periods.years_of(name) and at < len(heads):
                    yield _Told(_terms(name), name, figure, passage)


def _sentences(passage: SourceText) -> Iterator[_Told]:
    """The sentences with one figure that tell a date or a year."""
    for span in sentences.split(passage.text):
        said = " ".join(passage.text[span.start : span.end].split())
        days = dates.dates_of(said)
        if (not days and not periods.years_of(said)) or "|" in said:
            continue
        taken = {at for day in days for at in range(day.start, day.end)}
        figures = [
            each
            for each in numbers.numbers_of(said, passage.text)
            if each.start not in taken and (each.unit or each.scale is not None or not periods.is_year(each.value))
        ]
        if len(figures) == 1:
            rest = said[: figures[0].start] + said[figures[0].end :]
            about = _terms(rest)
            if len(about) >= _LEAST_TERMS:
                yield _Told(about, said[: figures[0].start].strip(" ,") or said, figures[0], passage)


def _single(cell: str, around: str) -> Number | None:
    found = numbers.numbers_of(cell, around)
    return found[0] if len(found) == 1 and not dates.dates_of(cell) else None


def _terms(text: str) -> frozenset[str]:
    return frozenset(words.terms_of(text, words.language_of(text)))


def _wrong_totals(passage: SourceText) -> Iterator[SourceDisagreement]:
    """Tables whose total is not the sum of their rows."""
    for table in text_tables.find_tables(passage.text):
        total = next((row for row in table.rows if row and _TOTAL.match(row[0].text)), None)
        rows = [row for row in table.rows if row is not total]
        # A second total, or a row below it, makes the sum another one.
        if total is None or total is not table.rows[-1] or any(_TOTAL.match(row[0].text) for row in rows):
            continue
        # In one with cells left out, it is not known which column a cell is of.
        if len(total) != len(table.head):
            continue
        yield from _wrong_columns(passage, table, total)


def _wrong_columns(
    passage: SourceText, table: TableText, total: Sequence[text_tables.CellText]
) -> Iterator[SourceDisagreement]:
    for at, cell in enumerate(total[1:], start=1):
        told = _single(cell.text, passage.text)
        column = [_single(row[at].text, passage.text) for row in table.rows[:-1] if at < len(row) and row[at].text]
        figures = [each for each in column if each is not None]
        if told is None or len(figures) < _LEAST_SUMMED or len(figures) < len(column) or not _is_summed(figures, told):
            continue
        summed = sum((each.worth for each in figures), Decimal(0))
        if abs(summed - told.worth) > told.step * len(figures) / 2:
            head = table.head[at].text if at < len(table.head) else ""
            yield SourceDisagreement(
                about=f"{total[0].text} {head}".strip(),
                readings=(
                    SourceValue(value=told.written, identifier=passage.identifier),
                    SourceValue(value=f"{summed.normalize():f}", identifier=passage.identifier),
                ),
            )


def _is_summed(figures: Iterable[Number], total: Number) -> bool:
    """Whether a total can be a sum: an average or a rate in percent is none, unless the rows are shares of a whole."""
    largest = max((each.worth for each in figures), default=Decimal(0))
    return total.worth > largest and "%" not in total.written
