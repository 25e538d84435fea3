"""Dates that follow from another date and a span of time: "three years from 30 June 2026"."""

import calendar
import re
from collections.abc import Sequence
from datetime import date

from intelli.citations.source_views import SourceView
from intelli.language.dates import Day

_MONTHS_A_YEAR = 12
_LONGEST_SPAN = 600
_TIME = re.compile(
    r"[\s-](?:\(\w+\)\s)?(?:\w+\s)?(?:days?|weeks?|months?|years?|Tage?n?|Wochen?|Monate?n?|Jahre?n?)\b", re.IGNORECASE
)


def is_later_date(day: Day, views: Sequence[SourceView]) -> bool:
    """Return whether a date is so many days, weeks, months or years from a date as the same source tells."""
    if day.year is None or day.day is None:
        return False
    for view in views:
        told = (*view.figures.numbers, *view.figures.words)
        spans = {
            int(each.value)
            for each in told
            if 0 < each.value <= _LONGEST_SPAN and each.value % 1 == 0 and _TIME.match(view.text, each.end)
        }
        known = (*view.figures.days, *view.place_figures.days)
        if any(_distances(day, other) & spans for other in known):
            return True
    return False


def _distances(day: Day, other: Day) -> set[int]:
    """How far two dates are apart, in every unit that counts them without a rest."""
    if None in {day.year, day.day, other.year, other.day}:
        return set()
    try:
        one, two = (date(each.year or 1, each.month, each.day or 1) for each in (day, other))
    except ValueError:
        return set()
    days = abs((one - two).days)
    months = abs((one.year - two.year) * _MONTHS_A_YEAR + one.month - two.month)
    is_aligned = abs(one.day - two.day) <= 1 or one.day == calendar.monthrange(one.year, one.month)[1]
    whole = {months, *([months // _MONTHS_A_YEAR] if months % _MONTHS_A_YEAR == 0 else [])} if is_aligned else set()
    return ({days, *([days // 7] if days % 7 == 0 else [])} | whole) - {0}
