"""Compare the headings and captions of an edited report with the original ones.

They cite nothing, so no source can support a change: each changed one is reported.
"""

import difflib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial

from intelli.language.quotes import numbers, skeleton


@dataclass(frozen=True, slots=True)
class ChangedHeading:
    """A heading as it is now, and its former text; "" when it is new."""

    text: str
    before: str = ""


@dataclass(frozen=True, slots=True)
class ComparedHeadings:
    """The headings that a person should check, and the removed ones."""

    changed: list[ChangedHeading] = field(default_factory=list)
    removed: list[str] = field(default_factory=list)


def compare(before: Sequence[str], after: Sequence[str]) -> ComparedHeadings:
    """Compare headings. A moved one counts as unchanged; a new one is reported only if it has a figure."""
    gone = _unmatched(before, after)
    changed: list[ChangedHeading] = []
    for text in _unmatched(after, before):
        # Whatever is missing may have become this one, however little is left of it.
        was = max(gone, key=partial(_similarity, text), default="")
        if was:
            gone.remove(was)
        if was or numbers(text):
            changed.append(ChangedHeading(text, was))
    return ComparedHeadings(changed, gone)


def _unmatched(texts: Sequence[str], others: Sequence[str]) -> list[str]:
    """Return the texts without an equal among the others; each of the others matches one text."""
    left = Counter(map(_comparable, others))
    found: list[str] = []
    for text in texts:
        if left[_comparable(text)]:
            left[_comparable(text)] -= 1
        else:
            found.append(text)
    return found


def _similarity(one: str, other: str) -> float:
    return difflib.SequenceMatcher(None, one, other, autojunk=False).ratio()


def _comparable(text: str) -> tuple[str, tuple[str, ...]]:
    return skeleton(text), tuple(numbers(text))
