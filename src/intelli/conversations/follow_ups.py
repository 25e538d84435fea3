"""Follow-ups: what could be asked next. What was left open comes first, then what was found and not used.

Each of the latter names something that stands in a passage of a file, so that the sources have an answer to it.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from uuid import UUID

from intelli.citations.wire import Citation
from intelli.conversations.plain_text import cut
from intelli.reasoning.extractive import answer_text, topics, words

_MOST = 3
_LONGEST_SECTION = 80
_LONGEST = 300
# How a section tells those that it is in.
_BELOW = " \u203a "
# The number of a heading is no part of what it is about.
_NUMBER = re.compile(r"^\d{1,3}(?:\.\d{1,3})*[.)]?\s+(?=\D)")
# A file that the answer does not cite is worth asking about when it fits the question nearly as well.
_NEARLY = 0.6


@dataclass(frozen=True, slots=True)
class SeenPassage:
    """A passage of a document that a run came across: where it stands, how it begins, how well it fits."""

    identifier: str
    document_id: UUID | None
    file_name: str
    section: str | None
    text: str
    score: float


@dataclass(frozen=True, slots=True)
class AnsweredQuestion:
    """What an answer leaves: what was asked, what stayed open, what it cites, and what was found."""

    question: str
    open_questions: Sequence[str]
    citations: Sequence[Citation]
    parts: Sequence[SeenPassage]


def suggest(answered: AnsweredQuestion) -> list[str]:
    """The next questions, the same for the same answer. An answer that cites nothing leads nowhere."""
    if not answered.citations:
        return []
    question = answered.question
    found = [
        *_left_open(question, answered.open_questions),
        *_not_used(question, answered.citations, answered.parts),
    ]
    return list(dict.fromkeys(found))[:_MOST]


def _left_open(question: str, open_questions: Sequence[str]) -> Iterator[str]:
    language = words.language_of(question)
    told = set(words.terms_of(question, language))
    for each in open_questions:
        text = " ".join(each.split()).rstrip(" .?")
        # A part of the question itself was looked for just now: to ask again would find no more.
        if text and topics.is_new(text, told, language) and topics.is_worth_asking(text):
            yield cut(text, _LONGEST) + "?"


def _not_used(question: str, citations: Sequence[Citation], parts: Sequence[SeenPassage]) -> Iterator[str]:
    """One question a passage, each about something that neither the question nor the answer speaks of."""
    language = words.language_of(question)
    told = set(words.terms_of(" ".join([question, *(each.sentence for each in citations)]), language))
    sections = {(each.document_id, each.section) for each in citations}
    sections |= {(of, title) for of, title, below in _steps([*citations, *parts]) if below}
    everything = "\n".join(part.text.casefold() for part in parts)
    for part in _worth_asking(citations, parts):
        topic = _heading(part, told, sections) or _thing(part, told, everything)
        if topic is not None:
            told |= set(words.terms_of(topic, language))
            sections.add((part.document_id, part.section))
            yield answer_text.follow_up(question, file_name=part.file_name, section=topic)


def _steps(of: Sequence[Citation | SeenPassage]) -> Iterator[tuple[UUID | None, str, str]]:
    """What stands over whole documents, with what stands below it: a question about that would be one about all."""
    for each in of:
        title, _, below = (each.section or "").partition(_BELOW)
        yield each.document_id, title, below


def _worth_asking(citations: Sequence[Citation], parts: Sequence[SeenPassage]) -> list[SeenPassage]:
    """Passages of the cited files, and of others what fits the question nearly as well; the best first.

    What a cited passage has besides comes last.
    """
    used = {citation.identifier for citation in citations}
    files = {citation.document_id for citation in citations} - {None}
    least = _NEARLY * max((part.score for part in parts), default=0)
    fit = [part for part in parts if part.document_id in files or part.score >= least]
    return sorted(fit, key=lambda part: (part.identifier in used, -part.score))


def _heading(part: SeenPassage, told: set[str], sections: set[tuple[UUID | None, str | None]]) -> str | None:
    """What stands over a passage, where no other question is about that yet."""
    innermost = " ".join((part.section or "").rsplit(_BELOW, 1)[-1].split())
    is_known = (part.document_id, part.section) in sections or len(innermost) > _LONGEST_SECTION
    if is_known or not topics.is_worth_asking(innermost):
        return None
    topic = _NUMBER.sub("", innermost)
    return topic if topics.is_new(topic, told, words.language_of(part.text or topic)) else None


def _thing(part: SeenPassage, told: set[str], everything: str) -> str | None:
    """What a passage speaks of; of several things the one that the other passages speak of as well."""
    language = words.language_of(part.text)
    fit = filter(topics.is_worth_asking, topics.topics_of(part.text, language))
    new = [each for each in fit if topics.is_new(each, told, language)]
    return max(new, key=lambda each: everything.count(each.casefold()), default=None)
