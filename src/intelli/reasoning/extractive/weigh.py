"""Relevance of a sentence to a question: by its own words, with its title, and by its whole passage.

The weights are learnt by `bench/evidence_quality.py` on sentences that experts marked as evidence.
"""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from intelli.language import grids, languages, times, words
from intelli.reasoning.extractive import question, statements
from intelli.reasoning.values import SourceText

# Terms that all sentences share still count for something: passages were found by them.
_LEAST_WEIGHT = 2.0
# Less is a heading or a label.
_LEAST_WORDS = 3
# Of a compound: its first word, and what is more than an ending of it.
_LEAST_BEGINNING = 5
_LEAST_REST = 3
# What a source asks, it does not answer there.
_ASKS = ("?", "\u061f", "\uff1f")


@dataclass(frozen=True, slots=True)
class Candidate:
    """A sentence of a passage, with those before it that its pronoun needs, or with the list that it opens.

    `position` is its place in the order of all passages, `before` the start of the sentence before it.
    """

    passage: SourceText
    position: int
    start: int
    end: int
    terms: frozenset[str]
    before: int

    @property
    def quote(self) -> str:
        """The passage's own words."""
        return self.passage.text[self.start : self.end]


@dataclass(frozen=True, slots=True)
class Signs:
    """Features of a candidate, each from 0 to 1; closeness only with an embedder."""

    said: float
    said_under_title: float
    said_in_passage: float
    closeness: float | None = None


@dataclass(frozen=True, slots=True)
class Weights:
    """Weights of a logistic regression over the features."""

    said: float
    said_under_title: float
    said_in_passage: float
    closeness: float
    start: float


LEXICAL = Weights(3.5, 2.8, 3.0, 0, -7.2)
WITH_CLOSENESS = Weights(1.45, 3.1, 2.9, 3.0, -7.65)


def candidates(passages: Sequence[SourceText], language: str) -> list[Candidate]:
    """Every sentence of the passages that says something: no heading, no label, no line that only names columns."""
    found: list[Candidate] = []
    for passage in passages:
        for statement in statements.statements(passage.text):
            text = statements.bare(passage.text[statement.start : statement.end])
            over = grids.columns_over(passage.text, statement.start, passage.header) if grids.is_row(text) else ()
            whole = " ".join((*over, text))
            if _has_words(whole) and not _asks(text) and not _is_heading(text):
                # Who asks for February also asks for the row of 2025-02.
                named = " ".join((whole, *(times.months_in(text) if over else ())))
                terms = frozenset(words.terms_of(named, language))
                place = (len(found), statement.start, statement.end)
                found.append(Candidate(passage, *place, terms, statement.before))
    return found


def with_compounds(found: Sequence[Candidate], asked: Sequence[str], language: str) -> list[Candidate]:
    """The candidates, those that have an asked term as the beginning of a longer word with the term itself."""
    begun = tuple(term for term in asked if len(term) >= _LEAST_BEGINNING and term.isalpha())
    if not begun or not languages.languages()[language].compounds:
        return list(found)
    return [replace(each, terms=each.terms | _begun(each.terms, begun)) for each in found]


def _begun(terms: frozenset[str], asked: tuple[str, ...]) -> frozenset[str]:
    longer = [term for term in terms if term.startswith(asked)]
    return frozenset(
        each for each in asked for term in longer if term.startswith(each) and len(term) - len(each) >= _LEAST_REST
    )


def _has_words(text: str) -> bool:
    """Whether a text is more than a label. What has spaces enough need not be counted closely."""
    return text.count(" ") > _LEAST_WORDS or words.count_words(text) >= _LEAST_WORDS


def _asks(text: str) -> bool:
    """Whether a text asks, or has its reader find out."""
    return text.endswith(_ASKS) or question.sends_off(text)


def _is_heading(text: str) -> bool:
    """Whether a text only says what follows; a label with its value says it itself."""
    return ": " not in text and words.is_heading(text)


def signs(
    asked: Sequence[str], found: Sequence[Candidate], language: str, near: Sequence[float] | None = None
) -> list[Signs]:
    """The signs of each candidate for the terms that are asked for."""
    rarity = _rarity(asked, found)
    total = sum(rarity.values()) or 1.0
    under_title = _terms_of_titles(found, language)
    in_passage = _coverage_of_passages(asked, found, under_title)
    return [
        Signs(
            said=_sum(rarity, each.terms) / total,
            said_under_title=_sum(rarity, each.terms | under_title[id(each.passage)]) / total,
            said_in_passage=in_passage[id(each.passage)],
            closeness=near[number] if near is not None else None,
        )
        for number, each in enumerate(found)
    ]


def strength(seen: Signs) -> float:
    """The log-odds that a candidate is evidence."""
    weights = LEXICAL if seen.closeness is None else WITH_CLOSENESS
    return (
        weights.start
        + weights.said * seen.said
        + weights.said_under_title * seen.said_under_title
        + weights.said_in_passage * seen.said_in_passage
        + weights.closeness * (seen.closeness or 0)
    )


def _rarity(asked: Sequence[str], found: Sequence[Candidate]) -> dict[str, float]:
    """How rare each asked term is among the candidates."""
    wanted = dict.fromkeys(asked)
    counts = Counter(term for each in found for term in each.terms if term in wanted)
    size = len(found)
    return {term: _LEAST_WEIGHT + math.log1p((size - counts[term] + 0.5) / (counts[term] + 0.5)) for term in wanted}


def _sum(rarity: dict[str, float], terms: frozenset[str]) -> float:
    return sum(weight for term, weight in rarity.items() if term in terms)


def _terms_of_titles(found: Sequence[Candidate], language: str) -> dict[int, frozenset[str]]:
    passages = {id(each.passage): each.passage for each in found}
    return {
        key: frozenset(words.terms_of(f"{passage.title} {passage.section or ''}", language))
        for key, passage in passages.items()
    }


def _coverage_of_passages(
    asked: Sequence[str], found: Sequence[Candidate], under_title: dict[int, frozenset[str]]
) -> dict[int, float]:
    """Which share of the asked terms each passage has, its title included."""
    wanted = frozenset(asked)
    seen = {key: set(terms & wanted) for key, terms in under_title.items()}
    for each in found:
        seen[id(each.passage)] |= each.terms & wanted
    return {key: len(terms) / (len(wanted) or 1) for key, terms in seen.items()}
