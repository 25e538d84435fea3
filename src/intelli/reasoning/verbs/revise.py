"""Verb `revise`: rewrite sentences that the check rejected, with the reason; each may be corrected or left out."""

from collections.abc import Mapping
from typing import Literal

from pydantic import Field

from intelli.reasoning.citation_stream import CitationStream
from intelli.reasoning.untrusted import Fence
from intelli.reasoning.values import ReasoningModel, SourceText
from intelli.reasoning.verbs.verb import Sources, Verb, VerbInput


class RejectedSentence(ReasoningModel):
    """A sentence as it is written, the identifiers that it cites, and why it was rejected."""

    text: str
    sources: tuple[str, ...]
    reason: str


class Revision(ReasoningModel):
    """The sentences anew, with citations, in their order; an empty one is left out of the text, None stays as it is."""

    sentences: tuple[str | None, ...]


class ReviseInput(VerbInput[Revision]):
    """How should these sentences read, so that their sources support them?"""

    verb: Literal["revise"] = "revise"
    question: str
    sentences: tuple[RejectedSentence, ...]
    passages: tuple[SourceText, ...]
    # Left out where it is not known, so that what earlier runs recorded has the same fingerprint.
    answer: str = Field("", exclude_if=lambda value: not value, description="The whole text that they stand in.")


class RevisedSentence(ReasoningModel):
    """A sentence anew, with handles; empty when nothing of it can be said."""

    number: int
    text: str


class RevisionDraft(ReasoningModel):
    """The sentences of a model."""

    sentences: list[RevisedSentence]


def _slots(given: ReviseInput, fence: Fence) -> Mapping[str, str]:
    handles = {each.identifier: f"s{number}" for number, each in enumerate(given.passages, 1)}
    lines = []
    for number, each in enumerate(given.sentences, 1):
        cited = "".join(f"[{handles[name]}]" for name in each.sources if name in handles)
        lines.append(f"{number}. {each.text} {cited}\n   Rejected: {each.reason}")
    return {
        "question": given.question,
        "answer": fence.lines("The answer:", [given.answer]),
        "sentences": fence.enclose("\n\n".join(lines)),
    }


def _check(draft: RevisionDraft, given: ReviseInput, sources: Sources) -> Revision:
    """Replace handles by citations. A sentence that the reply leaves out stays; an empty one is dropped."""
    by_number = {each.number: each.text for each in draft.sentences}
    return Revision(
        sentences=tuple(
            _cite(by_number[number], sources) if number in by_number else None
            for number in range(1, len(given.sentences) + 1)
        )
    )


def _cite(text: str, sources: Sources) -> str:
    stream = CitationStream(sources)
    return (stream.feed(" ".join(text.split())) + stream.end()).strip()


def _unchanged(given: ReviseInput) -> Revision:
    """Without a model nothing is written anew."""
    return Revision(sentences=(None,) * len(given.sentences))


VERB = Verb(
    input=ReviseInput,
    output=Revision,
    draft=RevisionDraft,
    slots=_slots,
    sources=lambda given: given.passages,
    check=_check,
    without_model=_unchanged,
)
