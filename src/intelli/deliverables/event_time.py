"""Sortable time of an event from its written date: a year sorts before its parts, a part before the days in it."""

import re

from intelli.language import dates, periods

_YEAR = re.compile(rf"(?<!\d){periods.DATED_YEAR}(?!\d)")
_NUMBERED = re.compile(
    rf"(?<!\d)(?P<year>{periods.DATED_YEAR})(?:[-/](?P<m1>0[1-9]|1[0-2])(?![\d-])|\u5e74(?P<m2>\d{{1,2}})\u6708(?:(?P<day>\d{{1,2}})\u65e5)?)"
)

Time = tuple[int, int, int]


def parse_time(when: str) -> Time | None:
    """Parse year, month and day, with 0 for a missing part; None without a year. "Q3 2024" → (2024, 7, 0)."""
    if (match := _NUMBERED.search(when)) is not None:
        return int(match["year"]), int(match["m1"] or match["m2"]), int(match["day"] or 0)
    day = next((each for each in dates.dates_of(when) if each.year is not None), None)
    if day is not None and day.year is not None:
        return day.year, day.month, day.day or 0
    year = _YEAR.search(when)
    return (int(year[0]), periods.first_month(when), 0) if year is not None else None
