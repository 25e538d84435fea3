"""Figures that stand by themselves, on cards and in charts, are no sentences that a source could have word for word.

They are proven by their parts: the quote has the value, every word of its name and its period, and nothing else that
could be meant. What is not so plain keeps the check it has.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise

from intelli.citations import dates, numbers
from intelli.citations.check import Outcome
from intelli.citations.prove import Proof, Proven
from intelli.citations.wire import Check
from intelli.deliverables import charts, prose
from intelli.deliverables.paper import Block, Chart, Metrics, Paper, Row
from intelli.reasoning.extractive import words

_YEARS = range(1500, 2101)
_LETTERS = re.compile(r"[^\W\d_]{2,}")


@dataclass(frozen=True, slots=True)
class Card:
    """A value under a name."""

    name: str
    shown: str


@dataclass(frozen=True, slots=True)
class Drawn:
    """The values of a chart that rest on one quote."""

    title: str
    labels: tuple[str, ...]
    values: tuple[str, ...]


def proven_in(paper: Paper, proven: Proven) -> Proven:
    """The proofs of a paper, in which a figure that stands plainly in its quote is verified."""
    shown = [each for block in paper.blocks for each in _shown(block)]
    proofs = tuple(_proof(proof, each) for proof, each in zip(proven.proofs, shown, strict=True))
    return replace(proven, proofs=proofs)


def _proof(proof: Proof, shown: Card | Drawn | None) -> Proof:
    if shown is None or proof.outcome.check is not Check.WEAK:
        return proof
    is_plain = _is_plain(shown, proof.quote) if isinstance(shown, Card) else _is_row(shown, proof.quote)
    return replace(proof, outcome=Outcome(Check.VERIFIED, "", 1.0)) if is_plain else proof


def _shown(block: Block) -> Iterator[Card | Drawn | None]:
    """What each citation of a block stands behind; None where it is a statement."""
    match block:
        case Metrics():
            for each in block.metrics:
                if each.citation:
                    yield Card(" ".join((each.entity, each.name, each.period)), each.shown)
        case Chart():
            yield from _drawn(block)
        case Row():
            for inner in (*block.primary, *block.sidebar):
                yield from _shown(inner)
        case _:
            yield from (None for _ in prose.cited(block))


def _drawn(chart: Chart) -> Iterator[Card | Drawn | None]:
    plotted, title = charts.read(chart.spec), chart.spec.get("title")
    name = str(title.get("text", "")) if isinstance(title, dict) else ""
    if plotted is None:
        yield from (None for _ in chart.citations)
    elif len(plotted.labels) == len(chart.citations):
        yield from (Card(f"{name} {at}", shown) for at, shown in zip(plotted.labels, plotted.shown, strict=True))
    else:
        yield from (Drawn(name, plotted.labels, plotted.shown) for _ in chart.citations)


def _is_plain(card: Card, quote: str) -> bool:
    """Whether a quote has the value under all the words of its name, and no other value of its kind."""
    language = words.language_of(quote)
    named = {term for term in words.terms_of(card.name, language) if not term.isdigit()}
    if not named <= set(words.terms_of(quote, language)) or not _years(card.name) <= _years(quote):
        return False
    value = next(iter(numbers.numbers_of(card.shown)), None)
    alike = [each for each in _values(quote) if value is not None and each.unit == value.unit]
    return value is not None and len(alike) == 1 and numbers.is_same(value, alike[0])


def _is_row(drawn: Drawn, quote: str) -> bool:
    """Whether a quote has the values in a row under the title, in the order of their labels."""
    at = quote.casefold().rfind(drawn.title.casefold()) if drawn.title else -1
    end = at + len(drawn.title)
    places = [_place(value, quote, end) for value in drawn.values]
    heads = [quote.find(label) for label in drawn.labels]
    if at < 0 or -1 in places or -1 in heads or _LETTERS.search(quote, end, max(min(places), end)):
        return False
    is_alike = _is_rising(places) and _is_rising(heads)
    return is_alike or (_is_rising(places[::-1]) and _is_rising(heads[::-1]))


def _place(value: str, quote: str, start: int) -> int:
    """Where a value stands; it may be written with digits that say nothing."""
    wanted = numbers.numbers_of(value)
    found = [each.start for each in numbers.numbers_of(quote[start:]) if wanted and numbers.is_same(wanted[0], each)]
    return start + found[0] if found else -1


def _is_rising(places: list[int]) -> bool:
    return all(one < other for one, other in pairwise(places))


def _years(text: str) -> set[str]:
    return set(re.findall(r"\b(?:1[5-9]|20)\d\d\b", text))


def _values(quote: str) -> list[numbers.Number]:
    """The numbers of a quote that are neither dates nor years."""
    taken = [range(day.start, day.end) for day in dates.dates_of(quote)]
    found = [each for each in numbers.numbers_of(quote) if not any(each.start in span for span in taken)]
    return [each for each in found if each.unit or each.scale is not None or each.value not in _YEARS]
