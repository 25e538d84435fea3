"""The number ledger: every figure of a text with the place it was read from, or the calculation that gives it.

A figure is in a cited passage, in its place (title, date, headings, head of the table), or it follows from figures that
are: then the calculation is kept with its operands. What only numbers a section, a clause or an item is no figure.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cache

from intelli.citations import calculations
from intelli.citations.calculations import Operand
from intelli.citations.date_distances import is_later_date
from intelli.citations.source_views import FigureTexts, SourceView, read_figures, years_of
from intelli.language import dates, numbering, numbers, periods
from intelli.language.dates import Day
from intelli.language.languages import languages
from intelli.language.numbers import Number

_ABOUT = re.compile(
    r"(?:\b(?:about|around|approximately|approx\.?|roughly|nearly|almost|some|circa|ca\.?|over|more than|less than|"
    r"just|under|up to|rund|etwa|ungef\u00e4hr|knapp|gut|fast|\u00fcber|mehr als|environ|pr\u00e8s de|unos|casi|"
    r"cerca de|quasi)\s+(?:\w+\s+)?|[~\u2248]\s?)$",
    re.IGNORECASE,
)
# Words by which a passage tells of the year before the one it is of.
_YEAR_BEFORE = re.compile(
    r"\b(?:previous|prior|preceding|last|next|following|coming|current) (?:financial |fiscal )?year|"
    r"years? (?:earlier|ago|later)|year-on-year|"
    r"Vorjahr\w*|vorangegangen\w*|Folgejahr\w*|laufende\w{0,2} Jahr|Berichtsjahr\w*|n\u00e4chste[ns]? Jahr",
    re.IGNORECASE,
)
_SIGNIFICANT = 2
_LONGEST_ABOUT = 60


@dataclass(frozen=True, slots=True)
class FigureReading:
    """Where a figure was read."""

    ordinal: int
    written: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class FigureEntry:
    """A figure of a text. It was `read`, it is the result of a `calculation`, or neither: then nothing supports it.

    `is_open` says that the sources can neither have it nor lack it: a year, where they tell of none.
    """

    written: str
    start: int
    end: int
    read: tuple[FigureReading, ...]
    calculation: str = ""
    is_open: bool = False
    is_placed: bool = False

    @property
    def is_found(self) -> bool:
        """True when the sources have it or give it."""
        return bool(self.read) or self.is_placed


@dataclass(frozen=True, slots=True)
class CitedView:
    """A cited passage, and the ordinal of the citation that names it."""

    ordinal: int
    view: SourceView


def entries_of(statement: str, cited: Sequence[CitedView], beside: Sequence[Sequence[str]] = ()) -> list[FigureEntry]:
    """Return every figure and date of a statement with where each of them is from.

    `beside` are the columns of the text's own table above the statement, of which a total may be the sum.
    """
    figures = read_figures(statement, "")
    skipped = numbering.numbered_places(statement)
    found = [_dated(day, cited) for day in figures.days]
    known: list[Operand] = []
    missing: list[Number] = []
    for number in figures.numbers:
        if number.start in skipped:
            continue
        entry = _read(statement, number, cited)
        if entry is None:
            missing.append(number)
            continue
        found.append(entry)
        known += [Operand(number, each) for each in entry.read[:1]]
    for number in missing:
        entry = _totalled(number, beside) or _calculated(statement, number, cited, known)
        found.append(entry)
        # What was calculated may be part of the next calculation.
        known += [Operand(number, None)] * entry.is_found
    return sorted(found, key=lambda entry: entry.start)


def find_reading(number: Number, cited: Sequence[CitedView]) -> FigureReading | None:
    """Return where a source has a number; None when none has it."""
    for each in cited:
        same = _same(number, each.view.figures, is_about=False) or _scaled(number, each.view)
        if same is not None:
            return _reading(each, same)
    return None


def _totalled(number: Number, columns: Sequence[Sequence[str]]) -> FigureEntry | None:
    made = next(filter(None, (calculations.sum_of_column(number, column) for column in columns)), None)
    return FigureEntry(number.written, number.start, number.end, (), made.formula, is_placed=True) if made else None


def _dated(day: Day, cited: Sequence[CitedView]) -> FigureEntry:
    where = (day.written, day.start, day.end)
    for each in cited:
        same = dates.find(day, each.view.figures.days)
        if same is not None:
            return FigureEntry(*where, (_reading(each, same),))
    if any(dates.find(day, each.view.place_figures.days) is not None for each in cited):
        return FigureEntry(*where, (), is_placed=True)
    if _is_split(day, cited) or is_later_date(day, [each.view for each in cited]):
        return FigureEntry(*where, (), is_placed=True)
    return FigureEntry(*where, ())


def _is_split(day: Day, cited: Sequence[CitedView]) -> bool:
    """Whether day and month stand in a source without the year, and the year in it or its place."""
    if day.year is None:
        return False
    bare = Day(day.written, day.start, day.end, None, day.month, day.day)
    for each in cited:
        days = [*each.view.figures.days, *each.view.place_figures.days]
        is_there = any(found.year is None and dates.find(bare, [found]) is not None for found in days)
        is_named = day.day is None and (
            _month_name(day.month).search(each.view.said) is not None or f"{day.year}-{day.month:02}" in each.view.said
        )
        is_counted = f"{day.year}-{day.month:02}" in each.view.said or any(
            found.year == day.year and found.month == day.month and found.day is None for found in days
        )
        is_cell = is_counted and any(number.value == day.day for number in each.view.figures.numbers)
        if is_cell or ((is_there or is_named) and day.year in _years(each.view)):
            return True
    return False


@cache
def _month_name(month: int) -> re.Pattern[str]:
    """The names of a month, in every language, and its short forms: a table has "Mar" where a text has "March"."""
    names = {name for language in languages().values() for name in (language.months or ((),) * 12)[month - 1]}
    return re.compile(rf"\b(?:{'|'.join(sorted(map(re.escape, names), key=len, reverse=True))})\b", re.IGNORECASE)


def _read(statement: str, number: Number, cited: Sequence[CitedView]) -> FigureEntry | None:
    """The entry of a number that the sources or their places have; None when they have not."""
    where = (number.written, number.start, number.end)
    is_about = _ABOUT.search(statement[max(number.start - _LONGEST_ABOUT, 0) : number.start]) is not None
    for each in cited:
        same = _same(number, each.view.figures, is_about=is_about)
        if same is not None:
            return FigureEntry(*where, (_reading(each, same),))
    if _is_year(number):
        return _year(number, cited)
    if any(_same(number, each.view.place_figures, is_about=is_about) for each in cited):
        return FigureEntry(*where, (), is_placed=True)
    for each in cited:
        cell = _scaled(number, each.view)
        if cell is not None:
            return FigureEntry(*where, (_reading(each, cell),))
    digits = number.written.strip()
    literal = re.compile(rf"(?<![\d.,]){re.escape(digits)}(?![\d]|[.,]\d)")
    for each in cited:
        match = literal.search(each.view.text)
        # Digits that the source reads as another number are no reading of this one.
        if match is not None and match.start() not in {other.start for other in each.view.figures.numbers}:
            reading = FigureReading(
                each.ordinal, match[0], each.view.start + match.start(), each.view.start + match.end()
            )
            return FigureEntry(*where, (reading,))
    return None


def _year(number: Number, cited: Sequence[CitedView]) -> FigureEntry | None:
    where = (number.written, number.start, number.end)
    year = int(number.value)
    known = [_years(each.view) for each in cited]
    if any(year in years for years in known):
        return FigureEntry(*where, (), is_placed=True)
    if not any(known):
        return FigureEntry(*where, (), is_open=True)
    near = any(
        abs(year - other) == 1 and _YEAR_BEFORE.search(each.view.text)
        for each, years in zip(cited, known, strict=True)
        for other in years
    )
    return FigureEntry(*where, (), is_open=True) if near else None


def _years(view: SourceView) -> frozenset[int]:
    return years_of(view.said)


def _same(number: Number, figures: FigureTexts, *, is_about: bool) -> Number | None:
    parts = (
        Number(day.written, day.start, day.end, Decimal(worth), None, "")
        for day in figures.days
        for worth in (day.year, day.day)
        if worth is not None
    )
    for other in (*figures.numbers, *figures.words, *parts):
        if _is_same(number, other):
            return other
    return next((other for other in figures.numbers if _is_rounded(number, other, is_about=is_about)), None)


def _scaled(number: Number, view: SourceView) -> Number | None:
    """A figure of a table whose head tells the scale: "405" under "Meters (thousand)" is 405,000."""
    if not view.tables:
        return None
    return next(
        (
            other
            for other in view.figures.numbers
            for scale in view.scales
            if other.scale is None and abs(other.value.scaleb(scale)) == abs(number.worth)
        ),
        None,
    )


def _is_same(one: Number, other: Number) -> bool:
    """Whether two numbers are worth the same; a fall of 5 is one of minus 5."""
    if numbers.is_same(one, other):
        return True
    if one.value < 0 or other.value < 0:
        return numbers.is_same(_positive(one), _positive(other))
    return False


def _positive(number: Number) -> Number:
    by_comma = abs(number.by_comma) if number.by_comma is not None else None
    return replace(number, value=abs(number.value), by_comma=by_comma)


def _is_rounded(number: Number, other: Number, *, is_about: bool) -> bool:
    """Whether one is the other with fewer digits."""
    if number.unit and other.unit and number.unit != other.unit:
        return False
    worth, exact = abs(number.worth), abs(other.worth)
    if other.scale is None and number.scale is not None:
        exact = min((exact.scaleb(scale) for scale in (0, 3, 6, 9)), key=lambda each: abs(each - worth))
    step = number.step
    if is_about:
        while worth and worth % (step * 10) == 0:
            step *= 10
    digits = len(str(worth.scaleb(-step.adjusted()).to_integral_value())) if worth else 0
    if not worth or worth == exact or (digits < _SIGNIFICANT and not is_about):
        return False
    return abs(worth - exact) * 2 <= step and exact.normalize().adjusted() >= worth.normalize().adjusted() - 1


def _is_year(number: Number) -> bool:
    return number.scale is None and not number.unit and periods.is_year(number.value) and number.written.isdigit()


def _calculated(statement: str, number: Number, cited: Sequence[CitedView], known: Sequence[Operand]) -> FigureEntry:
    where = (number.written, number.start, number.end)
    made = calculations.find_calculation(statement, number, [each.view for each in cited], known)
    if made is None:
        return FigureEntry(*where, ())
    by_view = {each.view.identifier: each for each in cited}
    read = []
    for operand in made.operands:
        if isinstance(operand.origin, SourceView):
            read.append(_reading(by_view[operand.origin.identifier], operand.number))
        elif isinstance(operand.origin, FigureReading):
            read.append(operand.origin)
    return FigureEntry(*where, tuple(dict.fromkeys(read)), made.formula, is_placed=not read)


def _reading(cited: CitedView, found: Number | Day) -> FigureReading:
    start = cited.view.start
    return FigureReading(cited.ordinal, found.written, start + found.start, start + found.end)
