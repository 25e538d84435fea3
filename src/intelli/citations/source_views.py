"""Sources as a check reads them: each cited passage whole, with its place in the document, its figures and its tables.

A statement is held against all of a passage and not against one sentence of it. What stands around it counts as well:
the document's name and beginning (title, date, sender), the headings above, and the head of a table that the passage
begins in the middle of.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from intelli.citations.wording_tokens import TextToken, tokenize
from intelli.content.passage import Passage
from intelli.language import dates, grids, numbers, periods, scales, sentences, text_tables, units, words
from intelli.language.dates import Day
from intelli.language.numbers import Number
from intelli.language.text_tables import TableText

# So much of a document's beginning has its title, its date, and who it is from.
_BEGINNING = 600
_LONGEST = 40_000
_LONGEST_HEAD = 60
_THOUSAND, _MILLION = 3, 6
_LONGEST_RANGE = 20
_YEAR = re.compile(rf"(?<!\d){periods.YEAR}(?!\d)")
# What tells of years that are not all written out.
_FISCAL = re.compile(
    rf"\b(?:{periods.FISCAL})\s?'?\d\d\b|\d\d\d\d\s?(?:[-\u2013/]|to|and|bis|und)\s?\d\d", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class SourceView:
    """A passage that statements are held against. `start` is where its text begins in the text of the document.

    `quote` are the words that its identifier names: the passage itself, or a part of it. `header` is the line that
    names the columns of a table which the passage begins in the middle of. `heading` is what of its place is over it:
    no sentence of the document itself.
    """

    identifier: str
    text: str
    place: str
    start: int
    whole: str
    quote: str = ""
    header: str = ""
    heading: str = ""

    @property
    def figures(self) -> "FigureTexts":
        """The numbers and dates of the passage."""
        return read_figures(self.text, self.whole[:_LONGEST])

    @property
    def place_figures(self) -> "FigureTexts":
        """The numbers and dates of its place."""
        return read_figures(self.place, "")

    @property
    def tables(self) -> Sequence[TableText]:
        """The tables of the passage."""
        return text_tables.find_tables(self.text)

    @property
    def scales(self) -> Sequence[int]:
        """The powers of ten that the passage or its place names: 3 where a head says "EUR thousand"."""
        return _scales_of(self.said)

    @property
    def said(self) -> str:
        """The passage and its place, as one text."""
        return f"{self.place}\n{self.text}"


@dataclass(frozen=True, slots=True)
class FigureTexts:
    """Numbers that are no part of a date, numbers in words, and dates."""

    numbers: tuple[Number, ...]
    words: tuple[Number, ...]
    days: tuple[Day, ...]


def view_of(name: str, passage: Passage, whole: str | None) -> SourceView:
    """Return a passage as a check reads it; `whole` is the text of its document, None when that is not there.

    `name` is what a text cites it by.
    """
    text, start = _text_of(passage, whole)
    beginning = whole[:_BEGINNING] if whole else ""
    header = passage.header or (grids.header_over(whole, start) if whole else "")
    quote = passage.span.text_in(whole) if whole else passage.text
    place = "\n".join(filter(None, (passage.title, passage.section, header, beginning)))
    heading = "\n".join(filter(None, (passage.title, passage.section, header, *_head_lines(beginning))))
    return SourceView(name, text, place, start, whole or passage.text, quote, header, heading)


def _head_lines(beginning: str) -> Iterator[str]:
    """The short lines that a document begins with, such as its title and its date, before its first sentence."""
    for line in beginning.splitlines():
        if len(line) > _LONGEST_HEAD or line.rstrip().endswith((".", "!", "?")):
            return
        yield line


def _text_of(passage: Passage, whole: str | None) -> tuple[str, int]:
    """The passage's words and where they begin. One that was narrowed to a quote is read whole all the same."""
    span = passage.span
    if whole is None:
        return passage.text, span.start
    narrow = span.text_in(whole)
    if len(narrow) >= len(passage.text):
        return narrow, span.start
    at = whole.find(passage.text, max(0, span.start - len(passage.text)), span.end + len(passage.text))
    return (passage.text, at) if at >= 0 else (narrow, span.start)


@lru_cache(maxsize=2048)
def read_figures(text: str, around: str) -> FigureTexts:
    """Return the figures of a text; `around` tells how it writes numbers where the text itself does not."""
    days = tuple(dates.dates_of(text))
    taken = {at for day in days for at in range(day.start, day.end)}
    found = [each for each in numbers.numbers_of(text, around) if each.start not in taken]
    return FigureTexts(tuple(found), tuple(numbers.words_of(text)), days)


@dataclass(frozen=True, slots=True)
class SentenceTokens:
    """A sentence of a source: its place in the passage and its tokens."""

    start: int
    end: int
    tokens: tuple[TextToken, ...]
    keys: frozenset[str]


@lru_cache(maxsize=2048)
def sentences_of(text: str, language: str) -> tuple[SentenceTokens, ...]:
    """Return the sentences of a passage with their tokens."""
    found = []
    for span in sentences.split(text):
        tokens = tokenize(text[span.start : span.end], language)
        found.append(SentenceTokens(span.start, span.end, tokens, frozenset(each.key for each in tokens)))
    return tuple(found)


@lru_cache(maxsize=2048)
def language_of(text: str) -> str:
    """Return the language of a passage."""
    return words.language_of(text[:2000])


_SCALE = re.compile(
    rf"\b(?P<word>{scales.pattern(scales.SCALE_OF.keys() - scales.AMBIGUOUS)})\b|"
    rf"[{units.MONEY_SIGNS}]\s?(?P<letter>bn|k|m)\b|\b(?P<short>[tm])(?:eur|usd|gbp)\b|'(?P<zeros>000)",
    re.IGNORECASE,
)


@lru_cache(maxsize=2048)
def _scales_of(text: str) -> tuple[int, ...]:
    return tuple(sorted({_power(match) for match in _SCALE.finditer(text)}))


def _power(match: re.Match[str]) -> int:
    if match["word"]:
        return scales.SCALE_OF[match["word"].lower()]
    if match["letter"]:
        return scales.LETTERS[match["letter"].lower()]
    return _MILLION if (match["short"] or "").lower() == "m" else _THOUSAND


@lru_cache(maxsize=2048)
def years_of(text: str) -> frozenset[int]:
    """Return the years that a text tells of; a range tells of all years in it."""
    found = set(map(int, _YEAR.findall(text)))
    for period in periods.periods_of(text) if _FISCAL.search(text) else ():
        if period.first_year is not None and period.last_year is not None:
            found |= set(range(period.first_year, min(period.last_year, period.first_year + _LONGEST_RANGE) + 1))
    return frozenset(found)
