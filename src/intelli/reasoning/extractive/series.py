"""Series: one figure over several periods, or for several things, where a text really has one."""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from intelli.language import periods, words
from intelli.language.grids import Grid, GridRow, is_number
from intelli.reasoning.extractive import measures
from intelli.reasoning.values import QuotedMetric, QuotedPoint, QuotedSeries

Given = TypeVar("Given")

_LEAST_POINTS = 3
_MOST_POINTS = 24
_MOST_OF_GRID = 2
_YEAR = re.compile(periods.YEAR)
_TOTAL = re.compile(r"\b(?:total|sum|average|mean|insgesamt|summe|gesamt|ensemble)\b", re.IGNORECASE)
_SCALE = re.compile(
    r"\(?\b(?:in|figures in|dollars in|amounts in)?\s*((?:US ?\$|\$|\u20ac|\u00a3|USD|EUR|GBP)?\s?"
    r"(?:thousands?|millions?|billions?|percent|%)"
    r"(?:(?: of)? (?:US )?(?:dollars|euros|pounds|people|tonnes)| (?:US ?\$|\$|\u20ac|\u00a3|USD\b|EUR\b|GBP\b))?)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class SeriesQuery:
    """Terms of a question in its language, and its years."""

    terms: frozenset[str]
    years: frozenset[str]
    language: str

    def weight(self, text: str) -> int:
        """How many of the terms a text has."""
        return len(self.terms.intersection(words.terms_of(text, self.language)))


def wanted_of(question: str) -> SeriesQuery:
    """What a question asks for. A year is in many tables, and says of none that it is meant."""
    language = words.language_of(question)
    terms = frozenset(term for term in words.terms_of(question, language) if not term.isdigit())
    return SeriesQuery(terms, frozenset(_YEAR.findall(question)), language)


def of_measures(found: Sequence[QuotedMetric]) -> list[QuotedSeries]:
    """Measures of one name and unit that several periods have."""
    groups: defaultdict[tuple[str, str], dict[str, QuotedMetric]] = defaultdict(dict)
    for measure in found:
        if measure.period:
            groups[measure.name.lower(), measure.unit.lower()].setdefault(measure.period, measure)
    return [
        QuotedSeries(title=next(iter(group.values())).name, unit=next(iter(group.values())).unit, points=_points(group))
        for group in groups.values()
        if len(group) >= _LEAST_POINTS
    ]


def of_grid(grid: Grid, *, wanted: SeriesQuery, is_meant: bool) -> list[QuotedSeries]:
    """The series of a table: along its columns when these are periods, else down those that are numbers.

    Of a table that `is_meant` as a whole some are given even if no name of theirs is asked for.
    """
    periods = [number for number, column in enumerate(grid.columns) if number and is_period(column)]
    if len(periods) >= _LEAST_POINTS:
        rows = [row for row in grid.rows if row.cells[0] and all(is_number(row.cells[at]) for at in periods)]
        kept = _weightiest(rows, lambda row: row.cells[0], wanted=wanted, is_meant=is_meant)
        return [_along(grid, row, periods) for row in kept]
    columns = [number for number in range(1, len(grid.columns)) if grid.columns[number]]
    found = [series for number in columns if (series := _down(grid, number)) is not None]
    return _weightiest(found, lambda each: each.title, wanted=wanted, is_meant=is_meant)


def _weightiest(
    given: Sequence[Given], name: Callable[[Given], str], *, wanted: SeriesQuery, is_meant: bool
) -> list[Given]:
    """Those that bear most on the question; of equal ones those of a year that is asked for, then the newest."""

    def rank(each: Given) -> tuple[float, bool, tuple[str, str]]:
        newest = max(map(order, measures.periods_of(name(each))), default=("", ""))
        return wanted.weight(name(each)), newest[0] in wanted.years, newest

    ranked = sorted(given, key=rank, reverse=True)[:_MOST_OF_GRID]
    named = [each for each in ranked if wanted.weight(name(each))]
    return named or (ranked if is_meant else [])


def _along(grid: Grid, row: GridRow, periods: Iterable[int]) -> QuotedSeries:
    points = [
        QuotedPoint(
            label=grid.columns[at], value=row.cells[at], identifier=grid.passage.identifier, quote=grid.reach(row)
        )
        for at in sorted(periods, key=lambda at: order(grid.columns[at]))
    ]
    unit = _unit(row.cells[0], row.cells[1], around=(grid.title, *grid.columns))
    return QuotedSeries(title=row.cells[0], unit=unit, points=tuple(points[-_MOST_POINTS:]))


def _down(grid: Grid, column: int) -> QuotedSeries | None:
    """A column of numbers: over periods when all labels are periods, else over the things that the rows name."""
    rows = [row for row in grid.rows if row.cells[0] and is_number(row.cells[column])]
    are_periods = all(is_period(row.cells[0]) for row in rows)
    rows = sorted(rows, key=lambda row: order(row.cells[0]))[-_MOST_POINTS:] if are_periods else rows
    rows = [row for row in rows if not is_total(row.cells[0])]
    labels = {row.cells[0] for row in rows}
    if not _LEAST_POINTS <= len(rows) <= _MOST_POINTS or len(labels) < len(rows):
        return None
    if not are_periods and len(rows) < len(grid.rows) / 2:
        return None
    points = tuple(
        QuotedPoint(label=row.cells[0], value=row.cells[column], identifier=grid.passage.identifier, quote=row.quote)
        for row in rows
    )
    # Where columns tell their units, each tells its own: none is that of another, nor of the whole table.
    around = () if any(map(_SCALE.search, grid.columns)) else (grid.title,)
    unit = _unit(grid.columns[column], rows[0].cells[column], around=around)
    return QuotedSeries(title=grid.columns[column], unit=unit, points=points)


def _points(group: dict[str, QuotedMetric]) -> tuple[QuotedPoint, ...]:
    ordered = sorted(group.items(), key=lambda pair: order(pair[0]))
    return tuple(
        QuotedPoint(label=period, value=measure.value, identifier=measure.identifier, quote=measure.quote)
        for period, measure in ordered[-_MOST_POINTS:]
    )


def is_period(label: str) -> bool:
    """Whether a label is a period and hardly anything else."""
    found = measures.periods_of(label)
    return bool(found) and len("".join(found)) * 2 > len(label.replace(" ", ""))


def is_total(label: str) -> bool:
    """Whether a row sums up the others."""
    return _TOTAL.search(label) is not None


def order(label: str) -> tuple[str, str]:
    """How periods follow each other: by the year, then as they are written, so that quarters are in their order."""
    year = _YEAR.search(label)
    return (year.group() if year else label, label)


def _unit(*said: str, around: Sequence[str]) -> str:
    """The unit that a name or a value has, or else what stands around them: dollars may be so many thousands."""
    marks = [mark for mark in "%$\u20ac\u00a3\u00a5" if any(mark in text for text in said)]
    return _scale(said) or ("%" if "%" in marks else "") or _scale(around) or next(iter(marks), "")


def _scale(texts: Iterable[str]) -> str:
    return next((match[1].strip() for text in texts if (match := _SCALE.search(text))), "")
