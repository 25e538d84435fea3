"""The headings and captions of an edited report beside those that it was written with.

They cite nothing, so nothing can bear a change out: each that says something else is told.
"""

import difflib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial

from intelli.citations.quotes import numbers, skeleton


@dataclass(frozen=True, slots=True)
class ChangedHeading:
    """A heading as it stands now, and what it was; nothing when it is new."""

    text: str
    before: str = ""


@dataclass(frozen=True, slots=True)
class ComparedHeadings:
    """The headings that a person should see, and those that are gone."""

    changed: list[ChangedHeading] = field(default_factory=list)
    removed: list[str] = field(default_factory=list)


def compare(before: Sequence[str], after: Sequence[str]) -> ComparedHeadings:
    """What became of headings. One that only changed its place is as it was; a new one without a figure is free."""
    gone = _without(before, after)
    changed: list[ChangedHeading] = []
    for text in _without(after, before):
        # Whatever is missing may have become this one, however little is left of it.
        was = max(gone, key=partial(_likeness, text), default="")
        if was:
            gone.remove(was)
        if was or numbers(text):
            changed.append(ChangedHeading(text, was))
    return ComparedHeadings(changed, gone)


def _without(texts: Sequence[str], others: Sequence[str]) -> list[str]:
    """Those that have no equal among the others; each of the others is the equal of one."""
    left = Counter(map(_words, others))
    found: list[str] = []
    for text in texts:
        if left[_words(text)]:
            left[_words(text)] -= 1
        else:
            found.append(text)
    return found


def _likeness(one: str, other: str) -> float:
    return difflib.SequenceMatcher(None, one, other, autojunk=False).ratio()


def _words(text: str) -> tuple[str, tuple[str, ...]]:
    return skeleton(text), tuple(numbers(text))
