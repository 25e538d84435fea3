"""Follow-up questions: open questions first, then questions about passages that were found and not used.

Each of the latter names a topic of such a passage, so that the sources contain an answer to it.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from uuid import UUID

from intelli.citations.wire import Citation
from intelli.conversations.plain_text import truncate
from intelli.language import words
from intelli.reasoning import topics

_MOST = 3
_LONGEST_SECTION = 80
_LONGEST = 300
# Separator between a section and the sections below it.
_BELOW = " \u203a "
# The number of a heading is no part of what it is about.
_NUMBER = re.compile(r"^\d{1,3}(?:\.\d{1,3})*[.)]?\s+(?=\D)")
# A file that the answer does not cite is worth asking about when it fits the question nearly as well.
_MIN_SCORE_SHARE = 0.2


@dataclass(frozen=True, slots=True)
class SeenPassage:
    """Passage of a document that a run found: location, beginning of its text, and score."""

    identifier: str
    document_id: UUID | None
    file_name: str
    section: str | None
    text: str
    score: float


@dataclass(frozen=True, slots=True)
class AnsweredQuestion:
    """Question with its answer's open questions and citations, and the passages that were found."""

    question: str
    open_questions: Sequence[str]
    citations: Sequence[Citation]
    parts: Sequence[SeenPassage]


def suggest(answered: AnsweredQuestion) -> list[str]:
    """Return up to three next questions, deterministically. An answer without citations has none."""
    if not answered.citations:
        return []
    question = answered.question
    found = [
        *_from_open_questions(question, answered.open_questions),
        *_from_unused_passages(question, answered.citations, answered.parts),
    ]
    return list(dict.fromkeys(found))[:_MOST]


def _from_open_questions(question: str, open_questions: Sequence[str]) -> Iterator[str]:
    """Turn open questions into follow-ups, unless they repeat the question."""
    language = words.language_of(question)
    covered = set(words.terms_of(question, language))
    for each in open_questions:
        text = " ".join(each.split()).rstrip(" .?")
        # A part of the question itself was just searched for: asking again would find no more.
        if text and topics.is_new(text, covered, language) and topics.is_worth_asking(text):
            yield truncate(text, _LONGEST) + "?"


def _from_unused_passages(question: str, citations: Sequence[Citation], parts: Sequence[SeenPassage]) -> Iterator[str]:
    """Yield one question per passage about a topic that neither the question nor the answer mentions."""
    language = words.language_of(question)
    covered = set(words.terms_of(" ".join([question, *(each.sentence for each in citations)]), language))
    sections = {(each.document_id, each.section) for each in citations}
    sections |= {(of, title) for of, title, below in _outermost_sections([*citations, *parts]) if below}
    everything = "\n".join(part.text.casefold() for part in parts)
    for part in _rank_passages(citations, parts):
        topic = _heading_topic(part, covered, sections) or _text_topic(part, covered, everything)
        if topic is not None:
            covered |= set(words.terms_of(topic, language))
            sections.add((part.document_id, part.section))
            yield topics.question_about(topic, file_name=part.file_name, asked=question)


def _outermost_sections(of: Sequence[Citation | SeenPassage]) -> Iterator[tuple[UUID | None, str, str]]:
    """Yield document, outermost section and the sections below it, e.g. (id, "Report", "Risks").

    A section that contains others covers the whole document; a question about it would ask about everything.
    """
    for each in of:
        title, _, below = (each.section or "").partition(_BELOW)
        yield each.document_id, title, below


def _rank_passages(citations: Sequence[Citation], parts: Sequence[SeenPassage]) -> list[SeenPassage]:
    """Return passages of the cited files, and those of other files that fit the question nearly as well; best first.

    Passages that the answer cites come last: they may still mention more than it used.
    """
    used = {citation.identifier for citation in citations}
    files = {citation.document_id for citation in citations} - {None}
    least = _MIN_SCORE_SHARE * max((part.score for part in parts), default=0)
    fit = [part for part in parts if part.document_id in files or part.score >= least]
    return sorted(fit, key=lambda part: (part.identifier in used, -part.score))


def _heading_topic(part: SeenPassage, covered: set[str], sections: set[tuple[UUID | None, str | None]]) -> str | None:
    """Return the innermost heading without its number, "2.1 Risks" → "Risks"; None when it is covered already."""
    innermost = " ".join((part.section or "").rsplit(_BELOW, 1)[-1].split())
    is_known = (part.document_id, part.section) in sections or len(innermost) > _LONGEST_SECTION
    if is_known or not topics.is_worth_asking(innermost):
        return None
    topic = _NUMBER.sub("", innermost)
    return topic if topics.is_new(topic, covered, words.language_of(part.text or topic)) else None


def _text_topic(part: SeenPassage, covered: set[str], everything: str) -> str | None:
    """Return the new topic of a passage's text that the other passages mention most often; None without one."""
    language = words.language_of(part.text)
    fit = filter(topics.is_worth_asking, topics.topics_of(part.text, language))
    new = [each for each in fit if topics.is_new(each, covered, language)]
    return max(new, key=lambda each: everything.count(each.casefold()), default=None)
