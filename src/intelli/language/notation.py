"""Number notation of a text: whether a point or a comma begins the decimals. "10,230" may be ten thousand, or ten.

The cells of a table show it themselves when one of them has only one reading ("2,6"); sentences follow their language.
Unclear cases follow the text around them.
"""

import re
from enum import StrEnum
from functools import lru_cache

from intelli.language import grids, languages, words

# Languages in which a comma begins the decimals.
_COMMA_LANGUAGES = frozenset({"de", "fr", "es", "it", "pt", "nl", "ru"})
# A word with a capital inside of a line is a name: "Plus" in that of a product tells nothing of the language.
_NAME = re.compile(r"(?<=[\w,;] )[A-Z\u00c0-\u00de][a-z\u00df-\u00ff]+\b")
# Neither do a letter alone, letters beside digits ("CO2e") and capitals ("DE", "AS").
_WORD = re.compile(r"(?<![\w.-])[^\W\d_]{2,}(?![\w-]|\.\w)")
_LEAST_WORDS = 2
_LONGEST = 20_000
_EDGE = r"(?<![\w.,:/])(?<!\w-){}(?![\w:/.]|[,-]\d)"
_GROUPS, _DECIMALS = r"\d{{1,3}}(?:\{0}\d{{3}})+", r"(?:0\{0}\d+|\d+\{0}(?:\d{{1,2}}|\d{{4,}})|\d{{4,}}\{0}\d{{3}})"
_CELL = re.compile(r"[^\t|\n]+")


class Decimals(StrEnum):
    """The decimal separator of a number; the other sign groups its thousands."""

    POINT = "."
    COMMA = ","


def _plainly(mark: Decimals, other: Decimals) -> re.Pattern[str]:
    """Numbers that can only be read with this mark before the decimals."""
    grouped = _GROUPS.format(other)
    either = rf"(?:{_DECIMALS.format(mark)}|{grouped}\{mark}\d+|{grouped}\{other}\d{{3}})"
    return re.compile(_EDGE.format(either))


_PLAINLY = {
    Decimals.POINT: _plainly(Decimals.POINT, Decimals.COMMA),
    Decimals.COMMA: _plainly(Decimals.COMMA, Decimals.POINT),
}


def decimals_of(text: str, *around: str) -> Decimals | None:
    """What begins the decimals in a text. `around` is what it stands in, the nearest first; None where none tells."""
    for told in (_by_much, _by_little):
        found = next(filter(None, (told(each) for each in (text, *around))), None)
        if found is not None:
            return found
    return None


@lru_cache(maxsize=256)
def _by_much(text: str) -> Decimals | None:
    """What is no chance: cells of figures that can be read in one way only, or several words of a language."""
    rows = (_CELL.findall(line) for line in text[:_LONGEST].splitlines() if grids.is_row(line))
    # The first cell is what the row is called, and may be a number of its own: "3.2".
    cells = [cell for _, *cells in filter(None, rows) for cell in cells if grids.is_number(cell)]
    return _by_numbers("\n".join(cells)) or _by_words(text, least=_LEAST_WORDS)


@lru_cache(maxsize=256)
def _by_little(text: str) -> Decimals | None:
    return _by_words(text, least=1) or _by_numbers(text[:_LONGEST])


def _by_numbers(text: str) -> Decimals | None:
    """The mark of the numbers that can be read in one way only, when all agree."""
    found = [mark for mark, pattern in _PLAINLY.items() if pattern.search(text)]
    return found[0] if len(found) == 1 else None


def _by_words(text: str, *, least: int) -> Decimals | None:
    """By the language whose little words are most; nothing where languages that write otherwise have as many."""
    if words.find_language(text) == languages.UNSPACED:
        return Decimals.POINT
    said = {word.lower() for word in _WORD.findall(_NAME.sub("", text[:_LONGEST])) if not word.isupper()}
    counts = dict.fromkeys(Decimals, 0)
    for code, language in languages.languages().items():
        mark = Decimals.COMMA if code in _COMMA_LANGUAGES else Decimals.POINT
        counts[mark] = max(counts[mark], len(said & language.stop_words))
    most = max(counts, key=lambda mark: counts[mark])
    is_told = counts[most] >= least and len(set(counts.values())) == len(counts)
    return most if is_told else None
