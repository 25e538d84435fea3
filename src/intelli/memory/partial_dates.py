"""Partial dates: `2024`, `2024-05`, `2024-05-03` or a full time, each an interval with a start and an end (UTC)."""

import re
from datetime import UTC, datetime, timedelta

_FORM = re.compile(
    r"(?P<year>\d{4})(?:-(?P<month>\d{1,2})(?:-(?P<day>\d{1,2})"
    r"(?:[T ](?P<time>\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)(?P<zone>Z|[+-]\d{2}:?\d{2})?)?)?)?"
)
_DECEMBER = 12


def beginning(date: str | None) -> datetime | None:
    """Return the first moment of a partial date (`2024` → 2024-01-01); None when the text is no date."""
    interval = _parse(date)
    return interval[0] if interval else None


def ending(date: str | None) -> datetime | None:
    """Return the moment after a partial date (`2021` → 2022-01-01, "until 2021" includes it); None for no date."""
    interval = _parse(date)
    return interval[1] if interval else None


def _parse(date: str | None) -> tuple[datetime, datetime] | None:
    match = _FORM.fullmatch((date or "").strip())
    if match is None:
        return None
    try:
        return _interval(match)
    except (ValueError, OverflowError):
        return None


def _interval(match: re.Match[str]) -> tuple[datetime, datetime]:
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
