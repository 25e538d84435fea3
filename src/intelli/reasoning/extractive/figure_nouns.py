"""Noun that a figure belongs to: "a $60 copay", "a copay of $60", "the copay for visits is $60" → copay."""

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from intelli.reasoning.extractive.languages import languages

TOKEN = re.compile(r"[^\W\d_]+(?:[-\u2010\u2011'\u2019][^\W\d_]+)*")
_OF = frozenset({"of", "von", "der", "des", "de", "du", "del", "di", "van"})


@dataclass(frozen=True, slots=True)
class FigureNoun:
    """The words that name a figure, those that name its owner, and the other words of its clause."""

    words: Sequence[str]
    owner: Sequence[str] = ()
    rest: Sequence[str] = ()


def noun_of(before: str, after: str, language: str) -> FigureNoun:
    """What a figure is a figure of: "a $60 copay", "a copay of $60", "the copay for visits is $60"."""
    tokens = [match[0] for match in TOKEN.finditer(before)]
    is_of = False
    while tokens and _leads(tokens[-1], language):
        is_of = tokens.pop().lower() in _OF or is_of
    follows = _noun_after(after, language)
    is_attribute = re.search(r"\b(?:an?|the|eine?[nmrs]?)\s*$", before, re.IGNORECASE) is not None
    if follows and (is_attribute or not tokens):
        return FigureNoun(follows, (), tokens)
    known = languages()[language]
    stop = len(tokens) if is_of else _first_preposition(tokens, language)
    start = max((at + 1 for at in range(stop) if tokens[at].lower() in known.stop_words), default=0)
    tail = tokens[stop:]
    if tail and tail[0].lower() in _OF:
        length = next((at for at in range(2, len(tail)) if tail[at].lower() in known.prepositions), len(tail))
        return FigureNoun(tokens[start:stop], tail[:length], [*tokens[:start], *tail[length:]])
    return FigureNoun(tokens[start:stop], (), [*tokens[:start], *tail])


def _first_preposition(tokens: Sequence[str], language: str) -> int:
    """Return where the first preposition stands that a noun may end at; the number of tokens where none does."""
    known = languages()[language]
    for at, token in enumerate(tokens):
        if token.lower() in known.prepositions and any(not _leads(each, language) for each in tokens[:at]):
            return at
    return len(tokens)


def _noun_after(after: str, language: str) -> list[str]:
    found: list[str] = []
    for match in TOKEN.finditer(after):
        gap = after[: match.start()] if not found else ""
        if match[0].lower() in languages()[language].stop_words or gap.strip(" \u00a0-"):
            break
        found.append(match[0])
    return found[:2]


def _leads(token: str, language: str) -> bool:
    word = token.lower()
    return word in languages()[language].stop_words or word in listed_words("leading")


@cache
def contrasts() -> Mapping[str, str]:
    """Load the word lists by which figures are told apart."""
    return tomllib.loads(files(__package__).joinpath("contrasts.toml").read_text(encoding="utf-8"))


@cache
def listed_words(name: str) -> frozenset[str]:
    """Return the words of a list, for all languages together."""
    return frozenset(contrasts()[name].split())
