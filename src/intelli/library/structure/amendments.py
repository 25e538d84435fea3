"""What a document amends or replaces, as its title or its first paragraphs name it."""

import re
from collections.abc import Iterator, Sequence
from functools import cache

from intelli.language.languages import languages
from intelli.library.extraction.model import PieceKind
from intelli.library.structure.document_structure import DocumentStructure, flow
from intelli.library.structure.heading_words import HeadingWords
from intelli.library.structure.told_words import FactOrigin, ToldAmendment, ToldWords

_PARAGRAPHS = 6
_LONGEST = 120
_SHORTEST = 4
_END = re.compile(r"(?<!\bNo)(?<!\bNr)\.(?!\S)|[;:(\n\"\u201c\u201d]|,\s|\s(?:as follows|wie folgt)\b")
_LEAD = re.compile(
    r"\W{0,3}(?:(?:no|nr)\W{0,3})?(?:\d{1,3}\W{1,3})?(?:to|zu[mr]?|des|der|dem)?\s?(?:the|this|den|das|die)?\b\s*",
    re.IGNORECASE,
)


def find_amendments(text: str, structure: DocumentStructure, heads: Sequence[HeadingWords]) -> Iterator[ToldAmendment]:
    """Yield what a document says that it amends or replaces, each once."""
    seen: set[str] = set()
    for words, start in _places(text, structure, heads):
        for found in _phrases().finditer(words):
            name = _name_behind(words, found.end())
            if name is None or name[0].casefold() in seen:
                continue
            seen.add(name[0].casefold())
            span = (start + found.start(), start + name[1])
            told = ToldWords(name[0], text[span[0] : span[1]], FactOrigin.TEXT, span)
            yield ToldAmendment(told, replaces=found[0].casefold() in _replacing())


def _places(text: str, structure: DocumentStructure, heads: Sequence[HeadingWords]) -> Iterator[tuple[str, int]]:
    for head in heads:
        yield head.text, head.start
    paragraphs = [piece for piece in structure.pieces[:60] if piece.kind is PieceKind.PARAGRAPH]
    for piece in paragraphs[:_PARAGRAPHS]:
        yield flow(text, piece)[:1000], piece.start


def _name_behind(words: str, at: int) -> tuple[str, int] | None:
    """Return the name of a document that follows a phrase, and where it ends; None for words without a capital."""
    lead = _LEAD.match(words, at)
    begin = lead.end() if lead else at
    stop = _END.search(words, begin, begin + _LONGEST)
    end = stop.start() if stop else min(len(words), begin + _LONGEST)
    name = words[begin:end].strip()
    if len(name) < _SHORTEST or not name[0].isupper():
        return None
    return name, begin + len(words[begin:end].rstrip())


@cache
def _phrases() -> re.Pattern[str]:
    phrases = sorted({phrase for known in languages().values() for phrase in known.amending}, key=len, reverse=True)
    return re.compile(rf"\b(?:{'|'.join(map(re.escape, phrases))})\b", re.IGNORECASE)


@cache
def _replacing() -> frozenset[str]:
    return frozenset(phrase for known in languages().values() for phrase in known.replacing)


def find_between(text: str) -> int | None:
    """Return the place behind the word that the parties of a contract follow; None without one."""
    found = _between().search(text)
    return found.end() if found else None


@cache
def _between() -> re.Pattern[str]:
    words = sorted({word for known in languages().values() for word in known.between})
    return re.compile(rf"\b(?:{'|'.join(words)})\b", re.IGNORECASE)
