"""Position of a figure in a sentence, and joining its name with that of its owner."""

import re
from dataclasses import dataclass

from intelli.language import languages, scales, units
from intelli.language.words import language_of

_CURRENCY = re.compile(rf"[{units.MONEY_SIGNS}]|\b(?:{units.MONEY})\b", re.IGNORECASE)
SCALES = frozenset(scales.SCALE_OF) - scales.AMBIGUOUS


@dataclass(frozen=True, slots=True)
class Spot:
    """A figure in its sentence. `after` is the end of the previous figure, `said` the name of that figure."""

    text: str
    start: int
    end: int
    unit: str
    after: int = 0
    said: str = ""
    bare_before: str = ""
    bare_after: str = ""

    @property
    def is_money(self) -> bool:
        """Whether it is a sum of money."""
        return _CURRENCY.search(self.unit) is not None


def join_owner(made: str, whose: str, spot: Spot) -> str:
    """A thing and whose it is; a capital letter that only began the sentence goes."""
    is_opening = spot.text.lstrip().startswith(whose) or whose == spot.said
    if whose and is_opening and _is_plain_word(whose):
        return f"{made}, {whose[:1].lower()}{whose[1:]}"
    return ", ".join(filter(None, (made, whose)))


def _is_plain_word(text: str) -> bool:
    """Whether a name is that of no one: no word but the first has a capital letter."""
    first, *rest = text.split()
    return (
        first[1:].islower() and not any(word[:1].isupper() for word in rest) and language_of(text) == languages.DEFAULT
    )
