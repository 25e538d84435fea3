"""Dates as texts tell them: a year, a month, a day or a moment, each with where it begins and where it is over."""

import re
from datetime import UTC, datetime, timedelta

_FORM = re.compile(
    r"(?P<year>\d{4})(?:-(?P<month>\d{1,2})(?:-(?P<day>\d{1,2})"
    r"(?:[T ](?P<time>\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)(?P<zone>Z|[+-]\d{2}:?\d{2})?)?)?)?"
)
_DECEMBER = 12


def beginning(told: str | None) -> datetime | None:
    """Where a told time begins; None when it is no time."""
    parts = _parts(told)
    return parts[0] if parts else None


def ending(told: str | None) -> datetime | None:
    """Where a told time is over: who stays until 2021 is still there in 2021."""
    parts = _parts(told)
    return parts[1] if parts else None


def _parts(told: str | None) -> tuple[datetime, datetime] | None:
    match = _FORM.fullmatch((told or "").strip())
    if match is None:
        return None
    try:
        return _read(match)
    except (ValueError, OverflowError):
        return None


def _read(match: re.Match[str]) -> tuple[datetime, datetime]:
    year = int(match["year"])
    if match["month"] is None:
        return _day(year, 1, 1), _day(year + 1, 1, 1)
    month = int(match["month"])
    if match["day"] is None:
        return _day(year, month, 1), _day(year + month // _DECEMBER, month % _DECEMBER + 1, 1)
    day = _day(year, month, int(match["day"]))
    if match["time"] is None:
        return day, day + timedelta(days=1)
    zone = (match["zone"] or "Z").replace("Z", "+00:00")
    moment = datetime.fromisoformat(f"{day.date().isoformat()}T{match['time']}{zone}").astimezone(UTC)
    return moment, moment


def _day(year: int, month: int, day: int) -> datetime:
    return datetime(year, month, day, tzinfo=UTC)
