"""The number ledger: every figure of a text with the place it was read from, or the calculation that yields it.

A calculation counts only where the text says that it made one: "in total", "rose by", "times". It is a sum, a
difference, a ratio or a change in percent of figures from the quotes, rounded as the text writes it.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from itertools import combinations, permutations

from intelli.citations import dates, numbers
from intelli.citations.dates import Day
from intelli.citations.numbers import Number

# More figures than these are a table, of which something always fits.
_MOST_TERMS = 6
_MOST_SUMMED = 4
_ABOUT = re.compile(
    r"(?:\b(?:about|around|approximately|approx\.?|roughly|nearly|almost|some|circa|ca\.?|over|more than|less than|"
    r"under|up to|rund|etwa|ungef\u00e4hr|knapp|fast|\u00fcber|mehr als|environ|pr\u00e8s de|unos|casi|cerca de|quasi)"
    r"\s+(?:\w+\s+)?|[~\u2248]\s?)$",
    re.IGNORECASE,
)
_SUM = re.compile(
    r"\b(?:totals?|totalling|totaling|sum|together|combined|altogether|aggregate|insgesamt|zusammen|summe|gesamt\w*|"
    r"ensemble|suma)\b",
    re.IGNORECASE,
)
_DIFFERENCE = re.compile(
    r"\b(?:by|difference|more|less|fewer|higher|lower|increas\w*|decreas\w*|rise|rose|risen|fell|fall\w*|drop\w*|grew|"
    r"grow\w*|gain\w*|declin\w*|up|down|gap|um|mehr|weniger|stieg|sank|differenz|unterschied|hausse|baisse|aument\w*|"
    r"diferencia)\b",
    re.IGNORECASE,
)
_RATIO = re.compile(
    r"\b(?:times|ratio|fold|per|factor|double\w*|triple\w*|half|each|average|mal|pro|verh\u00e4ltnis|durchschnitt\w*|"
    r"fois|veces)\b|\bx\b|-fold",
    re.IGNORECASE,
)
_SHARE = re.compile(
    r"\b(?:of|share|portion|account\w*|represent\w*|margin|rate|der|des|anteil|quote|du|de)\b", re.IGNORECASE
)
_YEARS = range(1500, 2101)
_PERCENT = {"percent", "per mille"}
# What a result may be off by beside rounding: a small whole number would fit too much.
_TOLERANCE = Decimal("0.05")


@dataclass(frozen=True, slots=True)
class QuotedFigures:
    """A quote in which figures are looked for: of which citation, where its text begins, and what it stands in."""

    ordinal: int
    text: str
    start: int
    around: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class FigureReading:
    """Where a figure was read."""

    ordinal: int
    written: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class FigureEntry:
    """A figure of a text. It was `read`, it is the result of a `calculation`, or neither: then nothing supports it."""

    written: str
    start: int
    end: int
    read: tuple[FigureReading, ...]
    calculation: str = ""

    @property
    def is_found(self) -> bool:
        """True when the sources have it or give it."""
        return bool(self.read)


def entries_of(statement: str, quotes: Sequence[QuotedFigures]) -> list[FigureEntry]:
    """Every figure and date of a statement, with where each of them is from."""
    days = dates.dates_of(statement)
    sources = [_Source(quote) for quote in quotes]
    found = [_dated(day, sources) for day in days]
    found += [_entry(statement, number, sources) for number in _undated(numbers.numbers_of(statement), days)]
    return sorted(found, key=lambda entry: entry.start)


class _Source:
    """The figures of a quote."""

    def __init__(self, quote: QuotedFigures) -> None:
        self._quote = quote
        self.days = dates.dates_of(quote.text)
        self.numbers = _undated(numbers.numbers_of(quote.text, *quote.around), self.days)
        parts = [_part(day, worth) for day in self.days for worth in (day.year, day.day) if worth is not None]
        self.all = [*self.numbers, *parts, *numbers.words_of(quote.text)]

    def read(self, number: Number | Day) -> FigureReading:
        """Where one of them stands."""
        start = self._quote.start
        return FigureReading(self._quote.ordinal, number.written, start + number.start, start + number.end)


def _part(day: Day, worth: int) -> Number:
    return Number(day.written, day.start, day.end, Decimal(worth), None, "")


def _undated(found: Sequence[Number], days: Sequence[Day]) -> list[Number]:
    """The numbers that are no part of a date."""
    taken = {at for day in days for at in range(day.start, day.end)}
    return [number for number in found if number.start not in taken]


def _dated(day: Day, sources: Sequence[_Source]) -> FigureEntry:
    for source in sources:
        same = dates.find(day, source.days)
        if same is not None:
            return FigureEntry(day.written, day.start, day.end, (source.read(same),))
    return FigureEntry(day.written, day.start, day.end, ())


def _entry(statement: str, number: Number, sources: Sequence[_Source]) -> FigureEntry:
    where = (number.written, number.start, number.end)
    for source in sources:
        same = numbers.find(number, source.all) or _rounded(statement, number, source.numbers)
        if same is not None:
            return FigureEntry(*where, (source.read(same),))
    for terms, formula in _calculations(statement, number, sources):
        return FigureEntry(*where, tuple(source.read(term) for source, term in terms), formula)
    return FigureEntry(*where, ())


def _rounded(statement: str, number: Number, others: Iterable[Number]) -> Number | None:
    """A figure that the text says it only gives roughly."""
    if not _ABOUT.search(statement[: number.start]):
        return None
    return next((other for other in others if _is_close(number, other)), None)


def _is_close(number: Number, other: Number) -> bool:
    """Whether one is the other with fewer digits: within half a step of the last digit that is not a trailing zero."""
    if number.unit != other.unit or not number.worth:
        return False
    step = number.step
    while number.worth % (step * 10) == 0:
        step *= 10
    return abs(number.worth - other.worth) * 2 <= step


_Terms = tuple[tuple[_Source, Number], ...]


def _calculations(statement: str, number: Number, sources: Sequence[_Source]) -> Iterator[tuple[_Terms, str]]:
    """Calculations that the statement says it made, and that give the number."""
    terms = [(source, each) for source in sources for each in source.numbers if not _is_year(each)]
    if len(terms) > _MOST_TERMS:
        return
    for chosen, result, formula in _results(statement, number, terms):
        if _gives(number, result):
            yield chosen, formula


_Result = tuple[_Terms, Decimal, str]


def _results(statement: str, number: Number, terms: Sequence[tuple[_Source, Number]]) -> Iterator[_Result]:
    """Yield every calculation that the statement's words allow: its terms, its result and its formula."""
    is_percent = number.unit in _PERCENT
    if _SUM.search(statement) and not is_percent:
        yield from _sums(terms)
    for one, other in permutations(terms, 2):
        a, b = one[1], other[1]
        if a.unit and b.unit and a.unit != b.unit:
            continue
        if _DIFFERENCE.search(statement) and (not is_percent or a.unit == b.unit == number.unit):
            yield (one, other), a.worth - b.worth, _formula(" \u2212 ", (one, other))
        if b.worth == 0 or _PERCENT & {a.unit, b.unit}:
            continue
        yield from _quotients(statement, (one, other), is_percent=is_percent)


def _sums(terms: Sequence[tuple[_Source, Number]]) -> Iterator[_Result]:
    for count in range(2, _MOST_SUMMED + 1):
        for chosen in combinations(terms, count):
            yield chosen, sum((term.worth for _, term in chosen), Decimal(0)), _formula(" + ", chosen)


def _quotients(
    statement: str, pair: tuple[tuple[_Source, Number], tuple[_Source, Number]], *, is_percent: bool
) -> Iterator[_Result]:
    """Yield the change in percent, the share and the ratio of two figures, the second of which is not zero."""
    a, b = pair[0][1], pair[1][1]
    if is_percent and _DIFFERENCE.search(statement):
        change = f"({a.written} \u2212 {b.written}) / {b.written} \u00d7 100"
        yield pair, (a.worth - b.worth) / b.worth * 100, change
    if is_percent and _SHARE.search(statement):
        yield pair, a.worth / b.worth * 100, f"{a.written} / {b.written} \u00d7 100"
    if not is_percent and _RATIO.search(statement):
        yield pair, a.worth / b.worth, _formula(" / ", pair)


def _is_year(number: Number) -> bool:
    """Years are no quantities: the difference of two is in every text."""
    return number.scale is None and not number.unit and number.value in _YEARS


def _formula(sign: str, terms: Sequence[tuple[_Source, Number]]) -> str:
    return sign.join(term.written for _, term in terms)


def _gives(number: Number, result: Decimal) -> bool:
    """Whether a result is the number as it is written; a fall of 5 percent is one of minus 5."""
    try:
        off = abs(abs(result) - abs(number.worth))
        return result != 0 and (off == 0 or (off * 2 < number.step and off < _TOLERANCE * abs(number.worth)))
    except InvalidOperation:
        return False
