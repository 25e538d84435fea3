"""The date of a document, as its name or its heading tells it. Where neither does it has none: a wrong one misleads."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

from intelli.language import dates
from intelli.language.languages import languages

# So much of a document's beginning is looked at.
BEGINNING = 600
# Title, date, sender and subject are short lines without a full stop; what follows is the body.
_HEADING, _HEADING_LINES = 70, 4
# A line that dates a document has hardly more than the date: "Zurich, 14 March 2025". Others name what it amends.
_DATE_LINE_WORDS = 7
# One that is hardly more than its date may stand below the parties, too: "dated 21 September 2022".
_BARE_LINE_WORDS = 1
_CELL_MARKS = 2
# Blanks that stand between the columns of a table.
_COLUMNS = "   "


@dataclass(frozen=True, slots=True)
class DatedWords:
    """A day and the words that tell it; `day` is the first of the month where no day is told."""

    day: date
    written: str
    start: int
    end: int


def date_of_document(title: str, text: str, *, today: date) -> date | None:
    """Return the date that a document's name or the short lines it begins with tell.

    A body tells of other days, and so do the rows of a table and a title that names what is amended.
    """
    found = (date_of_name(title, today=today), date_of_beginning(text, today=today))
    return max((each.day for each in found if each is not None), default=None)


def date_of_name(name: str, *, today: date) -> DatedWords | None:
    """Return the newest date in the name of a document."""
    return max(_told(name.replace("_", " "), 0, today), key=lambda each: each.day, default=None)


def date_of_beginning(text: str, *, today: date) -> DatedWords | None:
    """Return the newest date in the short lines that a document begins with, and where it stands."""
    told: list[DatedWords] = []
    for number, (at, line) in enumerate(_short_lines(text[:BEGINNING])):
        most = _DATE_LINE_WORDS if number < _HEADING_LINES else None
        told += [each for each in _told(line, at, today) if _may_date(line, each, at, most)]
    return max(told, key=lambda each: each.day, default=None)


def _short_lines(text: str) -> Iterator[tuple[int, str]]:
    """Yield the lines that may head a document, without the mark of a heading, each with its place."""
    at = 0
    for whole in text.splitlines(keepends=True):
        line = whole.lstrip("#").strip()
        if 0 < len(line) <= _HEADING and not line.endswith("."):
            yield at + whole.index(line), line
        at += len(whole)


def _may_date(line: str, told: DatedWords, at: int, most: int | None) -> bool:
    """Return whether a line may be a date with a place or a label: no row of values, no name of an amended text.

    It has at most so many words; without a limit, hardly more than the date.
    """
    before, behind = line[: told.start - at], line[told.end - at :]
    is_row = any(line.count(mark) >= _CELL_MARKS for mark in ",;\t|") or _COLUMNS in line.strip()
    fits = _words(line) <= most if most is not None else _words(before) + _words(behind) <= _BARE_LINE_WORDS
    return fits and not is_row and not _names_amended(before.casefold())


def _words(text: str) -> int:
    return sum(any(map(str.isalnum, word)) for word in text.split())


def _names_amended(line: str) -> bool:
    return any(phrase in line for known in languages().values() for phrase in known.amending)


def _told(text: str, at: int, today: date) -> Iterator[DatedWords]:
    for found in dates.dates_of(text):
        if found.year is None:
            continue
        try:
            day = date(found.year, found.month, found.day or 1)
        except ValueError:
            continue
        if day <= today:
            yield DatedWords(day, found.written, at + found.start, at + found.end)
