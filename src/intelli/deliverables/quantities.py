"""Quantities: the plain value of a figure in a unit without a scale, parsed from the words it is written in.

"€36.9 million" is 36900000 in "€"; the words are stored beside it as they are written. A figure that can be read in
more than one way, such as "12 k", is not parsed.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation

from intelli.language import numbers, scales
from intelli.language.numbers import Number

# A unit is also told by a heading, "in thousands"; "mil" is a measure as well, and miles are a distance.
_SCALES = scales.pattern((scales.SCALE_OF.keys() | {"thousands", "tn"}) - {"mil", "miles"})
_SCALE = re.compile(rf"(?<![^\W\d_])(?:{_SCALES}|miles(?=\s+de\b))(?![^\W_])\.?", re.IGNORECASE)
_LETTER = re.compile(r"(?<=\d)[\s\u00a0\u202f]?(k|mm|m|b)(?![^\W_])\.?", re.IGNORECASE)
_AMBIGUOUS = re.compile(r"(?<=\d)[\s\u00a0\u202f]?(?:k|m|b)(?![^\W_])", re.IGNORECASE)
_DIGITS = re.compile(r"[-\u2010-\u2013\u2212+]?\d(?:[\d.,'\u2019\u00a0\u202f]*\d)?")
_SPACED = re.compile(r"(?<=\d) (?=\d{3}(?!\d))")
_EDGES = " \t\n\u00a0\u202f.,;:()[]-\u2013"
_SPACE = re.compile(r"\s+")
_PLAIN_SPACE = re.compile(r"[ \t\r\n]+")
_MOST_DIGITS = 60


@dataclass(frozen=True, slots=True)
class Quantity:
    """A plain number in a unit without a scale, and the words for both."""

    value: Decimal
    unit: str
    shown: str


def plain(value: Decimal) -> Decimal:
    """A number written out: no exponent stands for a scale."""
    exponent = value.as_tuple().exponent
    is_short = isinstance(exponent, int) and abs(value.adjusted()) <= _MOST_DIGITS and abs(exponent) <= _MOST_DIGITS
    return Decimal(format(value, "f")) if is_short else value


def decimal(value: object) -> Decimal | None:
    """A number as it comes from JSON; none for what is none."""
    try:
        made = Decimal(str(value))
    except InvalidOperation:
        return None
    return made if made.is_finite() else None


def unit_of(written: str) -> str:
    """What is left of the words for a unit without its scale and without the marks around it."""
    bare = _SCALE.sub(" ", f" {written} ").strip(_EDGES)
    return _SPACE.sub(" ", re.sub(r"^(?:of|von|d['\u2019e])\s+", "", bare)).strip(_EDGES)


def read(written: str, quote: str, unit: str = "", *, around: Sequence[str] = ()) -> Quantity | None:
    """The quantity that a figure is where it stands in a quote; `unit` is what whoever read it took for its unit.

    `around` is what the quote stands in: it tells how numbers are written where the quote does not.
    """
    text, said = _spaced_as_one(quote, written), _spaced_as_one(written, written)
    found = list({each.value: each for each in _standing(said, numbers.numbers_of(text, *around), text, unit)}.values())
    if len(found) > 1:
        told = scale_of(unit)
        found = [each for each in found if told is not None and scale_of(each.shown) == told]
    return found[0] if len(found) == 1 else None


def of_point(written: str, quote: str, *, around: Sequence[str] = ()) -> Quantity | None:
    """The quantity of one value of a series; a cell may stand apart from its sign in the quote.

    None for what may be thousands or decimals, and nothing tells which: an axis would show one of them.
    """
    bare = written.strip("() ")
    number = next(iter(numbers.numbers_of(bare, quote, *around)), None)
    if number is None or number.is_open:
        return None
    found = read(written, quote, around=around)
    if found is not None:
        return found
    is_negative = written.strip().startswith("(") and number.value > 0
    value = plain(number.worth)
    return Quantity(-value if is_negative else value, _own_unit(bare), written.strip())


def scale_of(text: str) -> int | None:
    """The power of ten that words tell; none where they tell none."""
    found = _SCALE.search(text)
    number = next(iter(numbers.numbers_of(f"1 {found[0].rstrip('.')}")), None) if found else None
    return number.scale if number is not None else None


def scale_word(text: str) -> str:
    """The word for a scale, as written."""
    found = _SCALE.search(text)
    return found[0].rstrip(".") if found else ""


def tidy(unit: str) -> str:
    """A unit without the marks around it."""
    return _SPACE.sub(" ", unit).strip(_EDGES)


def is_worth(value: Decimal, shown: str) -> bool:
    """Whether words have a number of this worth, in either way to write decimals; those without a number have any."""
    found = numbers.numbers_of(shown)
    worths = {abs(worth) for each in found for worth in _worths(each, shown)}
    return not found or abs(value) in worths


def worth_of(shown: str) -> Decimal | None:
    """What the only number in some words is worth."""
    found = numbers.numbers_of(shown)
    return plain(found[0].value.scaleb(_exponent(found[0], shown) or 0)) if len(found) == 1 else None


def _worths(number: Number, text: str) -> Iterator[Decimal]:
    exponent = _exponent(number, text) or 0
    yield number.value.scaleb(exponent)
    if number.by_comma is not None:
        yield number.by_comma.scaleb(exponent)


def _standing(written: str, known: Sequence[Number], quote: str, unit: str) -> Iterator[Quantity]:
    """The quantities of a quote that have the digits of a figure where its words stand, or are worth the same."""
    said = _PLAIN_SPACE.sub(" ", written).strip()
    digits = _DIGITS.search(said)
    if digits is None:
        return
    places = [match.span() for match in re.finditer(r"\s+".join(map(re.escape, said.split(" "))), quote)]
    for start, end in places:
        at = start + digits.start()
        number = next((each for each in known if each.start <= at < each.end), None)
        if number is not None and _digits(number) == _bare(digits[0]):
            made = _made(number, quote, (min(start, number.start), max(end, number.end)), unit)
            if made is not None:
                yield made
    if not places:
        alone = next(iter(numbers.numbers_of(said)), None)
        same = numbers.find(alone, known) if alone is not None else None
        made = _made(same, quote, (same.start, same.end), unit) if same is not None else None
        if made is not None:
            yield made


def _made(number: Number, quote: str, span: tuple[int, int], unit: str) -> Quantity | None:
    exponent = _exponent(number, quote[: number.end + 4])
    end = span[1] + _reach(unit_of(unit), quote[span[1] :])
    shown = quote[span[0] : end].strip()
    if exponent is None and (_AMBIGUOUS.search(quote[number.start : number.end + 3]) or scale_of(unit) is not None):
        # "12 k" may be anything, and so may a scale that only stands elsewhere.
        return None
    # Brackets that were read with a figure make it negative, as accounts are written.
    is_negative = shown.startswith("(") and shown.endswith(")") and number.value > 0
    worth = plain(number.value.scaleb(exponent or 0))
    return Quantity(
        -worth if is_negative else worth,
        _own_unit(shown) or _told_unit(unit, quote),
        " ".join(shown.split()).rstrip(".,;: "),
    )


def _reach(unit: str, behind: str) -> int:
    """How far a unit reaches that stands right behind a figure."""
    found = re.match(rf"[\s\u00a0\u202f-]?{re.escape(unit)}(?!\w)", behind) if unit else None
    return found.end() if found else 0


def _exponent(number: Number, text: str) -> int | None:
    """The power of ten that a number is told with; a letter is one behind money."""
    if number.scale is not None or number.unit in {"", "percent", "per mille"}:
        return number.scale
    letter = _LETTER.search(text, max(0, number.start), number.end + 3)
    return scales.LETTERS[letter[1].lower()] if letter and letter.end() >= number.end else None


def _own_unit(shown: str) -> str:
    """The unit that stands with a figure: what is neither digits nor scale."""
    return unit_of(_DIGITS.sub(" ", _LETTER.sub(" ", shown) if _has_money(shown) else shown))


def _has_money(shown: str) -> bool:
    found = numbers.numbers_of(shown)
    return bool(found) and found[0].unit not in {"", "percent", "per mille"}


def _told_unit(unit: str, quote: str) -> str:
    bare = unit_of(unit)
    return bare if bare and bare.casefold() in quote.casefold() else ""


def _digits(number: Number) -> str:
    found = _DIGITS.search(number.written)
    return _bare(found[0]) if found else ""


def _bare(digits: str) -> str:
    return re.sub(r"[^\d]", "", digits)


def _spaced_as_one(text: str, written: str) -> str:
    """The text with the groups of digits of a figure as one number: "1 234,5". A character for a character."""
    if not re.search(r"(?<!\d)\d{1,3}(?: \d{3})+(?!\d)", written):
        return text
    return re.sub(r"(?<!\d)\d{1,3}(?: \d{3})+(?!\d)", lambda match: _SPACED.sub("\u00a0", match[0]), text)
