"""Years and periods of texts: "2024", "Q3 2024", "H1", "FY24", "2023/24", "from 2019 to 2023"."""

import re
from dataclasses import dataclass
from decimal import Decimal

from intelli.language import languages


def _year(centuries: str) -> str:
    return rf"(?:{centuries}|20)\d\d"


# The text of a regular expression for a year. Callers add the boundaries that their texts need.
YEAR = _year("1[5-9]")
# Years of living memory: where numbers of any kind stand, 1650 is seldom a year.
RECENT_YEAR = _year("19")
# Years in a date or beside a word of time, which leave no doubt.
DATED_YEAR = _year(r"1\d")
# A year that is no part of a longer number.
WRITTEN_YEAR = re.compile(rf"(?<![\d.,]){YEAR}(?![\d.,]\d|\d)")
# A year that is no part of a longer number, a name, or a span: "CO2-2030", "2019-2023".
LONE_YEAR = re.compile(rf"(?<![\w.,-]){YEAR}(?![\w-]|[.,]\d)")
_YEARS = range(1500, 2101)

_ALL = tuple(languages.languages().values())
_ORDINALS = {word: number for known in _ALL for word, number in known.ordinals.items()}
_ORDINALS |= {"1": 1, "2": 2, "3": 3, "4": 4, "i": 1, "ii": 2, "iii": 3, "iv": 4}
_MONTHS_IN = dict.fromkeys([word for known in _ALL for word in known.quarters] + ["q", "t"], 3)
_MONTHS_IN |= dict.fromkeys([word for known in _ALL for word in known.halves] + ["h", "s"], 6)
_LETTER_OF = {3: "Q", 6: "H"}


def _any(words: dict[str, int]) -> str:
    return "|".join(sorted(map(re.escape, words), key=len, reverse=True))


_PART = re.compile(
    rf"(?<![^\W\d_])(?:(?P<o1>{_any(_ORDINALS)})(?:st|nd|rd|th|er|e|\u00ba|[.-])?\s?(?P<n1>{_any(_MONTHS_IN)})"
    rf"|(?P<n2>{_any(_MONTHS_IN)})\s?(?P<o2>{_any(_ORDINALS)}))(?!\w)",
    re.IGNORECASE,
)
# The words for a fiscal year, as the text of a regular expression.
FISCAL = "|".join(sorted((word for known in _ALL for word in known.fiscal_years), key=len, reverse=True))
# Two years with words or a dash between them, each in a group.
YEAR_RANGE = re.compile(
    rf"\b(?:(?:between|from|zwischen|von)\s+)({YEAR})\s+(?:and|to|und|bis)\s+({YEAR})\b|"
    rf"\b({YEAR})\s?[\u2013-]\s?({YEAR})\b",
    re.IGNORECASE,
)
_TURN_OF_YEARS = re.compile(rf"(?<![\w./-])(?P<first>{YEAR})/(?P<last>(?:{YEAR}|\d\d))(?![\w/])")
_FISCAL_YEAR = re.compile(rf"(?<!\w)(?:{FISCAL})\s?'?(?P<year>{YEAR}|\d\d)(?![\w.,/]\d|\w)", re.IGNORECASE)
# Between a part of a year and its year: "Q3 2024", "Q3/24", "third quarter of fiscal 2024".
_OF_YEAR = re.compile(
    rf"\s?/?\s?(?:of\s|de\s)?(?:(?P<fiscal>{FISCAL})\s?)?'?(?P<year>{YEAR}|(?<=[Yy'/])\d\d)(?!\w)", re.IGNORECASE
)
_YEAR_OF = re.compile(rf"(?<![\w.,/-])(?:(?P<fiscal>{FISCAL})\s?)?(?P<year>{YEAR})[\s/-]?$", re.IGNORECASE)
# "I S" is a half and "I T" a quarter, but "is" and "it" are words.
_LITTLE_WORDS = frozenset({"is", "it"})
_SIGN = re.compile(r"[Qq][1-4]|H[12]")
_CENTURY, _THIS_CENTURY = 100, 70


@dataclass(frozen=True, slots=True)
class Period:
    """A period in a text, from `start` to `end`: its years, None where not told, and its part, "Q3", "H1" or ""."""

    written: str
    start: int
    end: int
    first_year: int | None
    last_year: int | None
    part: str = ""
    is_fiscal: bool = False

    @property
    def key(self) -> tuple[int | None, int | None, str]:
        """What equal periods share however they are written; a fiscal year is taken for the year it is named by."""
        return self.first_year, self.last_year, self.part


def is_year(number: int | Decimal) -> bool:
    """Whether a number without a unit may be a year."""
    return number in _YEARS


def years_of(text: str) -> list[int]:
    """The years that a text writes, in order, with repeats."""
    return [int(year) for year in WRITTEN_YEAR.findall(text)]


def first_month(text: str) -> int:
    """The first month of the part of a year that a text names: 7 for "Q3" and "zweites Halbjahr"; 0 without one."""
    part = _PART.search(text)
    if part is None:
        return 0
    number, months = _part(part)
    return (number - 1) * months + 1


def periods_of(text: str) -> list[Period]:
    """The periods of a text in order. What stands within a longer one is no period of its own."""
    found: list[Period] = []
    for each in (*_spans(text), *_parts(text), *_fiscal_years(text), *_years(text)):
        if not any(each.start < other.end and other.start < each.end for other in found):
            found.append(each)
    return sorted(found, key=lambda period: period.start)


def _spans(text: str) -> list[Period]:
    ranges = [
        Period(match[0], *match.span(), int(match[1] or match[3]), int(match[2] or match[4]))
        for match in YEAR_RANGE.finditer(text)
    ]
    turns = [
        Period(match[0], *match.span(), first, last, is_fiscal=True)
        for match in _TURN_OF_YEARS.finditer(text)
        if (last := _whole(match["last"])) - (first := int(match["first"])) == 1
    ]
    return ranges + turns


def _parts(text: str) -> list[Period]:
    found = [
        (match, _part_of_year(text, match)) for match in _PART.finditer(text) if match[0].lower() not in _LITTLE_WORDS
    ]
    # "4 h" are hours, and "I half" begins a sentence: without a year only what cannot be read otherwise counts.
    return [each for match, each in found if each.first_year is not None or _SIGN.fullmatch(match[0])]


def _part_of_year(text: str, match: re.Match[str]) -> Period:
    number, months = _part(match)
    year = _OF_YEAR.match(text, match.end()) or _YEAR_OF.search(text[: match.start()])
    start, end = match.span()
    if year is None:
        return Period(match[0], start, end, None, None, f"{_LETTER_OF[months]}{number}")
    start, end = min(start, year.start()), max(end, year.end())
    told = _whole(year["year"])
    return Period(text[start:end], start, end, told, told, f"{_LETTER_OF[months]}{number}", bool(year["fiscal"]))


def _fiscal_years(text: str) -> list[Period]:
    return [
        Period(match[0], *match.span(), _whole(match["year"]), _whole(match["year"]), is_fiscal=True)
        for match in _FISCAL_YEAR.finditer(text)
    ]


def _years(text: str) -> list[Period]:
    return [Period(match[0], *match.span(), int(match[0]), int(match[0])) for match in WRITTEN_YEAR.finditer(text)]


def _part(match: re.Match[str]) -> tuple[int, int]:
    """Which part of a year is meant, and how many months it has."""
    return _ORDINALS[(match["o1"] or match["o2"]).casefold()], _MONTHS_IN[(match["n1"] or match["n2"]).casefold()]


def _whole(year: str) -> int:
    """A year as four digits: 24 is of this century, 98 of the last."""
    number = int(year)
    if number >= _CENTURY:
        return number
    return number + (2000 if number < _THIS_CENTURY else 1900)
