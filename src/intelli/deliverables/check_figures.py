"""Check figures on cards, in charts and on timelines, which are no sentences that a source could contain verbatim.

A figure is checked by its parts: the quote contains the value, every word of its name and its period, and no other
value that could be meant. Otherwise the result is weak and names the parts that the quote lacks. A date on a timeline
is checked in the same way: the quote contains it, and the words about it.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from intelli.citations import dates, numbers
from intelli.citations.check import CheckOutcome
from intelli.citations.prove import CitationProof, ProvenText
from intelli.citations.quotes import QuoteIndex
from intelli.citations.wire import Check
from intelli.deliverables import charts, prose, table_values
from intelli.deliverables.kinds import sections
from intelli.deliverables.paper import Block, Bullets, Chart, Metrics, Paper, Row, Runs
from intelli.reasoning.extractive import clauses, words

_YEARS = range(1500, 2101)
_LETTERS = re.compile(r"[^\W\d_]{2,}")
_LEAD = re.compile(r"(?<![^\W\d_])([^\W\d_]++)[\s\u00a0]$")
_CLAUSE = re.compile(r"[,;:]\s|\s(?:from|and|against|after|than|up|down|und|von|gegen\u00fcber|nach)\s")
_COMPARED_CARD = "Value, name and period were compared with the quote."
_COMPARED_ROW = "The values of the chart and their labels were compared with the quote."


@dataclass(frozen=True, slots=True)
class FigureCard:
    """A value, its name, and whom and when it is about."""

    name: str
    about: tuple[str, ...]
    shown: str


@dataclass(frozen=True, slots=True)
class ChartValues:
    """The values of a chart that cite one quote."""

    title: str
    labels: tuple[str, ...]
    values: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DatedStatement:
    """A date, and the statement of a source about it."""

    date: str
    said: str


Shown = FigureCard | ChartValues | DatedStatement | None


def proven_in(paper: Paper, proven: ProvenText) -> ProvenText:
    """The proofs of a paper, in which a figure that stands plainly in its quote is verified."""
    return with_outcomes(proven, outcomes_in(paper, proven.proofs))


def with_outcomes(proven: ProvenText, outcomes: Sequence[CheckOutcome]) -> ProvenText:
    """The proofs with what their checks came to by these."""
    both = zip(proven.proofs, outcomes, strict=True)
    return replace(proven, proofs=tuple(replace(proof, outcome=outcome) for proof, outcome in both))


def outcomes_in(paper: Paper, proofs: Sequence[CitationProof]) -> tuple[CheckOutcome, ...]:
    """What the check of each proof of a paper comes to, once figures were held against their quotes."""
    shown = [each for block in paper.blocks for each in _shown(block)]
    return tuple(_outcome(proof, each) for proof, each in zip(proofs, shown, strict=True))


def _outcome(proof: CitationProof, shown: Shown) -> CheckOutcome:
    outcome = proof.outcome
    if isinstance(shown, DatedStatement):
        return CheckOutcome(Check.VERIFIED, "", 1.0) if _has_both(proof.quote, shown) else outcome
    if isinstance(shown, FigureCard) and table_values.has(proof, shown.name, shown.about, shown.shown):
        # The name stands over the column, where a check of the quoted row does not look.
        return CheckOutcome(Check.VERIFIED, "", 1.0)
    is_open = outcome.check is Check.WEAK or (outcome.check is Check.FAILED and not outcome.is_settled)
    if shown is None or not is_open:
        return outcome
    doubt = _doubt_of_card(shown, proof) if isinstance(shown, FigureCard) else _doubt_of_row(shown, proof)
    # Settled either way: no model has a say in what a figure by itself may be taken for.
    return replace(outcome, reason=doubt, is_settled=True) if doubt else CheckOutcome(Check.VERIFIED, "", 1.0)


def _shown(block: Block) -> Iterator[Shown]:
    """What each citation of a block stands behind; None where it is a statement."""
    match block:
        case Metrics():
            for each in block.metrics:
                if each.citation:
                    yield FigureCard(each.name, (each.entity, each.period), each.shown)
        case Chart():
            yield from _drawn(block)
        case Bullets():
            for item in block.items:
                dated = _dated(item)
                yield from (dated for run in item for _ in run.citations)
        case Row():
            for inner in (*block.primary, *block.sidebar):
                yield from _shown(inner)
        case _:
            yield from (None for _ in prose.cited(block))


def _dated(item: Runs) -> DatedStatement | None:
    """A line of a timeline: a date, then what was then."""
    if len(item) != 2 or not item[0].bold or item[0].citations or not item[1].text.startswith(sections.THEN):
        return None
    return DatedStatement(item[0].text, item[1].text.removeprefix(sections.THEN))


def _has_both(quote: str, dated: DatedStatement) -> bool:
    """Whether a quote has a date and what is said of it, both word for word."""
    index = QuoteIndex(quote)
    return index.find(dated.said) is not None and index.find(dated.date) is not None


def _drawn(chart: Chart) -> Iterator[Shown]:
    plotted, title = charts.find_plotted(chart.spec), chart.spec.get("title")
    name = str(title.get("text", "")) if isinstance(title, dict) else ""
    if plotted is None:
        yield from (None for _ in chart.citations)
    elif len(plotted.labels) == len(chart.citations):
        yield from (FigureCard(name, (at,), value) for at, value in zip(plotted.labels, plotted.plain, strict=True))
    else:
        yield from (ChartValues(name, plotted.labels, plotted.plain) for _ in chart.citations)


def _doubt_of_card(card: FigureCard, proof: CitationProof) -> str:
    """What keeps a reader from taking a value as it stands: nothing where the quote has all its parts, and once."""
    quote, named = proof.quote, " ".join((*card.about, card.name))
    language = words.language_of(quote)
    known = set(words.terms_of(quote, language))
    unnamed = [
        each
        for each in named.split()
        if not set(_terms(each, language)) <= known and not clauses.is_change_of(each, quote)
    ]
    unnamed += sorted(_years(named) - _years(quote) - set(unnamed))
    if unnamed:
        return f"{_COMPARED_CARD} It does not have {_listed(unnamed)}."
    value = next(iter(numbers.numbers_of(card.shown)), None)
    years = _years(named)
    alike = [
        each
        for each in _values(quote, proof.around)
        if value is not None
        and each.unit == value.unit
        and not _is_of_other_years(each, quote, years)
        and not _is_in_name(each, quote, named)
    ]
    others = [each.written for each in alike if value is None or not numbers.is_same(value, each)]
    if others:
        return f"{_COMPARED_CARD} It also has {_listed(others)}, which could be meant."
    if not alike:
        return f"{_COMPARED_CARD} The value does not stand there in that unit."
    return "" if len(alike) == 1 else f"{_COMPARED_CARD} The value stands there more than once."


def _is_of_other_years(number: numbers.Number, quote: str, years: set[str]) -> bool:
    """Whether a number is told for years of its own: "from 5 million in 2023" is nothing of 2024."""
    first = max((mark.end() for mark in _CLAUSE.finditer(quote, 0, number.start)), default=0)
    last = next((mark.start() for mark in _CLAUSE.finditer(quote, number.end)), len(quote))
    told = _years(quote[first:last])
    return bool(years and told) and not told & years


def _is_in_name(number: numbers.Number, quote: str, named: str) -> bool:
    """Whether a number tells things of one kind apart, as the name does: "Scope 1", and so "Scope 2" beside it."""
    lead = _LEAD.search(quote, 0, number.start)
    if lead is None or number.value != number.value.to_integral_value():
        return False
    return re.search(rf"\b{re.escape(lead[1])}[\s\u00a0]\d{{1,2}}(?!\S)", named, re.IGNORECASE) is not None


def _terms(word: str, language: str) -> list[str]:
    return [term for term in words.terms_of(word, language) if not term.isdigit()]


def _doubt_of_row(drawn: ChartValues, proof: CitationProof) -> str:
    """Return why a row of values is in doubt, or "": they must follow the title, in the order of their labels."""
    quote = proof.quote
    # A column may be called `revenue_m_eur` there, and a row's name stand below the head of its column.
    said = quote.casefold().replace("_", " ")
    named = {part: said.rfind(part.casefold()) for part in drawn.title.split(": ")} if drawn.title else {"a title": -1}
    if unnamed := [part for part, at in named.items() if at < 0]:
        return f"{_COMPARED_ROW} It does not have {_listed(unnamed)}."
    end = max(at + len(part) for part, at in named.items())
    places = [_place(value, proof, end) for value in drawn.values]
    heads = [quote.find(label) for label in drawn.labels]
    parts = (*zip(drawn.labels, heads, strict=True), *zip(drawn.values, places, strict=True))
    if missing := [each for each, place in parts if place < 0]:
        return f"{_COMPARED_ROW} It does not have {_listed(missing)}."
    is_alike = _is_rising(places) and _is_rising(heads)
    is_turned = _is_rising(places[::-1]) and _is_rising(heads[::-1])
    if _LETTERS.search(quote, end, max(min(places), end)) or not (is_alike or is_turned):
        return f"{_COMPARED_ROW} The values do not stand in a row in the order of their labels."
    return ""


def _listed(things: list[str]) -> str:
    return ", ".join(f"\u201c{each}\u201d" for each in dict.fromkeys(things[:3]))


def _place(value: str, proof: CitationProof, start: int) -> int:
    """Where a value stands behind a place; it may be written with digits that say nothing."""
    wanted = numbers.numbers_of(value)
    known = numbers.numbers_of(proof.quote, *proof.around)
    found = (each.start for each in known if each.start >= start and wanted and numbers.is_same(wanted[0], each))
    return next(found, -1)


def _is_rising(places: list[int]) -> bool:
    return all(one < other for one, other in pairwise(places))


def _years(text: str) -> set[str]:
    return set(re.findall(r"\b(?:1[5-9]|20)\d\d\b", text))


def _values(quote: str, around: Sequence[str]) -> list[numbers.Number]:
    """The numbers of a quote that are neither dates nor years."""
    taken = [range(day.start, day.end) for day in dates.dates_of(quote)]
    found = [each for each in numbers.numbers_of(quote, *around) if not any(each.start in span for span in taken)]
    return [each for each in found if each.unit or each.scale is not None or each.value not in _YEARS]
