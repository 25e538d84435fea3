"""Lines of a part of a text with their places, and the marks that list items begin with."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from intelli.language.languages import languages

_BULLETS = frozenset(
    "-*+\u2022\u2023\u25e6\u25aa\u25ab\u25a0\u25a1\u25cf\u25cb\u25ba\u25b6\u27a2\u27a4\u2713\u2714\u2756\u2219\u00b7"
    "\u2013\u2014\uf0b7\uf0a7\uf0d8\uf0fc\uf02d"
)
_NUMBER = re.compile(r"\(?(?:\d{1,3}(?:\.\d{1,3}){0,3}|[A-Za-z]|[ivxIVX]{1,5})[.)]|\d{1,3}(?:\.\d{1,3}){1,3}")
_LABEL_CHARS = 12
_TERMINAL = ".!?\u2026:;\u3002"
_CLOSING = "\"'\u201d\u2019\u00bb)]"


@dataclass(frozen=True, slots=True)
class LineSpan:
    """A line that is not blank, without the blanks around it."""

    start: int
    end: int
    text: str


def lines_of(text: str, start: int, end: int) -> Iterator[LineSpan]:
    """Yield the lines of `text[start:end]` that are not blank."""
    at = start
    if "\n" not in text[start:end]:
        bare = text[start:end].strip()
        if bare:
            begin = text.index(bare[0], start)
            yield LineSpan(begin, begin + len(bare), bare)
        return
    for line in text[start:end].split("\n"):
        bare = line.strip()
        if bare:
            begin = at + line.index(bare[0])
            yield LineSpan(begin, begin + len(bare), bare)
        at += len(line) + 1


def has_marker(line: str) -> bool:
    """Return whether a line begins as a list item: with a bullet, or a number with its mark, and words behind it."""
    label, _, rest = line.partition(" ")
    if not rest.strip() or len(label) > _LABEL_CHARS:
        return False
    return label in _BULLETS or (label[-1] in ".)" and _NUMBER.fullmatch(label) is not None)


def is_numbered(line: str) -> bool:
    """Return whether a line begins with a number of a section: "3", "3.1", "IV."."""
    label, _, rest = line.partition(" ")
    if not rest.strip() or len(label) > _LABEL_CHARS:
        return False
    return label.isdigit() or _NUMBER.fullmatch(label) is not None


def ends_sentence(text: str) -> bool:
    """Return whether a text ends as a sentence or a clause does, quotes and brackets aside."""
    return text.rstrip().rstrip(_CLOSING).endswith(tuple(_TERMINAL))


def bare_words(text: str) -> str:
    """Return a heading in lower case without its number, its mark and its colon: "2. Contents:" becomes "contents"."""
    words = text.strip().strip("#*_ ").rstrip(":. ").split()
    while words and words[0].strip(".)(").replace(".", "").isdigit():
        words = words[1:]
    return " ".join(words).casefold()


def is_bibliography(heading: str) -> bool:
    """Return whether a heading stands over a list of references."""
    return bare_words(heading) in _bibliographies()


@cache
def _bibliographies() -> frozenset[str]:
    return frozenset(phrase for known in languages().values() for phrase in known.bibliography)
