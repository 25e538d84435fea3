"""Parse numbers of texts: their value and unit, and whether another text contains an equal one.

A value is never guessed. Where a separator is ambiguous, as in "1.577" and "1,577", the notation of the text decides:
German, French and others write 1.577 for what English writes as 1,577. When the text does not show its notation, the
surrounding text decides, then the text it is compared with, and English last.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

from intelli.language import languages, scales, units, words
from intelli.language.notation import Decimals, decimals_of

# Languages in which a plain space groups thousands of a text.
_SPACE_LANGUAGES = frozenset({"fr", "ru"})
# Where "miles" are thousands. Elsewhere they are a distance.
_MILES_LANGUAGES = frozenset({"es", "pt"})
_GROUPED_BY_SPACE = re.compile(r"(?<=\d) (?=\d{3}(?!\d))")
# Nothing else stands in the cell of a table, or in the text: there a space groups thousands in every language.
_SPACED_CELL = re.compile(
    r"(?:^|(?<=[|\t]))[^\w|\t\n]*\d{1,3}(?: \d{3})+(?:[.,]\d+)?[^\w|\t\n]*(?=[|\t]|$)", re.MULTILINE
)
_OTHER_SPACES = re.compile("[\u2007\u2009\u2060]")
_MINUS = "-\u2010\u2011\u2012\u2013\u2212"
_GROUP = 3
_ANY_SCALE = scales.pattern(scales.SCALE_OF.keys())
_GAP = r"[\s\u00a0\u202f-]?"
_DIGITS = r"\d{1,3}(?:[.,'\u2019\u00a0\u202f]\d{3})+(?!\d)(?:[.,]\d+)?|\d+(?:[.,]\d+)?|\.\d+"
_FIGURE = re.compile(
    rf"(?<![\w.,])(?:(?P<currency>{units.CURRENCY})\s?)?(?:(?<![\d)])(?P<sign>[{_MINUS}])(?=[.\d{units.MONEY_SIGNS}]))?"
    rf"(?:(?P<currency2>[{units.MONEY_SIGNS}])\s?)?(?P<digits>{_DIGITS})(?P<letter>[A-Za-z]+)?"
    rf"(?:{_GAP}(?P<scale>{_ANY_SCALE})(?!\w)\.?)?"
    rf"(?:{_GAP}(?:(?P<unit>{units.WORDS})(?!\w)|(?P<mark>[%\u2030]|[\u20ac$\u00a3\u00a5](?!\s?\d))))?",
    re.IGNORECASE,
)
# Numbers that English writes out in words; higher ones seldom are.
_LAST_COUNTED = 12
COUNTED = {word: number for word, number in languages.languages()["en"].number_words.items() if number <= _LAST_COUNTED}
# English and German write them in any text; words of other languages mean other things there.
_SPELT = COUNTED | languages.languages()["de"].number_words
_WORD = re.compile(rf"\b(?:{'|'.join(sorted(_SPELT, key=len, reverse=True))})\b", re.IGNORECASE)
# What may follow the digits without a space. Anything else makes a name of them: 4G, 767s.
_ATTACHED = re.compile(
    "[kcm]?m|[km]?g|m?l|m?s|h|[kmgt]?w|[kmg]wh|[kmgt]b|[kmg]?hz|x|th|st|nd|rd|bps|pp|percent", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Number:
    """A number in a text, from `start` to `end`. `value` leaves the scale out; `scale` is its power of ten, if told.

    `decimals` is how its text writes, if that tells; `by_comma` is what it is worth where a comma begins decimals.
    """

    written: str
    start: int
    end: int
    value: Decimal
    scale: int | None
    unit: str
    decimals: Decimals | None = None
    by_comma: Decimal | None = None

    @property
    def is_open(self) -> bool:
        """Whether it could be worth two things, and nothing tells which."""
        return self.decimals is None and self.by_comma is not None and self.by_comma != self.value

    @property
    def worth(self) -> Decimal:
        """The value with its scale."""
        return self.value.scaleb(self.scale or 0)

    @property
    def step(self) -> Decimal:
        """One of the last digit that is written: what it may be off by, and still be rounded right, is half of it."""
        exponent = self.value.as_tuple().exponent
        assert isinstance(exponent, int), "a written number is finite"
        return Decimal(1).scaleb(exponent + (self.scale or 0))


def numbers_of(text: str, *around: str) -> list[Number]:
    """The numbers of a text in order; those inside of words (`B12`, `4G`) are part of a name.

    `around` is what the text stands in, the nearest first: where it does not tell how it writes numbers, these do.
    """
    language = words.find_language(text)
    decimals = decimals_of(text, *around)
    # A character for a character, so that every place stays what it is.
    joined = _OTHER_SPACES.sub("\u00a0", text)
    joined = _SPACED_CELL.sub(lambda cell: _GROUPED_BY_SPACE.sub("\u00a0", cell[0]), joined)
    joined = _GROUPED_BY_SPACE.sub("\u00a0", joined) if language in _SPACE_LANGUAGES else joined
    is_spanish = language in _MILES_LANGUAGES
    found = (_number(match, decimals, has_miles=is_spanish) for match in _FIGURE.finditer(joined))
    return [replace(number, written=text[number.start : number.end]) for number in found if number is not None]


def words_of(text: str) -> list[Number]:
    """Numbers that a text writes out in words."""
    return [
        Number(match[0], match.start(), match.end(), Decimal(_SPELT[match[0].lower()]), None, "")
        for match in _WORD.finditer(text)
    ]


def find(number: Number, others: Sequence[Number]) -> Number | None:
    """The one of others that is the same number."""
    return next((other for other in others if is_same(number, other)), None)


def is_same(one: Number, other: Number) -> bool:
    """Whether two numbers are worth the same. A scale or a unit that only one of them tells makes no difference."""
    if one.unit and other.unit and one.unit != other.unit:
        return False
    if {one.decimals, other.decimals} == {None, Decimals.COMMA}:
        one, other = _read_by_comma(one), _read_by_comma(other)
    if one.scale is None or other.scale is None:
        return one.value == other.value or one.worth == other.worth
    return one.worth == other.worth


def value_of(digits: str, decimals: Decimals = Decimals.POINT) -> Decimal:
    """What digits with separators are worth; `decimals` decides only where both readings are possible."""
    plain = re.sub(r"['\u2019\u00a0\u202f]", "", digits)
    last = max(plain.rfind(","), plain.rfind("."))
    if last < 0:
        return Decimal(plain)
    mark, other = plain[last], "." if plain[last] == "," else ","
    is_repeated = plain.count(mark) > 1
    if is_repeated or (_is_ambiguous(plain) and mark != decimals):
        return Decimal(plain.replace(mark, "").replace(other, "." if is_repeated and other in plain else ""))
    return Decimal(plain[:last].replace(other, "") + "." + plain[last + 1 :])


def _is_ambiguous(plain: str) -> bool:
    """One separator, and three digits after it: thousands, or decimals. Nothing before it but a zero is no thousand."""
    head, _, tail = plain.replace(",", ".").partition(".")
    return len(tail) == _GROUP and tail.isdigit() and len(head) <= _GROUP and head.lstrip("0") != ""


def _read_by_comma(number: Number) -> Number:
    return number if number.by_comma is None else replace(number, value=number.by_comma)


def _number(match: re.Match[str], decimals: Decimals | None, *, has_miles: bool) -> Number | None:
    letters = (match["letter"] or "").lower()
    money = match["currency"] or match["currency2"]
    short = _attached_scale(letters, is_money=bool(money))
    if letters and short is None and not _ATTACHED.fullmatch(letters):
        return None
    told = (match["scale"] or "").lower()
    is_distance = told == "miles" and not has_miles
    scale = short if letters else None if is_distance else scales.SCALE_OF.get(told)
    written = (match[0][: match.start("scale") - match.start()] if is_distance else match[0]).rstrip(". ")
    sign = -1 if match["sign"] else 1
    value = sign * value_of(match["digits"], decimals or Decimals.POINT)
    by_comma = sign * value_of(match["digits"], Decimals.COMMA)
    where = (written, match.start(), match.start() + len(written))
    return Number(*where, value, scale, _unit_of(match, money), decimals, by_comma)


def _attached_scale(letters: str, *, is_money: bool) -> int | None:
    """Return the power of ten of letters right behind the digits: 6 for "$5m", 9 for "5bn", None for "5m" (metres)."""
    return scales.LETTERS.get(letters) if is_money or letters in {"bn", "tn"} else scales.SCALE_OF.get(letters)


def _unit_of(match: re.Match[str], money: str | None) -> str:
    return units.unit_of(money or match["unit"] or match["mark"] or "")
