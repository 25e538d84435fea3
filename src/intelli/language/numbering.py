"""Numbers that only number something: a section, a clause, a note, a version, an item of a list."""

import re
from collections.abc import Container
from functools import cache

from intelli.language.languages import languages

_ONE = r"\d+(?:\.\d+)*[a-z]?(?:\s?\([\w]{1,4}\))*"
_ITEM = re.compile(r"(?m)^[^\S\n]*+(?:[-*\u2022]\s+)?(?:\*\*|__)?\(?\d{1,3}[.)](?=\s)")
_BRACKETED = re.compile(r"(?<=[\w\u00a7.)])\s?\(\d{1,2}\)")


def numbered_places(text: str) -> Container[int]:
    """Return the places of a text at which digits number something and tell no amount."""
    found: set[int] = set()
    for pattern in (_pattern(), _ITEM, _BRACKETED):
        for match in pattern.finditer(text):
            found.update(range(match.start(), match.end()))
    return found


@cache
def _pattern() -> re.Pattern[str]:
    """Words such as "section", and the numbers behind them: "sections 4.1 and 4.3 (b)"."""
    words = sorted({word for language in languages().values() for word in language.numbering}, key=len, reverse=True)
    named = "|".join(re.escape(word) for word in words if word[0].isalpha())
    signs = "".join({re.escape(word[0]) for word in words if not word[0].isalpha()})
    lead = rf"(?:(?<!\w)(?:{named})\b\.?|[{signs}]{{1,2}})"
    joint = r"(?:\s?(?:,|/|&|and|or|to|und|oder|bis|\u2013|-)\s?)"
    return re.compile(rf"{lead}\s?{_ONE}(?:{joint}(?:{lead}\s?)?{_ONE}(?![\w%]))*", re.IGNORECASE)
