"""Times in a sentence: since when, until when, or at which point; relative ones are resolved from a given day."""

import calendar
import re
from dataclasses import dataclass, replace
from datetime import date, timedelta

from intelli.language import dates, numbers
from intelli.language.periods import RECENT_YEAR as _YEAR

_MONTHS = dates.months("en", "de")
_DAYS = {name.lower(): number for number, name in enumerate(calendar.day_name)}
_NUMBERS = dict(numbers.COUNTED)
_NUMBERS |= {"a": 1, "an": 1, "a couple of": 2}
_UNITS = {"day": 1, "week": 7}

_MONTH = rf"(?:{'|'.join(sorted(_MONTHS, key=len, reverse=True))})"
_NUMBERED_MONTH = re.compile(rf"(?<![\w-]){_YEAR}-(0[1-9]|1[0-2])(?!\d)")
_COUNT = rf"(?:\d{{1,3}}|{'|'.join(sorted(_NUMBERS, key=len, reverse=True))})"
DATE = (
    rf"(?:{_YEAR}-\d{{2}}-\d{{2}}|{_YEAR}-\d{{2}}|\d{{1,2}}\.\s?\d{{1,2}}\.\s?{_YEAR}"
    rf"|\d{{1,2}}(?:st|nd|rd|th|\.)?\s(?:of\s)?{_MONTH}\b\.?,?\s{_YEAR}"
    rf"|{_MONTH}\b\.?\s\d{{1,2}}(?:st|nd|rd|th)?(?:,?\s{_YEAR}|(?!\d))|{_MONTH}\b\.?,?\s{_YEAR}|{_YEAR}(?![\d-])"
    rf"|yesterday|today|gestern|heute|last\s(?:week|month|year)|this\s(?:week|month|year)"
    rf"|(?:last\s)?(?:{'|'.join(_DAYS)})|{_COUNT}\s(?:day|week|month|year)s?\sago|{_MONTH}\b)"
)
_FROM_TO = re.compile(
    rf"\b(?:from|between|von)\s(?P<since>{DATE})\s(?:to|until|till|and|bis)\s(?P<until>{DATE})", re.IGNORECASE
)
_SINCE = re.compile(
    rf"\b(?:since|from|starting(?:\s(?:on|in|from))?|beginning(?:\s(?:on|in))?|as\sof|effective(?:\sfrom)?|seit|ab)\s(?P<since>{DATE})",
    re.IGNORECASE,
)
_UNTIL = re.compile(rf"\b(?:until|till|through|bis)\s(?:the\send\sof\s)?(?P<until>{DATE})", re.IGNORECASE)
_FOR = re.compile(
    rf"\bfor\s(?:the\slast\s|the\spast\s)?(?P<count>{_COUNT})\s(?P<unit>day|week|month|year)s?\b(?:\snow)?",
    re.IGNORECASE,
)
_POINT = re.compile(rf"(?:\b(?:on|in|im|am|during|back\sin)\s)?(?P<point>{DATE})", re.IGNORECASE)
# A month or a day of the week alone is only a time after a word that says so: May is also a name.
_BARE = re.compile(rf"(?:{_MONTH}|{'|'.join(_DAYS)}|{_YEAR})", re.IGNORECASE)
_AGO = re.compile(rf"(?P<count>{_COUNT})\s(?P<unit>day|week|month|year)s?\sago", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class TimeSpan:
    """A period as ISO dates of a day, a month or a year; and the sentence without the words for it."""

    rest: str
    since: str | None = None
    until: str | None = None
    is_point: bool = False

    def within(self) -> "TimeSpan":
        """End a span that is a single point when that point is over, since nothing later is known."""
        return replace(self, until=self.since) if self.is_point else self


def read(sentence: str, today: date | None) -> TimeSpan:
    """The times of a sentence."""
    found: dict[str, str] = {}
    rest = sentence
    for pattern in (_FROM_TO, _SINCE, _UNTIL):
        if match := pattern.search(rest):
            told = {name: iso for name, said in match.groupdict().items() if (iso := resolve(said, today))}
            if len(told) == len(match.groupdict()):
                found |= {name: iso for name, iso in told.items() if name not in found}
                rest = _without(rest, match)
    if "since" not in found and today is not None and (match := _FOR.search(rest)):
        found["since"] = _before(today, match["count"], match["unit"]).isoformat()
        rest = _without(rest, match)
    is_point = False
    if "since" not in found and (match := _point(rest)) and (iso := resolve(match["point"], today)):
        found["since"], is_point = iso, "until" not in found
        rest = _without(rest, match)
    return TimeSpan(rest, found.get("since"), found.get("until"), is_point)


def resolve(said: str, today: date | None) -> str | None:
    """A told time as an ISO date; None when it cannot be known."""
    words = said.strip().lower().rstrip(".")
    try:
        return _absolute(words) or (_relative(words, today) if today else None)
    except (ValueError, OverflowError):
        return None


def months_in(text: str) -> list[str]:
    """The names of the months that a text writes as numbers, "2025-02"."""
    numbers = {int(month) for month in _NUMBERED_MONTH.findall(text)}
    return [name for name, number in _MONTHS.items() if number in numbers]


def is_time(words: str) -> bool:
    """True when words that look like a name are a month, a day or a date."""
    return bool(re.fullmatch(rf"{DATE}(?:\s\d+)?", words, re.IGNORECASE))


def _point(rest: str) -> re.Match[str] | None:
    """The first time that stands as one: alone, a month or a weekday may be a name and a year a number."""
    for match in _POINT.finditer(rest):
        is_led = match.start() != match.start("point")
        if is_led or not _BARE.fullmatch(match["point"].strip(".")):
            return match
    return None


def _without(text: str, match: re.Match[str]) -> str:
    before, after = text[: match.start()].rstrip(" ,("), text[match.end() :].lstrip(" ,)")
    joint = "" if not before or after[:1] in {"", ".", ",", ";", "!"} else " "
    return f"{before}{joint}{after}"


def _absolute(words: str) -> str | None:
    if match := re.fullmatch(rf"({_YEAR})(?:-(\d{{2}}))?(?:-(\d{{2}}))?", words):
        return _iso(*(int(part) if part else None for part in match.groups()))
    if match := re.fullmatch(rf"(\d{{1,2}})\.\s?(\d{{1,2}})\.\s?({_YEAR})", words):
        return _iso(int(match[3]), int(match[2]), int(match[1]))
    if match := re.fullmatch(rf"(\d{{1,2}})\D*?\s(?:of\s)?({_MONTH})\.?,?\s({_YEAR})", words):
        return _iso(int(match[3]), _MONTHS[match[2]], int(match[1]))
    if match := re.fullmatch(rf"({_MONTH})\.?\s(\d{{1,2}})(?:st|nd|rd|th)?,?\s({_YEAR})", words):
        return _iso(int(match[3]), _MONTHS[match[1]], int(match[2]))
    if match := re.fullmatch(rf"({_MONTH})\.?,?\s({_YEAR})", words):
        return _iso(int(match[2]), _MONTHS[match[1]], None)
    return None


def _relative(words: str, today: date) -> str | None:
    fixed = {"yesterday": 1, "gestern": 1, "today": 0, "heute": 0, "last week": 7, "this week": today.weekday()}
    if words in fixed:
        return (today - timedelta(days=fixed[words])).isoformat()
    if match := re.fullmatch(r"(last|this)\s(month|year)", words):
        back = _back(today.replace(day=1), months=int(match[1] == "last") * (12 if match[2] == "year" else 1))
        return back.isoformat()[: 4 if match[2] == "year" else 7]
    if match := _AGO.fullmatch(words):
        return _before(today, match["count"], match["unit"]).isoformat()
    if match := re.fullmatch(rf"(?:last\s)?({'|'.join(_DAYS)})", words):
        return (today - timedelta(days=(today.weekday() - _DAYS[match[1]] - 1) % 7 + 1)).isoformat()
    if match := re.fullmatch(rf"({_MONTH})\.?(?:\s(\d{{1,2}})(?:st|nd|rd|th)?)?", words):
        day = int(match[2]) if match[2] else None
        this = date(today.year, _MONTHS[match[1]], day or 1)
        return _iso(today.year - int(this > today), this.month, day)
    return None


def _before(today: date, count: str, unit: str) -> date:
    words = count.lower()
    number = int(words) if words.isdigit() else _NUMBERS[words]
    if unit.lower() in _UNITS:
        return today - timedelta(days=number * _UNITS[unit.lower()])
    return _back(today, months=number * (12 if unit.lower() == "year" else 1))


def _back(day: date, *, months: int) -> date:
    number = day.year * 12 + day.month - 1 - months
    year, month = divmod(number, 12)
    return date(year, month + 1, min(day.day, calendar.monthrange(year, month + 1)[1]))


def _iso(year: int | None, month: int | None, day: int | None) -> str:
    """The date, checked."""
    assert year is not None, "every told date has a year"
    date(year, month or 1, day or 1)
    parts = [f"{year:04}", *(f"{part:02}" for part in (month, day) if part)]
    return "-".join(parts)
