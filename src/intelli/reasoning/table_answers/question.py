"""Parse what a question asks of tables: the operation, the words that name rows and columns, and the times."""

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from decimal import Decimal
from enum import StrEnum
from functools import cache
from importlib.resources import files
from itertools import pairwise, product

from intelli.language import dates, numbers, periods, words

_TERM = re.compile(r"[^\W_]++(?:[./-][^\W_]++)*+")
_HALF = re.compile(
    r"\b(?:(?P<first>first half|erstes? halbjahr|erstem halbjahr)|(?P<second>second half|zweites? halbjahr))\b"
)
_HALF_MONTHS = {"first": range(1, 7), "second": range(7, 13)}
_QUARTER = 3
_LONGEST = 1000
_NOUNS_ARE_LARGE = "de"
# A word that begins large within a sentence.
_INNER = re.compile(r"(?<=[\w,;] )[A-ZÄÖÜ][^\W\d_]++")
# What is chosen among several things, and words between things that stand side by side.
_CHOOSING = re.compile(r"\W*+(?:which|welche\w?|list|name|how many|wie ?viele|nenne|liste|what)\b", re.IGNORECASE)
_JOINED = re.compile(r"\b(?:and|or|than|und|oder|als|sowie)\b")
# From when on a course is asked for; what is told of before it is no part of it.
_SINCE = re.compile(r"\b(?:since|from|after|seit|ab|nach)\b", re.IGNORECASE)
# Between the ends of a span of columns: "Q1 to Q3".
_UP_TO = re.compile(r"\w (?:to|until|through|bis) \w|\w\s?\u2013\s?\w")
# The kind of thing that is chosen: "which ship".
_CHOSEN = re.compile(r"\W*+(?:which|what|welche[mnrs]?)\s++(?P<noun>[^\W\d_]++)", re.IGNORECASE)
_YEAR = re.compile(r"(?:19|20)\d\d")
_COMMA = frozenset({"de", "fr", "es", "it", "pt", "nl"})
_OF_TIMES = frozenset({"after", "before", "since"})
# Characters behind the words of a condition that are read for its number, and how soon it begins.
_NEAR, _NEXT = 30, 5
_LARGE = re.compile(r"(?<!\w)[A-ZÄÖÜ][^\W\d_]++")
# Marks that join a year with more digits or letters to a code: "2024-0164".
_JOINTS = "-/."
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
    GAP = "gap"
    WORTH = "worth"


# What is asked with words that may be the name of a row or a column: "the total".
_NAMED = frozenset({Operation.MOST, Operation.LEAST, Operation.SUM, Operation.MEAN})
# What takes the columns by their kinds.
_OF_COLUMNS = frozenset({Operation.GAP, Operation.WORTH})
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
class Condition:
    """What figures, or the years of times, have to be: "above 40", "before 2010"."""

    sign: str
    value: Decimal
    scale: int = 0
    is_time: bool = False

    def holds(self, value: Decimal) -> bool:
        """Whether a value is so."""
        return {
            "above": value > self.value,
            "after": value > self.value,
            "least": value >= self.value,
            "since": value >= self.value,
            "below": value < self.value,
            "before": value < self.value,
            "most": value <= self.value,
            "none": value == 0,
        }[self.sign]


@dataclass(frozen=True, slots=True)
class TableQuestion:
    """What a question asks of tables.

    `terms` name rows, columns or documents, and those among `names` are written as names; `hints` are the kinds of
    column that its words imply, such as money. `literal` are the words of an operation that are read as the name of a
    row or a column: "total" of a row that is called so; in a question that `is_of_totals` they name the rows that add
    up others. One that `is_joint` names several things side by side, one that `is_up_to` the ends of a span of columns;
    of a course that `is_since` a time all that follows is asked. `pairs` are terms of which one follows the other,
    `chosen` those of the kind of thing that is chosen.
    """

    operation: Operation
    terms: tuple[str, ...]
    times: tuple[Time, ...]
    hints: frozenset[str]
    names: frozenset[str]
    language: str
    is_span: bool
    literal: frozenset[str] = frozenset()
    condition: Condition | None = None
    is_joint: bool = False
    is_of_totals: bool = False
    pairs: tuple[tuple[str, str], ...] = ()
    is_since: bool = False
    is_up_to: bool = False
    chosen: frozenset[str] = frozenset()

    @property
    def years(self) -> frozenset[int]:
        """The years that are named, all of a span."""
        told = {time.year for time in self.times if time.year is not None}
        return frozenset(range(min(told), max(told) + 1)) if told and self.is_span else frozenset(told)


def read(question: str) -> TableQuestion:
    """Read a question."""
    return _read(question[:_LONGEST], _operation(question[:_LONGEST].lower()))


def read_literally(question: str) -> TableQuestion | None:
    """Read the words of an operation as names, as of "the total" in a row; None where no such words are asked."""
    text = question[:_LONGEST]
    operation = _operation(text.lower())
    if operation not in _NAMED:
        return None
    said = " ".join(_patterns("operations")[operation].findall(text.lower()))
    language = words.language_of(text)
    literal = frozenset(terms_of(said, language))
    if not literal:
        return None
    return replace(_read(text, Operation.LOOKUP, literal), is_of_totals=operation is Operation.SUM)


def _read(text: str, operation: Operation, literal: frozenset[str] = frozenset()) -> TableQuestion:
    language = words.language_of(text)
    lowered = text.lower()
    condition, told = _condition(text)
    times, rest = _times(told)
    if condition and operation in _NAMING:
        operation = Operation.LIST
    hints = frozenset(name for name, pattern in _patterns("hints").items() if pattern.search(lowered))
    said = rest if operation in _NAMING | _OF_COLUMNS else _patterns("operations")[operation].sub(" ", rest)
    needless = _needless(language) - literal
    found = [*terms_of(said, language), *_nouns(said, language)]
    terms = tuple(dict.fromkeys(term for term in found if term not in needless and not term.isspace()))
    names = frozenset(
        term for word in _NAME.findall(rest) for term in terms_of(word, language) if language == "en" and term in terms
    )
    is_span = len({time.year for time in times}) > 1 and operation in {Operation.COURSE, Operation.SUM}
    return TableQuestion(
        operation,
        terms,
        times,
        hints,
        names,
        language,
        is_span,
        literal,
        condition,
        is_joint=bool(_JOINED.search(lowered)),
        pairs=tuple(_pairs(rest, language)),
        is_since=operation is Operation.COURSE and len(times) == 1 and _SINCE.search(lowered) is not None,
        is_up_to=_UP_TO.search(lowered) is not None,
        chosen=_chosen(text, operation, language),
    )


def _chosen(text: str, operation: Operation, language: str) -> frozenset[str]:
    """The terms of what is chosen by a figure; a table of such things need not call them so."""
    found = _CHOSEN.match(text) if operation in {Operation.MOST, Operation.LEAST} else None
    return frozenset(terms_of(found["noun"], language)) if found else frozenset()


def _pairs(text: str, language: str) -> Iterator[tuple[str, str]]:
    for one, other in pairwise(_TERM.finditer(text)):
        if text[one.end() : other.start()] == " ":
            yield from product(terms_of(one.group(), language), terms_of(other.group(), language))


def _condition(text: str) -> tuple[Condition | None, str]:
    """What cells have to be, and the question without its words."""
    if not _CHOOSING.match(text):
        return None, text
    for sign, pattern in _patterns("conditions").items():
        found = pattern.search(text)
        if found is None:
            continue
        if sign == "none":
            return Condition(sign, Decimal(0)), f"{text[: found.start()]} {text[found.end() :]}"
        behind = text[found.end() : found.end() + _NEAR]
        number = next(iter(numbers.numbers_of(behind, text)), None)
        is_time = sign in _OF_TIMES
        if number is None or number.start > _NEXT or is_time != bool(_YEAR.fullmatch(number.written)):
            continue
        rest = f"{text[: found.start()]} {text[found.end() + number.end :]}"
        is_by_comma = words.language_of(text) in _COMMA and not is_time
        value = (number.by_comma if is_by_comma else None) or number.value
        return Condition(sign, value, number.scale or 0, is_time), rest
    return None, text


def _nouns(text: str, language: str) -> list[str]:
    """The German nouns that are written like little words: "Einer", a boat."""
    if language != _NOUNS_ARE_LARGE:
        return []
    return [found.lower() for found in _INNER.findall(text) if not words.terms_of(found, language)]


def is_for_tables(question: str) -> bool:
    """Return whether a cell or a figure can answer a question: not why, how to, or whether."""
    text = question[:_LONGEST]
    if any(pattern.search(text) for pattern in _patterns("refused").values()):
        return False
    is_of_lack = _operation(text.lower()) is Operation.GAP or _condition(text)[0] is not None
    if not is_of_lack and _patterns("refused_without_condition")["none"].search(text):
        return False
    is_german = words.language_of(text) == _NOUNS_ARE_LARGE
    return is_german or not _patterns("refused_in_english")["whether"].search(text)


def column_kind(kind: str, name: str) -> bool:
    """Return whether the name of a column tells a kind of figure: what there is, has to be, or costs."""
    return bool(_patterns("columns")[kind].search(name))


def is_outdated(text: str) -> bool:
    """Return whether a text says that it does not count, or no longer."""
    return bool(_patterns("outdated")["marks"].search(text))


@cache
def alike(language: str) -> dict[str, frozenset[str]]:
    """Return the terms that mean the same, by each of them."""
    found: dict[str, frozenset[str]] = {}
    for line in _table()["alike"]["words"].strip().splitlines():
        group = frozenset(term for word in line.split() for term in words.terms_of(word, language))
        found |= {term: group - {term} for term in group}
    return found


def terms_of(text: str, language: str) -> list[str]:
    """The terms of a text; a code such as "KO-160" is one term, and its parts are none."""
    found: list[str] = []
    for token in _TERM.findall(text):
        is_code = any(mark in token for mark in "-/.") and any(character.isdigit() for character in token)
        found += [token.lower()] if is_code else words.terms_of(token, language)
    return found


def large_words(text: str, language: str) -> frozenset[str]:
    """The words of a German text that begin large, for nouns that are written like little words."""
    return frozenset(each.lower() for each in _LARGE.findall(text)) if language == _NOUNS_ARE_LARGE else frozenset()


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
        if period.first_year is None or _is_of_code(rest, period.start, period.end):
            continue
        months = _months(period.part) if period.part else tuple(_HALF_MONTHS[half.lastgroup or ""]) if half else ()
        found.append(Time(period.first_year, months))
        if period.last_year != period.first_year:
            found.append(Time(period.last_year))
        rest = f"{rest[: period.start]} {rest[period.end :]}"
    return tuple(reversed(found)), _HALF.sub(" ", rest) if half and found else rest


def _is_of_code(text: str, start: int, end: int) -> bool:
    before, behind = text[max(0, start - 2) : start], text[end : end + 2]
    return (before[1:] in _JOINTS and before[:1].isalnum() and len(before) == 2) or (
        behind[:1] in _JOINTS and behind[1:].isalnum()
    )


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
    return {name: re.compile(pattern, re.IGNORECASE) for name, pattern in _table()[part].items()}
