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
    return any(is_counted_date(day, [view]) for view in views)


def is_counted_date(day: Day, views: Sequence[SourceView]) -> bool:
    """Return whether a date is so far from one that any of the sources tells as any of them says.

    Among several sources many distances fit, so somebody else has to say that this is the one.
    """
    if day.year is None:
        return False
    spans = {span for view in views for span in _spans(view)}
    known = [other for view in views for other in (*view.figures.days, *view.place_figures.days)]
    return any(_distances(day, other) & spans for other in known)


def _spans(view: SourceView) -> set[int]:
    """Return the numbers that a source gives days, weeks, months or years with."""
    told = (*view.figures.numbers, *view.figures.words)
    return {
        int(each.value)
        for each in told
        if 0 < each.value <= _LONGEST_SPAN and each.value % 1 == 0 and _TIME.match(view.text, each.end)
    }


def _distances(day: Day, other: Day) -> set[int]:
    """How far two dates are apart, in every unit that counts them without a rest; a month alone counts months."""
    if day.year is None or other.year is None:
        return set()
    months = abs((day.year - other.year) * _MONTHS_A_YEAR + day.month - other.month)
    whole = {months, *([months // _MONTHS_A_YEAR] if months % _MONTHS_A_YEAR == 0 else [])} - {0}
    if day.day is None:
        return whole
    try:
        one, two = (date(each.year or 1, each.month, each.day or 1) for each in (day, other))
    except ValueError:
        return set()
    if other.day is None:
        return set()
    days = abs((one - two).days)
    is_aligned = abs(one.day - two.day) <= 1 or one.day == calendar.monthrange(one.year, one.month)[1]
    return {days, *([days // 7] if days % 7 == 0 else [])} - {0} | (whole if is_aligned else set())
