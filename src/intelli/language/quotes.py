"""Find a quote in the text it was read from: exactly, or after a normalisation that changes no letter, digit or sign.

Two texts are equal when their *skeletons* are: letters and digits after NFKC and case folding, without accents, and
the signs that carry meaning (comparison, percent, currency, plus, and). White space, line ends, hyphens, quotation
marks, dashes and other punctuation do not count. Numbers are compared with their separators and their sign besides:
"1,577" is not "15.77", though their skeletons agree. A quote neither begins nor ends inside of a word, a number or
beside a sign that belongs to it: "50" is no quote of "50 %". `…` or `[…]` in a quote marks an omission.
"""

import re
import unicodedata
from array import array
from bisect import bisect_left
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

_SIGNS = frozenset("&<>=\u2264\u2265\u2260\u2248\u00b1%\u2030$\u20ac\u00a3\u00a5+\u00d7\u00f7^\u00b0~")
_PLAIN = re.compile(r"[A-Za-z0-9&<>=%$+^~]+")
_ELISION = re.compile(
    r"(?:(?<!\s)\s++)?+(?:\[\s*+(?:\u2026|\.\.\.)\s*+\]|\(\s*+(?:\u2026|\.\.\.)\s*+\)|\u2026|\.\.\.)\s*+"
)
_MINUS = "-\u2010\u2011\u2012\u2013\u2212"
_NUMBER = re.compile(rf"(?:(?<![\w.,)])[{_MINUS}])?\d+(?:[.,]\d+|['\u2019\u00a0\u202f]\d{{3}}(?!\d))*")
_SEPARATED = re.compile(r"['\u2019\u00a0\u202f]")
# A sign beside a quote that belongs to its first or last word: without it, 50 % is 50, and p > 0.05 is 0.05. What only
# joins two words belongs to neither of them, unless it is written to one.
_COMPARISON = r"<>=\u2264\u2265\u2260\u2248~"
_CURRENCY = r"$\u20ac\u00a3\u00a5"
_SIGN_BEFORE = re.compile(
    rf"(?<![^\w\s])(?:[^\w\s{_COMPARISON}{_CURRENCY}]*+[{_COMPARISON}{_CURRENCY}][^\w\s]*+\s?|[^\w\s&\u00b1+]*+[&\u00b1+][^\w\s]*+)$"
)
_SIGN_AFTER = re.compile(rf"\s?[^\w\s]*?[{_COMPARISON}\u00b1+%\u2030\u00b0]|[^\w\s]*?[&{_CURRENCY}]")
_SIGHT = 8
# Less can stand anywhere by chance.
_LEAST_SKELETON = 4
_LEAST_PART = 8
_FURTHEST_PART = 2000
_MOST_TRIES = 200


class MatchMethod(StrEnum):
    """How a quote was found."""

    EXACT = "exact"
    NORMALISED = "normalised"
    ELIDED = "elided"


@dataclass(frozen=True, slots=True)
class QuoteMatch:
    """Where a quote stands: the text from `start` to `end`."""

    start: int
    end: int
    method: MatchMethod


def skeleton(text: str) -> str:
    """What is left of a text when all that does not count is taken away."""
    return "".join(_skeleton_of(piece) for piece in text)


def numbers(text: str) -> list[str]:
    """The numbers of a text in order, with separators and sign."""
    found = (_SEPARATED.sub("", match[0]) for match in _NUMBER.finditer(text))
    return [f"-{each[1:]}" if each[0] in _MINUS else each for each in found]


def says_the_same(one: str, other: str) -> bool:
    """Whether two texts are the same after the normalisation."""
    return skeleton(one) == skeleton(other) and numbers(one) == numbers(other)


class QuoteIndex:
    """A text in which quotes are looked up."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._skeleton, self._places = _index(text)

    def find(self, quote: str, *, within: tuple[int, int] | None = None) -> QuoteMatch | None:
        """Where a quote stands, within a part of the text or anywhere; None when it stands nowhere as it is."""
        start, end = within or (0, len(self._text))
        parts = [part for part in _ELISION.split(quote) if part]
        return (
            self._exact(quote.strip(), start, end)
            or self._normalised(quote, start, end)
            or self._elided(parts, start, end)
        )

    def _exact(self, quote: str, start: int, end: int) -> QuoteMatch | None:
        at = start - 1
        for _ in range(_MOST_TRIES if quote else 0):
            at = self._text.find(quote, at + 1, end)
            if at < 0:
                return None
            hit = QuoteMatch(at, at + len(quote), MatchMethod.EXACT)
            if self._is_whole(hit):
                return hit
        return None

    def _normalised(self, quote: str, start: int, end: int) -> QuoteMatch | None:
        wanted = skeleton(quote)
        if len(wanted) < _LEAST_SKELETON:
            return None
        at, last = self._place(start), self._place(end)
        for _ in range(_MOST_TRIES):
            at = self._skeleton.find(wanted, at, last)
            if at < 0:
                return None
            hit = self._hit(at, at + len(wanted), MatchMethod.NORMALISED)
            if self._is_whole(hit) and numbers(self._text[hit.start : hit.end]) == numbers(quote):
                return hit
            at += 1
        return None

    def _elided(self, parts: list[str], start: int, end: int) -> QuoteMatch | None:
        """Every part in its order, none far from the one before."""
        if len(parts) < 2 or any(len(skeleton(part)) < _LEAST_PART for part in parts):
            return None
        first = self._normalised(parts[0], start, end)
        for _ in range(_MOST_TRIES):
            if first is None:
                return None
            last = self._rest(parts[1:], first.end, end)
            if last is not None:
                return QuoteMatch(first.start, last, MatchMethod.ELIDED)
            first = self._normalised(parts[0], first.start + 1, end)
        return None

    def _rest(self, parts: list[str], at: int, end: int) -> int | None:
        for part in parts:
            hit = self._normalised(part, at, min(end, at + _FURTHEST_PART + len(part)))
            if hit is None:
                return None
            at = hit.end
        return at

    def _hit(self, first: int, last: int, method: MatchMethod) -> QuoteMatch:
        start, end = self._places[first], self._places[last - 1] + 1
        if start and self._text[start - 1] in _MINUS and self._text[start].isdigit():
            start -= 1
        return QuoteMatch(start, end, method)

    def _is_whole(self, hit: QuoteMatch) -> bool:
        """Whether it begins and ends where words do: a piece of a word or a number is no quote of it."""
        if _joins(self._text, hit.start) or _joins(self._text, hit.end):
            return False
        before, after = self._text[max(0, hit.start - _SIGHT) : hit.start], self._text[hit.end : hit.end + _SIGHT]
        return _SIGN_BEFORE.search(before) is None and _SIGN_AFTER.match(after) is None

    def _place(self, offset: int) -> int:
        return bisect_left(self._places, offset)


def _joins(text: str, at: int) -> bool:
    """Whether the characters before and after a place belong to one word or number."""
    if not 0 < at < len(text):
        return False
    before, after = text[at - 1], text[at]
    if before.isalnum() and after.isalnum():
        return _is_spaced(before) and _is_spaced(after)
    if before in ".," and after.isdigit():
        return at > 1 and text[at - 2].isdigit()
    if before in _MINUS and after.isdigit():
        return at == 1 or not (text[at - 2].isalnum() or text[at - 2] in ".,)")
    return after in ".," and before.isdigit() and text[at + 1 : at + 2].isdigit()


def _is_spaced(character: str) -> bool:
    """False for scripts that put no space between words."""
    return not ("\u0e00" <= character <= "\u0eff" or "\u3040" <= character <= "\u9fff")


def _index(text: str) -> tuple[str, "array[int]"]:
    """The skeleton, and for each of its characters where it comes from."""
    pieces: list[str] = []
    places: array[int] = array("I")
    for at, character in enumerate(text):
        piece = _skeleton_of(character)
        if piece:
            pieces.append(piece)
            places.extend([at] * len(piece))
    return "".join(pieces), places


@lru_cache(maxsize=65_536)
def _skeleton_of(character: str) -> str:
    if character.isascii():
        return character.lower() if _PLAIN.match(character) else ""
    folded = unicodedata.normalize("NFD", unicodedata.normalize("NFKC", character).casefold())
    return "".join(each for each in folded if each.isalnum() or each in _SIGNS)
