"""Parse what a question asks of tables: the operation, the words that name rows and columns, and the times."""

import re
import tomllib
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from importlib.resources import files

from intelli.language import dates, periods, words

_TERM = re.compile(r"[^\W_]++(?:[./-][^\W_]++)*+")
_HALF = re.compile(
    r"\b(?:(?P<first>first half|erstes? halbjahr|erstem halbjahr)|(?P<second>second half|zweites? halbjahr))\b"
)
_HALF_MONTHS = {"first": range(1, 7), "second": range(7, 13)}
_QUARTER = 3
# Written like a name, and not because a sentence begins there.
_NAME = re.compile(r"(?<=[\w,;] )[A-Z][\w-]++|(?<![\w-])[^\W\d]*+(?:-[^\W\d]++)*+-?\d[\w-]*+")


class Operation(StrEnum):
    """What is done with the cells; LOOKUP tells them as they are."""

    LOOKUP = "lookup"
    LIST = "list"
    MOST = "most"
    LEAST = "least"
    SUM = "sum"
    COUNT = "count"
    MEAN = "mean"
    DIFFERENCE = "difference"
    SHARE = "share"
    SIDES = "sides"
    COURSE = "course"


# What is asked with words that name a thing as well: "which boats were".
_NAMING = frozenset({Operation.LOOKUP, Operation.LIST})


@dataclass(frozen=True, slots=True)
class Time:
    """A year, a month or a day that a question names; what it does not tell is None."""

    year: int | None
    months: tuple[int, ...] = ()
    day: int | None = None

    def holds(self, year: int | None, month: int | None, day: int | None) -> bool:
        """Whether a time that a table tells lies within this one."""
        return (
            (self.year is None or year == self.year)
            and (not self.months or month in self.months)
            and (self.day is None or day == self.day)
        )


@dataclass(frozen=True, slots=True)
class TableQuestion:
    """What a question asks of tables.

    `terms` name rows, columns or documents, and those among `names` are written as names; `hints` are the kinds of
    column that its words imply, such as money.
    """

    operation: Operation
    terms: tuple[str, ...]
    times: tuple[Time, ...]
    hints: frozenset[str]
    names: frozenset[str]
    language: str
    is_span: bool

    @property
    def years(self) -> frozenset[int]:
        """The years that are named, all of a span."""
        told = {time.year for time in self.times if time.year is not None}
        return frozenset(range(min(told), max(told) + 1)) if told and self.is_span else frozenset(told)


def read(question: str) -> TableQuestion:
    """Read a question."""
    text = question[:1000]
    language = words.language_of(text)
    lowered = text.lower()
    times, rest = _times(text)
    hints = frozenset(name for name, pattern in _patterns("hints").items() if pattern.search(lowered))
    operation = _operation(lowered)
    said = rest if operation in _NAMING else _patterns("operations")[operation].sub(" ", rest.lower())
    needless = _needless(language)
    terms = tuple(
        dict.fromkeys(term for term in terms_of(said, language) if term not in needless and not term.isspace())
    )
    names = frozenset(
        term for word in _NAME.findall(rest) for term in terms_of(word, language) if language == "en" and term in terms
    )
    is_span = len({time.year for time in times}) > 1 and operation in {Operation.COURSE, Operation.SUM}
    return TableQuestion(operation, terms, times, hints, names, language, is_span)


def is_for_tables(question: str) -> bool:
    """Return whether a cell or a figure can answer a question: not why, how to, or whether."""
    return not any(pattern.search(question[:1000].lower()) for pattern in _patterns("refused").values())


def terms_of(text: str, language: str) -> list[str]:
    """The terms of a text; a code such as "KO-160" is one term, and its parts are none."""
    found: list[str] = []
    for token in _TERM.findall(text):
        is_code = any(mark in token for mark in "-/.") and any(character.isdigit() for character in token)
        found += [token.lower()] if is_code else words.terms_of(token, language)
    return found


def _operation(lowered: str) -> Operation:
    for name, pattern in _patterns("operations").items():
        if pattern.search(lowered):
            return Operation(name)
    return Operation.LOOKUP


def _times(text: str) -> tuple[tuple[Time, ...], str]:
    """The times of a question, and the question without their words."""
    found: list[Time] = []
    rest = text
    for day in reversed(dates.dates_of(text)):
        if day.year is None and day.day is None and not day.written[:1].isupper():
            continue
        found.append(Time(day.year, (day.month,), day.day))
        rest = f"{rest[: day.start]} {rest[day.end :]}"
    half = _HALF.search(rest.lower())
    for period in reversed(periods.periods_of(rest)):
        if period.first_year is None:
            continue
        months = _months(period.part) if period.part else tuple(_HALF_MONTHS[half.lastgroup or ""]) if half else ()
        found.append(Time(period.first_year, months))
        if period.last_year != period.first_year:
            found.append(Time(period.last_year))
        rest = f"{rest[: period.start]} {rest[period.end :]}"
    return tuple(reversed(found)), _HALF.sub(" ", rest) if half and found else rest


def _months(part: str) -> tuple[int, ...]:
    number = int(part[1:])
    size = _QUARTER if part[0] == "Q" else 2 * _QUARTER
    return tuple(range((number - 1) * size + 1, number * size + 1))


@cache
def _needless(language: str) -> frozenset[str]:
    needless = _table()["needless"]
    return frozenset(
        term for word in needless.get(language, needless["en"]).split() for term in words.terms_of(word, language)
    )


@cache
def _table() -> dict[str, dict[str, str]]:
    return tomllib.loads(files(__package__).joinpath("question.toml").read_text(encoding="utf-8"))


@cache
def _patterns(part: str) -> dict[str, re.Pattern[str]]:
    return {name: re.compile(pattern) for name, pattern in _table()[part].items()}
