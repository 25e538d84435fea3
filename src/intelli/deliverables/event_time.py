"""Sortable time of an event from its written date: a year sorts before its parts, a part before the days in it."""

import re
import tomllib
from importlib.resources import files

from intelli.citations import dates

_WORDS = tomllib.loads(files(__package__).joinpath("event_time.toml").read_text(encoding="utf-8"))
_ORDINALS = {word: int(number) for number, words in _WORDS["ordinals"].items() for word in words}
_MONTHS_IN = {word: months for name, months in (("quarter", 3), ("half", 6)) for word in _WORDS["parts"][name]}
_ORDINAL = "|".join(sorted(map(re.escape, _ORDINALS), key=len, reverse=True))
_NAME = "|".join(sorted(map(re.escape, _MONTHS_IN), key=len, reverse=True))
_PART = re.compile(
    rf"(?<![^\W\d_])(?:(?P<o1>{_ORDINAL})(?:st|nd|rd|th|er|e|\u00ba|[.-])?\s?(?P<n1>{_NAME})|(?P<n2>{_NAME})\s?(?P<o2>{_ORDINAL}))(?!\w)",
    re.IGNORECASE,
)
_YEAR = re.compile(r"(?<!\d)(?:1\d|20)\d\d(?!\d)")
_NUMBERED = re.compile(
    r"(?<!\d)(?P<year>(?:1\d|20)\d\d)(?:[-/](?P<m1>0[1-9]|1[0-2])(?![\d-])|\u5e74(?P<m2>\d{1,2})\u6708(?:(?P<day>\d{1,2})\u65e5)?)"
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
    return (int(year[0]), _first_month(when), 0) if year is not None else None


def _first_month(when: str) -> int:
    part = _PART.search(when)
    if part is None:
        return 0
    number, months = (part["o1"] or part["o2"]).casefold(), _MONTHS_IN[(part["n1"] or part["n2"]).casefold()]
    return (_ORDINALS[number] - 1) * months + 1
