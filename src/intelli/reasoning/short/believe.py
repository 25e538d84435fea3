"""Decide what of a weak model's replies is believed: only what stands in a sentence of the passages."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from pydantic import Field

from intelli.language import grids, negation, quotes, words
from intelli.reasoning.extractive import question as extractive_question
from intelli.reasoning.extractive import weigh
from intelli.reasoning.extractive.weigh import Candidate
from intelli.reasoning.values import ReasoningModel, SourceText

# So large a share of a quote's words must stand in one sentence: models leave out or replace a pronoun.
_LEAST_QUOTED = 0.8
# So large a share of the question's words must stand in the passage, where both are in one language.
_LEAST_COVERED = 0.34
# So large a share of the words of the model's sentence may stand neither in the source's nor in the question.
_MOST_NEW = 0.3
_SHORTEST_QUOTE = 8
# Fewer words are no sentence.
_SHORTEST_SENTENCE = 4
_NOTHING = re.compile(
    r"\s*(?:not[ _]?found|none|n/a|unknown|no answer|not (?:stated|mentioned|given|specified|available)|"
    r"nicht (?:gefunden|angegeben|bekannt|genannt)|null|false)\b",
    re.IGNORECASE,
)
_WORD = re.compile(r"[^\W_]")
_YES_OR_NO = frozenset({"yes", "no", "ja", "nein", "oui", "non", "s\u00ed", "si", "true"})


class QuoteReply(ReasoningModel):
    """A sentence that the model copied, and its answer in a few words."""

    found: bool
    quote: str = Field(max_length=500)
    answer: str = Field(max_length=200)


class ShortReply(ReasoningModel):
    """An answer in as few words as possible."""

    answer: str = Field(max_length=200)


@dataclass(frozen=True, slots=True)
class QuotedSentence:
    """A sentence of a passage that a model rests its answer on, in words to be told."""

    passage: SourceText
    quote: str
    text: str


def says_something(reply: str) -> bool:
    """Return whether a reply answers, and does not say that nothing was found."""
    return _WORD.search(reply) is not None and _NOTHING.match(reply) is None


def find_evidence(reply: QuoteReply, question: str, passages: Sequence[SourceText]) -> QuotedSentence | None:
    """Return the sentence that the model copied, if it stands in a passage, answers, and bears on the question."""
    if not says_something(reply.answer) or len(reply.quote.strip()) < _SHORTEST_QUOTE:
        return None
    language = words.language_of(question)
    found = weigh.candidates(passages, language)
    sentence = _locate(reply.quote, found, language)
    if sentence is None or not _answers(reply.answer, question, sentence, language):
        return None
    if not _bears_on(question, sentence, found, language):
        return None
    return QuotedSentence(sentence.passage, sentence.quote, _tell(sentence))


def phrase(sentence: str, reply: QuoteReply, evidence: QuotedSentence, question: str) -> str:
    """Return the model's sentence where the source's carries all of it, else the source's own."""
    line = " ".join(sentence.split())
    if not says_something(line) or not _is_carried(line, reply.answer, evidence, question):
        return evidence.text
    return line if line.endswith((".", "!", "?")) else f"{line}."


def agree(one: str, other: str, question: str) -> bool:
    """Return whether two short answers say the same: one has all words of the other."""
    language = words.language_of(question)
    first, second = (frozenset(words.terms_of(each, language)) for each in (one, other))
    return bool(first and second) and (first <= second or second <= first)


def _locate(quote: str, found: Sequence[Candidate], language: str) -> Candidate | None:
    """Return the sentence that has the quote, or nearly all of its words."""
    wanted = quotes.skeleton(quote)
    for each in found:
        text = quotes.skeleton(each.quote)
        if wanted and (wanted in text or (len(text) >= _SHORTEST_QUOTE and text in wanted)):
            return each
    terms = frozenset(words.terms_of(quote, language))
    best = max(found, key=lambda each: len(terms & each.terms), default=None)
    if best is None or not terms or len(terms & best.terms) / len(terms) < _LEAST_QUOTED:
        return None
    return best if _numbers(quote) <= _numbers(best.quote) else None


def _answers(answer: str, question: str, sentence: Candidate, language: str) -> bool:
    """Return whether the sentence has the answer, and the answer is more than an echo of the question."""
    if answer.strip(" .!").casefold() in _YES_OR_NO:
        return True
    terms = frozenset(words.terms_of(answer, language))
    if not terms or terms <= frozenset(words.terms_of(question, language)):
        return False
    inside = quotes.skeleton(answer) in quotes.skeleton(sentence.quote)
    return (inside or terms <= sentence.terms) and _numbers(answer) <= _numbers(sentence.quote)


def _bears_on(question: str, sentence: Candidate, found: Sequence[Candidate], language: str) -> bool:
    """Return whether the passage has enough of what is asked for; across languages nobody can tell by words."""
    if (words.find_language(sentence.passage.text) or language) != language:
        return True
    asked = extractive_question.read(question).terms
    seen = weigh.signs(asked, found, language)[sentence.position]
    return max(seen.said_in_passage, seen.said_under_title) >= _LEAST_COVERED


def _is_carried(line: str, answer: str, evidence: QuotedSentence, question: str) -> bool:
    """Return whether a line is a whole sentence about the question, and says nothing that the source's does not."""
    language = words.language_of(question)
    asked = frozenset(words.terms_of(question, language))
    if len(line.split()) < _SHORTEST_SENTENCE or not asked & frozenset(words.terms_of(line, language)):
        return False
    known = frozenset(words.terms_of(f"{evidence.text} {evidence.passage.title} {question}", language))
    terms = frozenset(words.terms_of(line, language))
    if not terms or len(terms - known) > _MOST_NEW * len(terms):
        return False
    if not _numbers(line) <= _numbers(f"{evidence.text} {question}"):
        return False
    if negation.is_negated(line) != negation.is_negated(evidence.text):
        return False
    return quotes.skeleton(answer) in quotes.skeleton(line) or frozenset(words.terms_of(answer, language)) <= terms


def _tell(sentence: Candidate) -> str:
    """Return the sentence as it is told: a row of a table with the names of its columns."""
    passage = sentence.passage
    if grids.is_row(sentence.quote) and "\n" not in sentence.quote:
        return grids.told(passage.text, sentence.start, sentence.end, passage.header).text
    return " ".join(sentence.quote.split())


def _numbers(text: str) -> frozenset[str]:
    return frozenset(quotes.numbers(text))
