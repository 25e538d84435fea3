"""Candidates for an answer: the statements of passages, and how much of a question's words each has."""

import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from intelli.language import grids, times, words
from intelli.reasoning.extractive import question, statements
from intelli.reasoning.values import SourceText

# Terms that all sentences share still count for something: passages were found by them.
_LEAST_WEIGHT = 2.0
# Less is a heading or a label.
_LEAST_WORDS = 3
# Between two lines of one sentence, which a page may set apart.
_GAP = re.compile(r"(?<=[^\W\d_A-Z])\n\n(?=[a-z\u00df-\u00ff])")
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
    """Shares of a question's terms that a candidate has: itself, with its title, and with its whole passage."""

    said: float
    said_under_title: float
    said_in_passage: float


def candidates(passages: Sequence[SourceText], language: str) -> list[Candidate]:
    """Every sentence of the passages that says something: no heading, no label, no line that only names columns."""
    found: list[Candidate] = []
    for passage in passages:
        for statement in statements.statements(_joined(passage.text)):
            if _is_aside(passage, statement.start, statement.end):
                continue
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


def _joined(text: str) -> str:
    """Join sentences that go on behind a gap between two lines; every place of the text stays the same."""
    return _GAP.sub(" \n", text)


def _is_aside(passage: SourceText, start: int, end: int) -> bool:
    """Whether most of a span was read as no statement: a mail's header, a signature, a caption, a contents page."""
    aside = sum(max(0, min(end, last) - max(start, first)) for first, last in passage.asides)
    return aside * 2 > end - start


def _has_words(text: str) -> bool:
    """Whether a text is more than a label. What has spaces enough need not be counted closely."""
    return text.count(" ") > _LEAST_WORDS or words.count_words(text) >= _LEAST_WORDS


def _asks(text: str) -> bool:
    """Whether a text asks, or has its reader find out."""
    return text.endswith(_ASKS) or question.sends_off(text)


def _is_heading(text: str) -> bool:
    """Whether a text only says what follows; a label with its value says it itself."""
    return ": " not in text and words.is_heading(text)


def signs(asked: Sequence[str], found: Sequence[Candidate], language: str) -> list[Signs]:
    """The signs of each candidate for the terms that are asked for."""
    weights = rarity(asked, found)
    total = sum(weights.values()) or 1.0
    under_title = _terms_of_titles(found, language)
    in_passage = _coverage_of_passages(asked, found, under_title)
    return [
        Signs(
            said=_sum(weights, each.terms) / total,
            said_under_title=_sum(weights, each.terms | under_title[id(each.passage)]) / total,
            said_in_passage=in_passage[id(each.passage)],
        )
        for each in found
    ]


def rarity(asked: Sequence[str], found: Sequence[Candidate]) -> dict[str, float]:
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
