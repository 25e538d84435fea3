"""Orders of papers in a person's own words: the subject, and the headings that are asked for by name, in their order.

Headings are read where their form leaves no doubt: the lines of a list, or what is listed behind a colon or words such
as "covering". Everything else is for whoever plans the outline.
"""

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from intelli.reasoning.verbs.outline import ChapterRole, Order

_LINE = re.compile(r"^[ \t]*(?:[-*\u2022\u2013]|\(?\d{1,2}[.)]|\(?[a-h]\))[ \t]+(?P<heading>\S[^\n]*)$", re.MULTILINE)
_ASIDES = (" (", " \u2013 ", " \u2014 ", " - ", ": ")
_SENTENCE_END = re.compile(r"(?<=[^\s.]{3})[.!?](?=\s|$)|\n")
_AND = re.compile(r"(?:,|(?<!\s)\s)\s*+(?:and|und|sowie|et|y|e|&)\s++", re.IGNORECASE)
_LISTED = re.compile(r"[,;]")
_ARTICLE = re.compile(
    r"^(?:the|a|an|its|their|der|die|das|den|dem|ein|eine|einen|le|la|les|el|los|las)\s+", re.IGNORECASE
)
POLITE = (
    r"^\W*+(?:please|bitte|can you|could you|would you|kannst du|k\u00f6nnen sie|s'il vous pla\u00eet|por favor)?+\W*+"
)
_LONGEST = 90
_LEAST = 2
_MOST_WORDS = 9
# What follows is material that was pasted, not an order.
_MAX_CHARACTERS = 4_000


@dataclass(frozen=True, slots=True)
class _Parts:
    """An order cut in two: what is wanted of what, and what lists the headings."""

    head: str
    headings: tuple[str, ...]


def read_order(message: str) -> Order:
    """Return what a message orders by name."""
    parts = _cut(message[:_MAX_CHARACTERS].strip())
    return Order(subject=_subject(parts.head), headings=parts.headings)


def title_of(message: str) -> str:
    """Return the order as a title: what is wanted of what, without the words that order it; empty where nothing is."""
    head = without_order(_cut(message[:_MAX_CHARACTERS].strip()).head)
    bare = _ARTICLE.sub("", " ".join(head.split())).strip(" .,:;")
    return f"{bare[:1].upper()}{bare[1:]}" if bare else ""


def creating() -> str:
    """Return the verbs that order something to be written, as a pattern."""
    return str(_words()["create"]).strip()


def orders_paper(message: str) -> bool:
    """Return whether a message begins by ordering something to be written."""
    return _opening().match(message) is not None


def without_order(sentence: str) -> str:
    """Return a sentence without the words that order it: "a report on X" of "Please write a report on X"."""
    opened = _opening().match(sentence)
    return sentence[opened.end() :].strip() if opened else sentence.strip()


def role_of(heading: str) -> ChapterRole:
    """Return what a chapter of this heading is for."""
    bare = _ARTICLE.sub("", heading.strip().casefold()).strip(" .:")
    return next((role for role, names in _roles().items() if bare in names), ChapterRole.CHAPTER)


def _cut(message: str) -> _Parts:
    lines = list(_LINE.finditer(message))
    if len(lines) >= _LEAST:
        return _Parts(message[: lines[0].start()].strip(" :\n"), _clean([each["heading"] for each in lines]))
    end = _SENTENCE_END.search(message)
    first = message[: end.start()] if end else message
    for head, tail in _leads(first):
        headings = _clean(_items(tail))
        if len(headings) >= _LEAST:
            return _Parts(head, headings)
    return _Parts(first, ())


def _leads(sentence: str) -> list[tuple[str, str]]:
    """Return where headings may be listed: behind a colon, or behind words that lead over to them."""
    found = []
    head, colon, tail = sentence.partition(":")
    if colon:
        found.append((head, tail))
    covers = _covers().search(sentence)
    if covers is not None:
        found.append((sentence[: covers.start()], sentence[covers.end() :]))
    return found


def _items(tail: str) -> list[str]:
    parts = _LISTED.split(tail.strip(" ,;:."))
    return [*parts[:-1], *_AND.split(parts[-1])]


def _clean(items: Sequence[str]) -> tuple[str, ...]:
    """Return items as headings; none where one of them is no heading, for then it is no list of such."""
    named = [_heading(each) for each in items]
    named = [f"{each[:1].upper()}{each[1:]}" for each in named if each]
    is_list = all(len(each) <= _LONGEST and len(each.split()) <= _MOST_WORDS and "?" not in each for each in named)
    return tuple(dict.fromkeys(named)) if is_list else ()


def _heading(item: str) -> str:
    """Return an item without what explains it, the word that joins the last one to a list, and its article."""
    bare = f" {item.strip()}"
    bare = bare[: min((at for each in _ASIDES if (at := bare.find(each, 2)) > 0), default=len(bare))]
    bare = bare[joined.end() :] if (joined := _AND.match(bare)) else bare
    return _ARTICLE.sub("", " ".join(bare.split())).strip(" .,:;")


def _subject(head: str) -> str:
    """Return what a paper is ordered about: the words behind "report on"."""
    rest = without_order(head)
    found = _about().search(rest) or _of().search(rest)
    return _ARTICLE.sub("", rest[found.end() :].strip(" .,:;")) if found else ""


@cache
def _words() -> Mapping[str, Any]:
    return tomllib.loads(files(__package__).joinpath("orders.toml").read_text(encoding="utf-8"))


@cache
def _roles() -> Mapping[ChapterRole, frozenset[str]]:
    return {ChapterRole(role): frozenset(names) for role, names in _words()["roles"].items()}


@cache
def _opening() -> re.Pattern[str]:
    return re.compile(rf"{POLITE}(?:{creating()})\b", re.IGNORECASE)


@cache
def _covers() -> re.Pattern[str]:
    return re.compile(rf"(?:,\s*)?\b(?:{'|'.join(map(re.escape, _words()['covers']))})\b:?", re.IGNORECASE)


@cache
def _about() -> re.Pattern[str]:
    return re.compile(_opening_of(_words()["about"]), re.IGNORECASE)


@cache
def _of() -> re.Pattern[str]:
    return re.compile(_opening_of(_words()["of"]), re.IGNORECASE)


def _opening_of(prepositions: Sequence[str]) -> str:
    return rf"\b(?:{'|'.join(map(re.escape, prepositions))})\s++"
