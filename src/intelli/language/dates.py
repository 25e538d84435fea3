"""Parse dates of texts in any of the usual forms, so that equal days compare equal however they are written."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from intelli.language import languages
from intelli.language.periods import DATED_YEAR as _YEAR

_MONTHS_OF_A_YEAR = 12


def months(*codes: str) -> dict[str, int]:
    """The names of the months in these languages, or in all, with their numbers; January's names come first."""
    known = [languages.languages()[code].months for code in codes or languages.CODES]
    return {name: at + 1 for at in range(_MONTHS_OF_A_YEAR) for rows in known if rows for name in rows[at]}


def month_names(code: str) -> list[str]:
    """The full names of the months in a language, January first."""
    return [names[0] for names in languages.languages()[code].months]


_MONTH_OF = months()
_MONTH = "|".join(sorted(_MONTH_OF, key=len, reverse=True))
_DAY = r"(?:0?[1-9]|[12]\d|3[01])"
_DATE = re.compile(
    rf"(?<![\d.,/-])(?P<iso>(?P<y1>{_YEAR})-(?P<m1>0[1-9]|1[0-2])-(?P<d1>0[1-9]|[12]\d|3[01]))(?!\d)"
    rf"|(?<![\d.,/])(?P<a>\d{{1,2}})(?P<mark>[./])\s?(?P<b>\d{{1,2}})(?P=mark)\s?(?P<y2>{_YEAR})(?!\d)"
    rf"|(?<![\d.,])(?P<d3>{_DAY})(?:st|nd|rd|th|\.)?\s(?:of\s|de\s)?(?P<m3>{_MONTH})\b\.?(?:,?\s(?:de\s)?(?P<y3>{_YEAR})(?!\d))?"
    rf"|\b(?P<m4>{_MONTH})\b\.?\s(?:(?P<d4>{_DAY})(?:st|nd|rd|th)?(?!\d|[.,]\d)(?:,?\s(?P<y4>{_YEAR})(?!\d))?|(?P<y5>{_YEAR})(?!\d))",
    re.IGNORECASE,
)
# Names of months that are words as well: alone they are no date.
_AMBIGUOUS = {"march", "may"}
_ALONE = re.compile(rf"\b(?:{'|'.join(name.capitalize() for name in month_names('en') if name not in _AMBIGUOUS)})\b")


@dataclass(frozen=True, slots=True)
class Day:
    """A date in a text, from `start` to `end`; what it does not tell is None."""

    written: str
    start: int
    end: int
    year: int | None
    month: int
    day: int | None


def dates_of(text: str) -> list[Day]:
    """The dates of a text, in order. A month alone counts where its name means nothing else."""
    found = [_day(match) for match in _DATE.finditer(text)]
    taken = [range(each.start, each.end) for each in found]
    alone = [
        Day(match[0], match.start(), match.end(), None, _MONTH_OF[match[0].lower()], None)
        for match in _ALONE.finditer(text)
        if not any(match.start() in span for span in taken)
    ]
    return sorted([*found, *alone], key=lambda each: each.start)


def find(day: Day, others: Iterable[Day]) -> Day | None:
    """The one of others that is the same date, or a closer one within it."""
    return next((other for other in others if _is_within(other, day)), None)


def _is_within(close: Day, coarse: Day) -> bool:
    if coarse.month != close.month and not _is_swapped(close, coarse):
        return False
    if coarse.year is not None and coarse.year != close.year:
        return False
    return coarse.day is None or coarse.day == close.day or _is_swapped(close, coarse)


def _is_swapped(one: Day, other: Day) -> bool:
    """`3/4/2025` is a day of March or of April: both are meant."""
    return "/" in one.written + other.written and (one.month, one.day) == (other.day, other.month)


def _day(match: re.Match[str]) -> Day:
    where = (match[0], match.start(), match.end())
    if match["iso"]:
        return Day(*where, int(match["y1"]), int(match["m1"]), int(match["d1"]))
    if match["mark"]:
        first, second = int(match["a"]), int(match["b"])
        is_month_first = match["mark"] == "/" and second > 12
        day, month = (second, first) if is_month_first else (first, second)
        return Day(*where, int(match["y2"]), month, day)
    year, number = match["y3"] or match["y4"] or match["y5"], match["d3"] or match["d4"]
    month = _MONTH_OF[(match["m3"] or match["m4"]).lower()]
    return Day(*where, int(year) if year else None, month, int(number) if number else None)
