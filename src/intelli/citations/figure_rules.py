"""Check figures on cards and in charts, which are no sentences that a source could contain word for word.

A figure is checked by its parts: a table of the source has it where its row and column meet, or the quote contains the
value, every word of its name and its period, and no other value that could be meant. Otherwise it is in doubt, and the
reason names the part that the quote lacks.
"""

import re
from dataclasses import replace
from itertools import pairwise

from intelli.citations import table_cells
from intelli.citations.check import CheckedStatement
from intelli.citations.figures import CitedView
from intelli.citations.source_views import read_figures, years_of
from intelli.citations.statements import CitedStatement
from intelli.citations.table_cells import CellMatch
from intelli.citations.wire import JudgedBy
from intelli.citations.wording import direction_of
from intelli.language import numbers, periods, words
from intelli.language.numbers import Number
from intelli.reasoning.verbs.judge import Verdict

_LETTERS = re.compile(r"[^\W\d_]{2,}")
_LEAD = re.compile(r"(?<![^\W\d_])([^\W\d_]++)[\s\u00a0]$")
_CLAUSE = re.compile(r"[,;:]\s|\s(?:from|and|against|after|than|up|down|und|von|gegen\u00fcber|nach)\s")
_COMPARED_CARD = "Value, name and period were compared with the quote."
_COMPARED_ROW = "The values of the chart and their labels were compared with the quote."
_CHANGES = {"increase": 1, "decrease": -1}


def check_figure(made: CheckedStatement, cited: CitedView) -> CheckedStatement:
    """Return the verdict on a card, or on the values of a chart. Nobody else has a say in what it may be taken for."""
    statement, quote = made.statement, cited.view.quote
    is_card = len(statement.cells) == 1
    if is_card:
        name, shown = statement.cells[0]
        found = table_cells.find_cell(statement.row, name, shown, [cited.view])
        if found.match is CellMatch.SAME:
            return replace(made, verdict=Verdict.SUPPORTED, reason="", carried_by=(cited.ordinal,), is_open=False)
    if any(not entry.is_found and not entry.is_open for entry in made.entries):
        return replace(made, is_open=False)
    doubt = _doubt_of_card(statement, cited, quote) if is_card else _doubt_of_row(statement, cited, quote)
    verdict = Verdict.UNCHECKED if doubt else Verdict.SUPPORTED
    carried = () if doubt else (cited.ordinal,)
    return replace(
        made, verdict=verdict, reason=doubt, judged_by=JudgedBy.RULES, is_open=False, carried_by=carried
    )  # fmt: skip


def _doubt_of_card(statement: CitedStatement, cited: CitedView, quote: str) -> str:
    """What keeps a reader from taking a value as it stands: nothing where the quote has all its parts, and once."""
    name, shown = statement.cells[0]
    named = f"{statement.row} {name}".strip()
    language = words.language_of(quote)
    known = set(words.terms_of(f"{quote} {cited.view.place}", language))
    unnamed = [
        each for each in named.split() if not set(_terms(each, language)) <= known and not _is_change(each, quote)
    ]
    years = _years(named)
    unnamed += sorted(str(year) for year in years - _years(cited.view.said))
    if unnamed:
        return f"{_COMPARED_CARD} It does not have {_listed(unnamed)}."
    value = next(iter(read_figures(shown, quote).numbers), None)
    alike = [
        each
        for each in _values(quote, cited.view.text)
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


def _is_change(word: str, quote: str) -> bool:
    """Whether a word names a change of a figure that the quote tells by a verb of its own: "(increase)", "grew"."""
    wanted = _CHANGES.get(word.strip("()"))
    return wanted is not None and any(direction_of(each.strip(".,;")) == wanted for each in quote.split())


def _is_of_other_years(number: Number, quote: str, years: frozenset[int]) -> bool:
    """Whether a number is told for years of its own: "from 5 million in 2023" is nothing of 2024."""
    first = max((mark.end() for mark in _CLAUSE.finditer(quote, 0, number.start)), default=0)
    last = next((mark.start() for mark in _CLAUSE.finditer(quote, number.end)), len(quote))
    told = _years(quote[first:last])
    return bool(years and told) and not told & years


def _is_in_name(number: Number, quote: str, named: str) -> bool:
    """Whether a number tells things of one kind apart, as the name does: "Scope 1", and so "Scope 2" beside it."""
    lead = _LEAD.search(quote, 0, number.start)
    if lead is None or number.value != number.value.to_integral_value():
        return False
    return re.search(rf"\b{re.escape(lead[1])}[\s\u00a0]\d{{1,2}}(?!\S)", named, re.IGNORECASE) is not None


def _terms(word: str, language: str) -> list[str]:
    return [term for term in words.terms_of(word, language) if not term.isdigit()]


def _doubt_of_row(statement: CitedStatement, cited: CitedView, quote: str) -> str:
    """Return why a row of values is in doubt, or "": they must follow the title, in the order of their labels."""
    title, labels = statement.row, [label for label, _ in statement.cells]
    # A column may be called `revenue_m_eur` there, and a row's name stand below the head of its column.
    said = quote.casefold().replace("_", " ")
    named = {part: said.rfind(part.casefold()) for part in title.split(": ")} if title else {"a title": -1}
    if unnamed := [part for part, at in named.items() if at < 0]:
        return f"{_COMPARED_ROW} It does not have {_listed(unnamed)}."
    end = max(at + len(part) for part, at in named.items())
    places = [_place(value, cited, quote, end) for _, value in statement.cells]
    heads = [quote.find(label) for label in labels]
    values = [value for _, value in statement.cells]
    parts = (*zip(labels, heads, strict=True), *zip(values, places, strict=True))
    if missing := [each for each, place in parts if place < 0]:
        return f"{_COMPARED_ROW} It does not have {_listed(missing)}."
    is_alike = _is_rising(places) and _is_rising(heads)
    is_turned = _is_rising(places[::-1]) and _is_rising(heads[::-1])
    if _LETTERS.search(quote, end, max(min(places), end)) or not (is_alike or is_turned):
        return f"{_COMPARED_ROW} The values do not stand in a row in the order of their labels."
    return ""


def _listed(things: list[str]) -> str:
    return ", ".join(f"\u201c{each}\u201d" for each in dict.fromkeys(things[:3]))


def _place(value: str, cited: CitedView, quote: str, start: int) -> int:
    """Where a value stands behind a place; it may be written with digits that say nothing."""
    wanted = read_figures(value, quote).numbers
    known = numbers.numbers_of(quote, cited.view.text, cited.view.whole)
    found = (each.start for each in known if each.start >= start and wanted and numbers.is_same(wanted[0], each))
    return next(found, -1)


def _is_rising(places: list[int]) -> bool:
    return all(one < other for one, other in pairwise(places))


def _years(text: str) -> frozenset[int]:
    return years_of(text)


def _values(quote: str, around: str) -> list[Number]:
    """The numbers of a quote that are neither dates nor years."""
    found = read_figures(quote, around).numbers
    return [each for each in found if each.unit or each.scale is not None or not periods.is_year(each.value)]
