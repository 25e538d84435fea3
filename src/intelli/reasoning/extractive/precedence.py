"""Precedence of documents that say the same of different times: what is in force before drafts, the newest first."""

import re

from intelli.language import periods
from intelli.reasoning.values import SourceText

_NOT_IN_FORCE = re.compile(
    r"\b(?:draft|superseded|withdrawn|cancelled|repealed|entwurf|au(?:\u00df|ss)er kraft|aufgehoben)\b", re.IGNORECASE
)
_AMENDING = re.compile(r"\b(?:amendment|addendum|nachtrag|\u00e4nderung\w{0,12})\b", re.IGNORECASE)
# Of a passage, what may say of which time it is.
_OPENING = 200
# Statements that share so much of what they say, figures aside, say the same of something.
_ALIKE = 0.5
Precedence = tuple[bool, int]


def precedence(passage: SourceText) -> Precedence:
    """Return what orders documents by precedence: whether it is in force, and how new it is."""
    place = f"{passage.title} {passage.section or ''}".replace("_", " ")
    return (_NOT_IN_FORCE.search(place) is None, _newness(passage, place))


def _newness(passage: SourceText, place: str) -> int:
    """The day of a document as a number, by the years that its name or headings tell, else its date; 0 without any."""
    years = periods.years_of(place)
    if passage.dated is not None and (not years or _AMENDING.search(place)):
        return passage.dated.toordinal()
    if years:
        return max(years) * 366
    if _AMENDING.search(place):
        return max(periods.years_of(passage.text[:_OPENING]), default=1) * 366
    return 0


def are_alike(one: frozenset[str], other: frozenset[str]) -> bool:
    """Whether two statements, by their terms, say the same thing, perhaps with other figures."""
    mine = {term for term in one if not term[0].isdigit()}
    others = {term for term in other if not term[0].isdigit()}
    shared, total = len(mine & others), min(len(mine), len(others))
    return bool(total) and shared >= _ALIKE * total and shared > 1
