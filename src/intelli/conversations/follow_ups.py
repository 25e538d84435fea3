"""Follow-ups: what could be asked next. What was left open comes first, then parts of the cited files not yet used."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from uuid import UUID

from intelli.citations.wire import Citation
from intelli.conversations.plain import cut
from intelli.reasoning.extractive import wording

_MOST = 3
_LONGEST_SECTION = 80
_LONGEST = 300


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a document that a run came across."""

    document_id: UUID | None
    file_name: str
    section: str | None


def suggest(
    question: str, *, open_questions: Sequence[str], citations: Sequence[Citation], parts: Sequence[Part]
) -> list[str]:
    """The next questions, the same for the same answer. An answer that cites nothing leads nowhere."""
    if not citations:
        return []
    found = [*_left_open(question, open_questions), *_not_used(question, citations, parts)]
    return list(dict.fromkeys(found))[:_MOST]


def _left_open(question: str, open_questions: Sequence[str]) -> Iterator[str]:
    for each in open_questions:
        text = " ".join(each.split()).rstrip(" .?")
        if text and text.casefold() not in question.casefold():
            yield cut(text, _LONGEST) + "?"


def _not_used(question: str, citations: Sequence[Citation], parts: Sequence[Part]) -> Iterator[str]:
    cited_files = {citation.document_id for citation in citations} - {None}
    used = {(citation.document_id, citation.section) for citation in citations}
    for part in parts:
        section = part.section.strip() if part.section else ""
        is_new = part.document_id in cited_files and (part.document_id, part.section) not in used
        if is_new and any(character.isalpha() for character in section) and len(section) <= _LONGEST_SECTION:
            yield wording.follow_up(question, file_name=part.file_name, section=section)
