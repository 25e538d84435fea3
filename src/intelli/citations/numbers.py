"""Numbers as texts write them: what each is worth, in which unit, and whether another text has the same one.

A value is never guessed: where a separator could mean two things, "," groups thousands and "." begins decimals.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

_MINUS = "-\u2010\u2011\u2012\u2013\u2212"
_CURRENCY = r"US\$|[$\u20ac\u00a3\u00a5]|USD|EUR|GBP|CHF|JPY"
_SCALES = {
    3: "thousand|tausend|mille|miles|mil|tsd",
    6: "million|millions|millionen|millones|milioni|mio|mn",
    9: "billion|billions|bn|mrd|milliarde|milliarden|milliard|milliards|miliardi",
    12: "trillion|trillions|billionen",
}
_SCALE_OF = {word: exponent for exponent, words in _SCALES.items() for word in words.split("|")}
_MARKS = {"%": "percent", "\u2030": "per mille", "$": "usd", "\u20ac": "eur", "\u00a3": "gbp", "\u00a5": "jpy"}
_UNITS = {
    "percent": "percent|per cent|prozent|pour cent|por ciento|percentage points?|prozentpunkte?",
    "usd": "us dollars?|dollars?|usd",
    "eur": "euros?|eur",
    "gbp": "pounds?|gbp",
    "chf": "francs?|franken|chf",
    "jpy": "yen|jpy",
}
_UNIT_OF = [(name, re.compile(pattern, re.IGNORECASE)) for name, pattern in _UNITS.items()]
_ANY_SCALE = "|".join(sorted(_SCALE_OF, key=len, reverse=True))
_ANY_UNIT = "|".join(_UNITS.values())
_GAP = r"[\s\u00a0\u202f-]?"
_DIGITS = r"\d{1,3}(?:[.,'\u2019\u00a0\u202f]\d{3})+(?!\d)(?:[.,]\d+)?|\d+(?:[.,]\d+)?|\.\d+"
_FIGURE = re.compile(
    rf"(?<![\w.,])(?:(?P<currency>{_CURRENCY})\s?)?(?:(?<![\d)])(?P<sign>[{_MINUS}])(?=[.\d$\u20ac\u00a3\u00a5]))?"
    rf"(?:(?P<currency2>[$\u20ac\u00a3\u00a5])\s?)?(?P<digits>{_DIGITS})(?P<letter>[A-Za-z]+)?"
    rf"(?:{_GAP}(?P<scale>{_ANY_SCALE})(?!\w)\.?)?"
    rf"(?:{_GAP}(?:(?P<unit>{_ANY_UNIT})(?!\w)|(?P<mark>[%\u2030]|[\u20ac$\u00a3\u00a5](?!\s?\d))))?",
    re.IGNORECASE,
)
_COUNTED = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]
_WORD = re.compile(rf"\b(?:{'|'.join(_COUNTED)})\b", re.IGNORECASE)
_SHORT_SCALES = {"k": 3, "m": 6, "mm": 6, "b": 9, "bn": 9, "tn": 12}
# What may follow the digits without a space. Anything else makes a name of them: 4G, 767s.
_ATTACHED = re.compile(
    "[kcm]?m|[km]?g|m?l|m?s|h|[kmgt]?w|[kmg]wh|[kmgt]b|[kmg]?hz|x|th|st|nd|rd|bps|pp|percent", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Number:
    """A number in a text, from `start` to `end`. `value` leaves the scale out; `scale` is its power of ten, if told."""

    written: str
    start: int
    end: int
    value: Decimal
    scale: int | None
    unit: str

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


def numbers_of(text: str) -> list[Number]:
    """The numbers of a text in order; those inside of words (`B12`, `4G`) are part of a name."""
    return [number for match in _FIGURE.finditer(text) if (number := _number(match)) is not None]


def words_of(text: str) -> list[Number]:
    """Numbers that a text writes out in words."""
    return [
        Number(match[0], match.start(), match.end(), Decimal(_COUNTED.index(match[0].lower())), None, "")
        for match in _WORD.finditer(text)
    ]


def find(number: Number, others: Sequence[Number]) -> Number | None:
    """The one of others that is the same number."""
    return next((other for other in others if is_same(number, other)), None)


def is_same(one: Number, other: Number) -> bool:
    """Whether two numbers are worth the same. A scale or a unit that only one of them tells makes no difference."""
    if one.unit and other.unit and one.unit != other.unit:
        return False
    if one.scale is None or other.scale is None:
        return one.value == other.value or one.worth == other.worth
    return one.worth == other.worth


def value_of(digits: str) -> Decimal:
    """What digits with separators are worth."""
    plain = re.sub(r"['\u2019\u00a0\u202f]", "", digits)
    last = max(plain.rfind(","), plain.rfind("."))
    if last < 0:
        return Decimal(plain)
    mark, other = plain[last], "." if plain[last] == "," else ","
    tail = len(plain) - last - 1
    is_repeated = plain.count(mark) > 1
    groups = is_repeated or (mark == "," and tail == 3 and other not in plain and plain[:last].lstrip("0") != "")
    if groups:
        return Decimal(plain.replace(mark, "").replace(other, "." if is_repeated and other in plain else ""))
    return Decimal(plain[:last].replace(other, "") + "." + plain[last + 1 :])


def _number(match: re.Match[str]) -> Number | None:
    letters = (match["letter"] or "").lower()
    money = match["currency"] or match["currency2"]
    short = _SHORT_SCALES.get(letters) if money or letters in {"bn", "tn"} else _SCALE_OF.get(letters)
    if letters and short is None and not _ATTACHED.fullmatch(letters):
        return None
    scale = short if letters else _SCALE_OF.get((match["scale"] or "").lower())
    written = match[0].rstrip(". ")
    value = value_of(match["digits"])
    unit = _unit(money or match["unit"] or match["mark"] or "")
    return Number(written, match.start(), match.start() + len(written), -value if match["sign"] else value, scale, unit)


def _unit(written: str) -> str:
    if written[-1:] in _MARKS:
        return _MARKS[written[-1]]
    return next((name for name, pattern in _UNIT_OF if pattern.fullmatch(written)), "")
