"""Verb `answer`: write the answer. It streams: handles become citations while the model's text arrives."""

import re
from collections.abc import Mapping
from datetime import date
from typing import Literal

from pydantic import Field

from intelli.reasoning.citation_stream import CitationStream
from intelli.reasoning.untrusted import Fence, findings_as_sources
from intelli.reasoning.usage import Usage
from intelli.reasoning.values import ReasoningModel, Relevance, SourceDisagreement, SourceText, Turn
from intelli.reasoning.verbs.brief import Brief
from intelli.reasoning.verbs.understand import PlannedTask
from intelli.reasoning.verbs.verb import PromptedVerb, ReasonerInput, Sources

# A reply that asks to read on is short, and nothing else: "READ s3", "READ s3 before, s5".
_REQUEST_BEGINS = re.compile(r"\s{0,4}`?(?:R|RE|REA|READ|READ[\s\[][\sa-zREAD0-9,;.\[\]`]{0,60})?")
_WANTED = re.compile(r"(?P<handle>s\d{1,4})\]?(?P<before>\s+before)?")
_READ_ON = (
    "Where a source breaks off before what the question asks for, you may read on first, once: reply with nothing but "
    "READ and one or two handles, such as READ s3 for what follows s3 in its document, READ s3 before for what "
    "precedes it, READ s3, s5 before for two. Do so only when the sources above are not enough."
)
_CUT_OFF = "The model broke off before the end of its answer."


class ReadRequest(ReasoningModel):
    """A request to read on in the document of a source, after it or before it."""

    identifier: str
    is_after: bool = True


class Answer(ReasoningModel):
    """The whole text, with citations as `<gml-inlinecitation identifier="…"/>`.

    `is_answered` is false when the sources do not answer, `is_complete` when the text breaks off for a `reason`.
    """

    text: str
    is_answered: bool
    is_complete: bool = True
    reason: str | None = None
    confidence: Relevance = 0
    wanted: tuple[ReadRequest, ...] = Field(
        (), exclude_if=lambda value: not value, description="What is to be read first; then there is no text yet."
    )
    notice: str = Field(
        "", exclude_if=lambda value: not value, description="What is to be told beside the answer, in a sentence."
    )
    unknown: tuple[str, ...] = Field((), description="What the model cited that nothing has; it was taken out.")


class AnswerInput(ReasonerInput):
    """Write the answer: from a brief, or, where that has no findings, from the passages themselves.

    `problems` are sentences the answer must own up to: failed tasks, a spent budget. One that `may_read_on` may be
    replied to by a request to read on. The date, the tasks and this are left out where they say nothing, so that what
    earlier runs recorded has the same fingerprint.
    """

    verb: Literal["answer"] = "answer"
    question: str
    brief: Brief
    tasks: tuple[PlannedTask, ...] = Field((), exclude_if=lambda value: not value)
    passages: tuple[SourceText, ...] = ()
    today: date | None = Field(None, exclude_if=lambda value: value is None)
    conversation: tuple[Turn, ...] = ()
    problems: tuple[str, ...] = ()
    may_read_on: bool = Field(False, exclude_if=lambda value: not value)


class Delta(ReasoningModel):
    """The next piece of the answer's text; never half a citation."""

    type: Literal["delta"] = "delta"
    text: str


class AnswerEnd(ReasoningModel):
    """The last part of the stream: the deltas joined, and what they cost."""

    type: Literal["answered"] = "answered"
    answer: Answer
    usage: Usage


def may_be_request(text: str) -> bool:
    """Return whether a reply that begins so may come to be nothing but a request to read on."""
    return _REQUEST_BEGINS.fullmatch(text) is not None


def requests_of(text: str, sources: Sources) -> tuple[ReadRequest, ...]:
    """Return what a reply asks to read on: `READ s3, s5 before`. Handles of nothing are left out."""
    return tuple(
        ReadRequest(identifier=sources[match["handle"]].identifier, is_after=match["before"] is None)
        for match in _WANTED.finditer(text)
        if match["handle"] in sources
    )


class ModelAnswer:
    """Answer of a model while it streams: handles become citations."""

    def __init__(self, given: AnswerInput, sources: Sources) -> None:
        self._given = given
        self._citations = CitationStream(sources)
        self._text = ""

    def feed(self, piece: str) -> str:
        """Add a piece of the model's text and return the text that can be shown now."""
        return self._append(self._citations.feed(piece))

    def end(self) -> str:
        """Return the text still to be shown when the model has ended or broken off."""
        return self._append(self._citations.end())

    def answer(self, *, is_whole: bool) -> Answer:
        """Return the whole answer."""
        cited = set(self._citations.cited)
        relevance = [each.relevance for each in self._given.brief.findings if cited.intersection(each.identifiers)]
        return Answer(
            text=self._text,
            is_answered=bool(cited),
            is_complete=is_whole,
            reason=None if is_whole else _CUT_OFF,
            confidence=max(relevance, default=0),
            unknown=tuple(self._citations.unknown),
        )

    def _append(self, text: str) -> str:
        self._text += text
        return text


def _disagreement(found: SourceDisagreement) -> str:
    return f"{found.about}: {' / '.join(each.value for each in found.readings)}"


def _parts(given: AnswerInput) -> list[str]:
    """The parts of a question that falls into several."""
    return [task.message or task.title for task in given.tasks] if len(given.tasks) > 1 else []


def _slots(given: AnswerInput, fence: Fence) -> Mapping[str, str]:
    return {
        "question": given.question,
        "today": str(given.today or "not known"),
        "parts": fence.lines("Parts of it:", _parts(given)),
        "conversation": fence.conversation(given.conversation),
        # An empty list would say that nothing is wrong, and nobody has looked.
        "disagreements": fence.lines("Disagreements:", map(_disagreement, given.brief.disagreements)),
        "open_questions": fence.lines("Open questions:", given.brief.open_questions),
        "problems": fence.lines("Problems:", given.problems),
        "read_on": _READ_ON if given.may_read_on else "",
    }


VERB = PromptedVerb(
    input=AnswerInput,
    slots=_slots,
    sources=lambda given: (*findings_as_sources(given.brief.findings), *given.passages),
)
