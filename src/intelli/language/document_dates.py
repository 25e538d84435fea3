"""The date of a document, as its name or its heading tells it. Where neither does it has none: a wrong one misleads."""

from collections.abc import Sequence
from datetime import date

from intelli.language import dates
from intelli.language.dates import Day

# So much of a document's beginning is looked at.
BEGINNING = 600
# Title, date, sender and subject are short lines without a full stop; what follows is the body.
_HEADING, _HEADING_LINES = 70, 4
# A line that dates a document has hardly more than the date: "Zurich, 14 March 2025". Others name what it amends.
_DATE_LINE_WORDS = 7
_CELL_MARKS = 2


def date_of_document(title: str, text: str, *, today: date) -> date | None:
    """Return the date that a document's name or the short lines it begins with tell.

    A body tells of other days, and so do the rows of a table and a title that names what is amended.
    """
    lines = (line.lstrip("#").strip() for line in text[:BEGINNING].splitlines())
    heading = [line for line in lines if 0 < len(line) <= _HEADING and not line.endswith(".")]
    dating = [line for line in heading[:_HEADING_LINES] if _has_few_words(line)]
    texts = (title.replace("_", " "), *dating)
    told = [each for part in texts for each in _dates(dates.dates_of(part)) if each <= today]
    return max(told, default=None)


def _has_few_words(line: str) -> bool:
    """Return whether a line may be a date with a place or a label, and is no row of values."""
    return len(line.split()) <= _DATE_LINE_WORDS and all(line.count(mark) < _CELL_MARKS for mark in ",;\t|")


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
