"""Bind a statement to the words of the cited passage that it rests on, never to words of another passage."""

from collections.abc import Sequence
from dataclasses import dataclass

from intelli.language import dates, grids, numbers, sentences, words
from intelli.language.quotes import QuoteIndex, QuoteMatch, skeleton
from intelli.language.quotes import numbers as numbers_in
from intelli.language.sentences import SentenceSpan

# What one look takes in; a statement that needs more of a passage than this rests on all of it.
_MOST_SENTENCES = 5
_LEAST_GAIN = 0.08
# A number or date that is found weighs as much as this many words.
_FIGURE = 3
# A statement of no more characters is a figure or a name, and its full stop the sentence's.
_SHORT = 24
_STOPS = ".!? "


@dataclass(frozen=True, slots=True)
class BoundQuote:
    """A span of the passage. `is_verbatim` when the statement itself stands there, after the normalisation."""

    start: int
    end: int
    is_verbatim: bool


def bind(statement: str, passage: str, hints: Sequence[str] = (), *, header: str = "") -> BoundQuote:
    """The words of a passage that a statement rests on. `hints` are quotes that a reasoner named for it.

    `header` is the line that names the columns of a table which the passage begins in the middle of.
    """
    index = QuoteIndex(passage)
    hit = _verbatim(statement, index, hints)
    if hit is not None:
        return BoundQuote(hit.start, hit.end, is_verbatim=True)
    found = sentences.split(passage)
    row = find_row(statement, passage, header)
    if row is not None:
        return row
    if not found:
        return BoundQuote(0, len(passage), is_verbatim=False)
    language = words.language_of(f"{statement} {passage[:2000]}")
    wanted = _marks(statement, language)
    named = [hit for hint in hints if (hit := index.find(hint)) is not None]
    best = _window(passage, found, wanted, language)
    for hit in named:
        if _share(wanted, _marks(passage[hit.start : hit.end], language)) >= best[1]:
            best = BoundQuote(hit.start, hit.end, is_verbatim=False), best[1]
    return best[0]


def _verbatim(statement: str, index: QuoteIndex, hints: Sequence[str]) -> QuoteMatch | None:
    """Where a statement stands as it is. One that is a mere figure may stand in many places: those named come first."""
    bare = statement.rstrip(_STOPS)
    if len(bare) <= _SHORT:
        named = (place for hint in hints if (place := index.find(hint)) is not None)
        inside = (index.find(bare, within=(place.start, place.end)) for place in named)
        return next(filter(None, inside), None) or index.find(bare)
    return index.find(statement)


def find_row(statement: str, passage: str, header: str = "") -> BoundQuote | None:
    """Return the row of a table that a statement tells with the names of its columns, value for value."""
    if ": " not in statement or ("\t" not in passage and "|" not in passage):
        return None
    said = skeleton(statement)
    for each in sentences.split(passage):
        if grids.is_row(passage[each.start : each.end]):
            told = grids.told(passage, each.start, each.end, header)
            if skeleton(told.text) == said and numbers_in(told.text) == numbers_in(statement):
                return BoundQuote(told.start, each.end, is_verbatim=True)
    return None


def _window(passage: str, found: list[SentenceSpan], wanted: dict[str, int], language: str) -> tuple[BoundQuote, float]:
    """The fewest sentences, one after the other, that hold most of what is wanted."""
    said = [_marks(passage[each.start : each.end], language) for each in found]
    first = last = max(range(len(found)), key=lambda number: (_share(wanted, said[number]), -number))
    have = dict(said[first])
    share = _share(wanted, have)
    while last - first + 1 < _MOST_SENTENCES:
        sides = [number for number in (first - 1, last + 1) if 0 <= number < len(found)]
        gains = [(_share(wanted, {**have, **said[number]}) - share, number) for number in sides]
        gain, number = max(gains, default=(0.0, 0))
        if gain < _LEAST_GAIN:
            break
        first, last = min(first, number), max(last, number)
        have, share = {**have, **said[number]}, share + gain
    return BoundQuote(found[first].start, found[last].end, is_verbatim=False), share


def _marks(text: str, language: str) -> dict[str, int]:
    """What a text says, each with its weight: its terms, its numbers by their worth, its dates."""
    marks = dict.fromkeys(words.terms_of(text, language), 1)
    marks |= {f"#{number.worth.normalize()}": _FIGURE for number in numbers.numbers_of(text)}
    marks |= {f"@{day.month}.{day.day}": _FIGURE for day in dates.dates_of(text)}
    return marks


def _share(wanted: dict[str, int], said: dict[str, int]) -> float:
    total = sum(wanted.values())
    return sum(weight for mark, weight in wanted.items() if mark in said) / total if total else 0.0
