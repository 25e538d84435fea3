"""Values of cells: "(1,234.5)" is a number, "14.03.2025" a date, "6.9 %" a number with its unit."""

import re
from collections.abc import Iterable
from datetime import date
from decimal import Decimal, InvalidOperation
from functools import lru_cache

from intelli.language import dates, numbers, periods, units
from intelli.language.notation import Decimals
from intelli.library.structure.document_table import ColumnType, ColumnUnit, Value

_MINUS = "-\u2010\u2011\u2012\u2013\u2212"
_SIGNS = units.MONEY_SIGNS + "%\u2030"
# Digits with their separators and nothing else but signs: what nearly all cells of figures are.
_FIGURE = re.compile(
    rf"(?P<open>\()?(?P<minus>[{_MINUS}+])?(?P<money>[{units.MONEY_SIGNS}])? ?(?P<minus2>[{_MINUS}])?"
    r"(?P<digits>\d[\d.,'\u2019\u00a0\u202f]*)(?P<close>\))? ?(?P<sign>[%\u2030\u20ac$\u00a3\u00a5])?(?P<close2>\))?"
    r"(?:\*{1,3}|\u2020|[\u00b9\u00b2\u00b3])?"
)
_GROUPED_BY_SPACE = re.compile(r"(?<=\d)[ \u2009](?=\d{3}(?!\d))")
_EXPONENT = re.compile(r"[+-]?\d+(?:\.\d+)?[eE][+-]?\d{1,3}")
_LONGEST = 40
_SHORTEST_DATE = 6
_GROUP = 3
_YEAR_DIGITS = 2
_YEARS = range(1900, 2101)
_MISSING = frozenset(
    {"", "-", "\u2013", "\u2014", "n/a", "n.a.", "na", "k.a.", "nil", "...", "\u2026", "#n/a", "null", "x"}
)


def is_missing(text: str) -> bool:
    """Return whether a cell says that there is no value."""
    return text in _MISSING or text.casefold() in _MISSING


def number_of(text: str, decimals: Decimals | None) -> tuple[Decimal, ColumnUnit | None] | None:
    """Return the number that a cell holds and the unit it tells; None when it holds other words."""
    if not text or len(text) > _LONGEST:
        return None
    bare = _GROUPED_BY_SPACE.sub("", text.strip())
    found = _FIGURE.fullmatch(bare)
    if found is None:
        return _scientific(bare) or _worded(bare, decimals)
    value = _plain_value(found["digits"].rstrip(".,'\u2019\u00a0\u202f"), decimals)
    if value is None:
        return None
    is_bracketed = bool(found["open"]) and bool(found["close"] or found["close2"])
    is_negative = is_bracketed or any(found[name] in set(_MINUS) for name in ("minus", "minus2") if found[name])
    sign = found["money"] or found["sign"]
    unit = ColumnUnit(units.unit_of(sign), 0, sign) if sign else None
    return (-value if is_negative else value), unit


def _plain_value(digits: str, decimals: Decimals | None) -> Decimal | None:
    head, mark, tail = digits.partition(".")
    # What can be read in one way only is most of all figures, and needs no rule.
    if head.isdecimal() and (not mark or (tail.isdecimal() and len(tail) != _GROUP)):
        return Decimal(digits)
    try:
        return numbers.value_of(digits, decimals or Decimals.POINT)
    except InvalidOperation:
        return None


def _scientific(text: str) -> tuple[Decimal, None] | None:
    return (Decimal(text), None) if _EXPONENT.fullmatch(text) else None


def _worded(text: str, decimals: Decimals | None) -> tuple[Decimal, ColumnUnit | None] | None:
    """Read "EUR 1.2 million" and "5 km": a number with nothing beside it but a unit."""
    is_name = text[0].isalpha() and " " not in text
    if is_name or not any(map(str.isdigit, text)) or date_of(text) is not None:
        return None
    found = numbers.numbers_of(text)
    if len(found) != 1:
        return None
    number = found[0]
    around = (text[: number.start] + text[number.end :]).strip(" ()")
    if len(around.split()) > 1 or any(map(str.isdigit, around)) or (around and not number.unit and number.start > 0):
        return None
    if around and number.start > 0 and number.value in _YEARS:
        return None  # a name: "Occupancy 2023 %"
    has_unit = number.unit or number.scale or (around and number.start == 0)
    unit = ColumnUnit(number.unit or around.casefold(), number.scale or 0, text[number.end :].strip() or around)
    value = number.value
    if decimals is Decimals.COMMA and number.by_comma is not None:
        value = number.by_comma
    return value, unit if has_unit else None


def date_of(text: str) -> date | None:
    """Return the day that a cell holds and nothing else."""
    if not _may_be_date(text):
        return None
    if text[4:5] == "-" and text[10:11] in {"", " ", "T"}:
        return _iso_date(text[:10])
    found = dates.dates_of(text)
    if len(found) != 1 or found[0].year is None or found[0].day is None or _is_among_words(found[0], text):
        return None
    try:
        return date(found[0].year, found[0].month, found[0].day)
    except ValueError:
        return None


def _iso_date(text: str) -> date | None:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None


def _may_be_date(text: str) -> bool:
    has_marks = any(map(str.isalpha, text)) or any(text.count(mark) == 2 for mark in "./-")
    return _SHORTEST_DATE <= len(text) <= _LONGEST and has_marks


def _is_among_words(day: dates.Day, text: str) -> bool:
    return len(text.strip(" .,")) - (day.end - day.start) > 1


def is_period(text: str) -> bool:
    """Return whether a cell names a year or a part of one, and nothing else."""
    if text.isdecimal():
        return len(text) == 4 and int(text) in _YEARS
    if len(text) > _LONGEST or sum(map(str.isdigit, text)) < _YEAR_DIGITS or text.replace(".", "").isdecimal():
        return False
    return _is_named_period(text)


@lru_cache(maxsize=4096)
def _is_named_period(text: str) -> bool:
    found = periods.periods_of(text)
    return len(found) == 1 and len(text) - (found[0].end - found[0].start) <= 2


def type_of(texts: Iterable[str], decimals: Decimals | None) -> ColumnType:
    """Return what most of some cells hold."""
    counts = dict.fromkeys(ColumnType, 0)
    filled = 0
    for text in texts:
        if is_missing(text):
            continue
        filled += 1
        if is_period(text):
            counts[ColumnType.PERIOD] += 1
        elif date_of(text) is not None:
            counts[ColumnType.DATE] += 1
        elif number_of(text, decimals) is not None:
            counts[ColumnType.NUMBER] += 1
    figures = counts[ColumnType.NUMBER] + counts[ColumnType.PERIOD]
    # Among numbers that are no years, one that looks like a year is a number too.
    if counts[ColumnType.NUMBER] and figures >= 0.7 * filled:
        return ColumnType.NUMBER
    most = max((ColumnType.PERIOD, ColumnType.DATE), key=lambda kind: counts[kind])
    return most if filled and counts[most] >= 0.7 * filled else ColumnType.TEXT


def value_of(text: str, kind: ColumnType, decimals: Decimals | None) -> tuple[Value, ColumnUnit | None]:
    """Return the value of a cell in a column of this type, and the unit that the cell itself tells."""
    if is_missing(text):
        return None, None
    if kind is ColumnType.NUMBER:
        found = number_of(text, decimals)
        return found if found is not None else (None, None)
    if kind is ColumnType.DATE:
        return date_of(text), None
    return text, None
