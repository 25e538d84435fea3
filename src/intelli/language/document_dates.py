"""The date of a document, as its name or its beginning tells it."""

from collections.abc import Sequence
from datetime import date

from intelli.language import dates
from intelli.language.dates import Day

# So much of a document's beginning is looked at.
BEGINNING = 600
# Title, date, sender and subject are short lines without a full stop; what follows is the body.
_HEADING, _HEADING_LINES = 70, 4


def date_of_document(title: str, text: str, *, today: date) -> date | None:
    """Return the date that a document's name, the short lines it begins with or else its first words tell.

    A title may name the date of what it amends, so the latest of the heading counts; a body tells of other days.
    """
    beginning = text[:BEGINNING]
    lines = (line.strip() for line in beginning.splitlines())
    heading = [line for line in lines if 0 < len(line) <= _HEADING and not line.endswith(".")]
    for texts in ((title.replace("_", " "), *heading[:_HEADING_LINES]), (beginning,)):
        told = [each for part in texts for each in _dates(dates.dates_of(part)) if each <= today]
        if told:
            return max(told) if len(texts) > 1 else told[0]
    return None


def _dates(days: Sequence[Day]) -> list[date]:
    found = []
    for day in days:
        if day.year is None:
            continue
        try:
            found.append(date(day.year, day.month, day.day or 1))
        except ValueError:
            continue
    return found
