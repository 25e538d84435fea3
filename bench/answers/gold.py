"""Finds facts in a text: numbers in English and German form, dates in any form, words.

A fact is written as `=412.6` (a number), `=16.7±0.1` (a number within a tolerance), `@2024-06-17` (a date; `*` for any
year) or plain words, of which a last `*` stands for any ending. `a & b` asks for both in one text, `a | b` for one.
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from functools import lru_cache

_MONTHS = {
    1: "january|januar|jan", 2: "february|februar|feb", 3: "march|märz|mar|mrz", 4: "april|apr", 5: "may|mai",
    6: "june|juni|jun", 7: "july|juli|jul", 8: "august|aug", 9: "september|sept|sep", 10: "october|oktober|oct|okt",
    11: "november|nov", 12: "december|dezember|dec|dez",
}  # fmt: skip
_ANY_MONTH = "|".join(_MONTHS.values())
_DATES = re.compile(
    rf"\d{{4}}-\d\d-\d\d|\d{{1,2}}\.\d{{1,2}}\.(?:\d{{4}}|\b)|\d{{1,2}}/\d{{1,2}}/\d{{4}}|"
    rf"\b\d{{1,2}}(?:st|nd|rd|th)?\.? (?:of )?(?:{_ANY_MONTH})\b\.?(?:,? \d{{4}})?|"
    rf"\b(?:{_ANY_MONTH})\b\.? \d{{1,2}}(?:st|nd|rd|th)?\b(?:,? \d{{4}})?|\b\d{{1,2}}:\d\d\b"
)
_NUMBER = re.compile(
    r"(?<![\w.,])(?<![a-z]-)(?P<sign>-(?=\d))?"
    r"(?P<digits>\d{1,3}(?:(?P<gap>[., '\u2009])\d{3})(?:(?P=gap)\d{3})*(?:[.,]\d{1,2})?(?!\d)|\d+(?:[.,]\d+)?)"
    r"(?: ?(?P<scale>million|millionen|mio|mill|m|billion|milliarden|mrd|bn|thousand|tausend|tsd|k)\b)?"
)
_SCALES = {"m": 1e6, "k": 1e3, "b": 1e9, "t": 1e3}
_WORDS = {
    "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10, "eleven": 11,
    "twelve": 12, "fourteen": 14, "sixteen": 16, "thirty": 30, "zwei": 2, "drei": 3, "vier": 4, "fünf": 5, "sechs": 6,
    "sieben": 7, "acht": 8, "neun": 9, "zehn": 10, "elf": 11, "zwölf": 12, "vierzehn": 14, "dreißig": 30,
}  # fmt: skip
_WORD = re.compile(rf"\b(?:{'|'.join(_WORDS)})\b")
# Marks of a list, at the beginning of a line, are no figures.
_LIST_MARKS = re.compile(r"^\s*(?:[-*+>]\s+|\d{1,2}[.)]\s+)+", re.MULTILINE)
_ALIKE = str.maketrans(
    dict.fromkeys("\u2018\u2019", "'")
    | dict.fromkeys("\u2010\u2011\u2212", "-")
    | dict.fromkeys("*`\u00ad\u200b\\", None)
)
_LARGE = 1e5


@dataclass(frozen=True)
class Text:
    """A text made ready to look for facts."""

    plain: str
    numbers: tuple[float, ...]


@dataclass(frozen=True)
class GoldFact:
    """One fact: of `kind` "=" (a number), "@" (a date) or "" (words)."""

    kind: str
    value: str
    tolerance: float = 0.0

    def is_in(self, text: Text) -> bool:
        """Whether a text says it."""
        if self.kind == "=":
            return any(_is_same(self, number) for number in text.numbers)
        return _pattern(self).search(text.plain) is not None


Group = tuple[tuple[GoldFact, ...], ...]


@dataclass(frozen=True)
class GoldTrap:
    """What must not be said, unless the same statement says one of the labels as well."""

    what: Group
    label: Group

    def is_in(self, text: Text) -> bool:
        """Whether a statement has it, and has no label."""
        return says(text, self.what) and not (self.label and says(text, self.label))


def read_group(told: str) -> Group:
    """Read alternatives, each of facts that belong together."""
    return tuple(tuple(_read_fact(each) for each in part.split(" & ")) for part in told.split(" | "))


def read_trap(told: str) -> GoldTrap:
    """Read a trap with its label, if it has one."""
    what, _, label = told.partition(" ~ ")
    return GoldTrap(read_group(what), read_group(label) if label else ())


def _read_fact(told: str) -> GoldFact:
    told = told.strip()
    if told[:1] == "=":
        value, _, tolerance = told[1:].partition("±")
        return GoldFact("=", value, float(tolerance or 0))
    return GoldFact("@", told[1:]) if told[:1] == "@" else GoldFact("", told)


def says(text: Text, group: Group) -> bool:
    """Whether a text says one of the alternatives."""
    return any(all(fact.is_in(text) for fact in alternative) for alternative in group)


def missing(text: Text, groups: Sequence[Group]) -> tuple[Group, ...]:
    """Return the groups of which a text says nothing."""
    return tuple(group for group in groups if not says(text, group))


@lru_cache(maxsize=4096)
def read_text(raw: str) -> Text:
    """Make a text ready: lower case, plain marks, and all its numbers."""
    unmarked = _LIST_MARKS.sub("", raw)
    plain = " ".join(unicodedata.normalize("NFKC", unmarked.translate(_ALIKE)).casefold().replace("ß", "ss").split())
    return Text(plain, tuple(_numbers(_DATES.sub(_without_days, plain))))


def _without_days(found: re.Match[str]) -> str:
    """Leave the year of a date, which may be a figure of its own."""
    year = re.search(r"\d{4}", found.group())
    return f" {year.group()} " if year else " "


def _numbers(plain: str) -> Iterator[float]:
    for found in _NUMBER.finditer(plain):
        sign = -1 if found["sign"] else 1
        # Two cells of a row may stand side by side like one number with a gap.
        parts = found["digits"].split() if " " in found["digits"] else ()
        for value in _readings(found["digits"]) | {reading for part in parts for reading in _readings(part)}:
            yield sign * value
            if scale := found["scale"]:
                yield sign * value * _factor(scale)
    for word in _WORD.finditer(plain):
        yield float(_WORDS[word.group()])


def _factor(scale: str) -> float:
    if scale in {"milliarden", "mrd"}:
        return 1e9
    return _SCALES[scale[0]]


def _readings(digits: str) -> set[float]:
    """Return what digits can mean: 1.450 is 1450 in German and 1.45 in English."""
    bare = re.sub(r"[ '\u2009]", "", digits)
    marks = [mark for mark in bare if mark in ".,"]
    if not marks:
        return {float(bare)}
    last = marks[-1]
    if len(set(marks)) > 1:
        other = "," if last == "." else "."
        return {float(bare.replace(other, "").replace(last, "."))}
    whole = float(bare.replace(last, ""))
    if len(marks) > 1:
        return {whole}
    decimal = float(bare.replace(last, "."))
    return {decimal, whole} if len(bare.rsplit(last, 1)[1]) == 3 else {decimal}


def _is_same(fact: GoldFact, number: float) -> bool:
    wanted = float(fact.value)
    tolerance = fact.tolerance or 1e-9 * max(1.0, abs(wanted))
    if abs(number - wanted) <= tolerance:
        return True
    # A table in millions may be told in full.
    return number >= _LARGE and any(abs(number / scale - wanted) <= tolerance for scale in (1e3, 1e6))


@lru_cache(maxsize=4096)
def _pattern(fact: GoldFact) -> "re.Pattern[str]":
    return re.compile(_date_pattern(fact.value) if fact.kind == "@" else _words_pattern(fact.value))


def _words_pattern(value: str) -> str:
    plain = " ".join(unicodedata.normalize("NFKC", value).casefold().replace("ß", "ss").split())
    stem = plain.removesuffix("*")
    behind = "" if plain.endswith("*") else r"(?!\w)"
    return rf"(?<!\w){re.escape(stem)}{behind}"


def _date_pattern(value: str) -> str:
    """Return a pattern of all forms; the year may be left out, but no other may stand there."""
    any_year, rest = (True, value[2:]) if value.startswith("*") else (False, value[5:])
    day = date.fromisoformat(f"2000-{rest}")
    year = r"\d{4}" if any_year else value[:4]
    month, d, m = _MONTHS[day.month], f"0?{day.day}", f"0?{day.month}"
    behind = rf"(?:,? {year}\b|(?!,? \d{{4}}))"
    return (
        rf"(?<!\d)(?:{year}-{day.month:02}-{day.day:02}(?!\d)|{d}\.{m}\.(?:{year}|(?!\d))|{d}/{m}/{year}|"
        rf"{d}(?:st|nd|rd|th)?\.? (?:of )?(?:{month})\b\.?{behind})|"
        rf"\b(?:{month})\b\.? {d}(?:st|nd|rd|th)?\b{behind}"
    )
