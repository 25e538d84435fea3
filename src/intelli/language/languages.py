"""Word lists of the languages: one file a language, `words/en.toml`, with everything that depends on its words."""

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Annotated

from pydantic import BaseModel, BeforeValidator, ConfigDict

# Where two languages fit a text equally well, the one named first is taken.
CODES = ("en", "de", "fr", "es", "it", "pt", "nl", "ru", "ar", "zh", "ja", "ko")
DEFAULT = "en"
UNSPACED = "zh"


def _pairs(text: str) -> list[tuple[str, str]]:
    return [(first, second) for first, _, second in (pair.partition(":") for pair in text.split())]


def _mapping(text: str) -> dict[str, str]:
    return dict(_pairs(text))


def _lines(text: str) -> list[str]:
    return [line.strip() for line in text.strip().splitlines()]


def _line_mapping(text: str) -> dict[str, str]:
    return {phrase: name for phrase, _, name in (line.partition(":") for line in _lines(text))}


def _rows(text: str) -> list[list[str]]:
    return [line.split() for line in _lines(text)]


Words = Annotated[frozenset[str], BeforeValidator(str.split)]
Phrases = Annotated[tuple[str, ...], BeforeValidator(_lines)]
Pairs = Annotated[tuple[tuple[str, str], ...], BeforeValidator(_pairs)]


class LanguageWords(BaseModel):
    """Words of one language, all in lower case. What a language does not list is empty.

    requests: the stop words that ask in a question, and may tell in a text, "list"
    compounds: whether it joins words into one
    months: twelve rows of names, the full name first
    scales: words for a power of ten, "million"
    units: names of units of money and of shares, "euros", each with its code in `units`
    quarters, halves, ordinals, fiscal_years: words for a part of a year, and which of its parts is meant
    number_words: the numbers that are written as a word, "seven"; no articles
    negations, negative_phrases: what turns a statement into its contrary
    absence: beginnings of a statement that something is not said, "the sources do not say"
    own: phrases by which writers mark a reckoning or judgement of their own, "taken together"
    numbering: words before a number that only numbers something, "section 7"
    opposites: pairs of words that turn a statement round when one takes the other's place
    universal, partial: quantifiers that speak of all, and those that speak of a part
    limits: words that bound or weaken what is said, "at least"
    claims: words that make something said, hoped or supposed, and not so
    fillers: words that join and add nothing
    boundaries: words with which another clause begins
    timely: prepositions that say no more than that something is of a time
    totals: names of a row or column that adds others up
    contents, bibliography: headings over a table of contents and over a list of references
    captions: words before the number of a table or picture, "figure 3"
    closings: phrases that a letter ends with, above the name
    quote_leads: words of the line above an earlier mail that is quoted
    mail_fields: names of the fields at the head of a mail
    amending: phrases before the name of what a document changes; `replacing` are those that put it out of force
    covering: phrases before the period that a document is about
    between: the word before the parties of a contract
    kinds: names of kinds of documents, the longer before the shorter
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    stemmer: str
    irregular: Annotated[dict[str, str], BeforeValidator(_mapping)]
    stop_words: Words
    requests: Words = frozenset()
    prepositions: Words
    abbreviations: Words
    compounds: bool = False
    months: Annotated[tuple[tuple[str, ...], ...], BeforeValidator(_rows)] = ()
    scales: Annotated[dict[str, int], BeforeValidator(_mapping)] = {}
    units: Annotated[dict[str, str], BeforeValidator(_line_mapping)] = {}
    quarters: Words = frozenset()
    halves: Words = frozenset()
    ordinals: Annotated[dict[str, int], BeforeValidator(_mapping)] = {}
    fiscal_years: Phrases = ()
    number_words: Annotated[dict[str, int], BeforeValidator(_mapping)] = {}
    negations: Words = frozenset()
    negative_phrases: Phrases = ()
    absence: Phrases = ()
    own: Phrases = ()
    numbering: Words = frozenset()
    opposites: Pairs = ()
    universal: Words = frozenset()
    partial: Words = frozenset()
    limits: Words = frozenset()
    claims: Words = frozenset()
    fillers: Words = frozenset()
    boundaries: Words = frozenset()
    timely: Words = frozenset()
    totals: Phrases = ()
    contents: Phrases = ()
    bibliography: Phrases = ()
    captions: Words = frozenset()
    closings: Phrases = ()
    quote_leads: Phrases = ()
    mail_fields: Words = frozenset()
    amending: Phrases = ()
    replacing: Phrases = ()
    covering: Phrases = ()
    between: Words = frozenset()
    kinds: Phrases = ()


@cache
def languages() -> Mapping[str, LanguageWords]:
    """All languages by their ISO 639-1 code."""
    return {code: _read(code) for code in CODES}


@cache
def abbreviations() -> frozenset[str]:
    """The abbreviations of all languages: a text may quote another's."""
    return frozenset().union(*(language.abbreviations for language in languages().values()))


def _read(code: str) -> LanguageWords:
    text = files(__package__).joinpath("words", f"{code}.toml").read_text(encoding="utf-8")
    return LanguageWords.model_validate(tomllib.loads(text))
