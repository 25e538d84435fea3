"""Verb `answer`: write the answer. It streams: handles become citations while the model's text arrives."""

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
from intelli.reasoning.verbs.verb import NONE, PromptedVerb, ReasonerInput, Sources

_CUT_OFF = "The model broke off before the end of its answer."


class Answer(ReasoningModel):
    """The whole text, with citations as `<gml-inlinecitation identifier="…"/>`.

    `is_answered` is false when the sources do not answer, `is_complete` when the text breaks off for a `reason`.
    """

    text: str
    is_answered: bool
    is_complete: bool = True
    reason: str | None = None
    confidence: Relevance = 0
    unknown: tuple[str, ...] = Field((), description="What the model cited that nothing has; it was taken out.")


class AnswerInput(ReasonerInput):
    """Write the answer: from a brief, or, where that has no findings, from the passages themselves.

    `problems` are sentences the answer must own up to: failed tasks, a spent budget. The date and the tasks are left
    out where they are not known, so that what earlier runs recorded has the same fingerprint.
    """

    verb: Literal["answer"] = "answer"
    question: str
    brief: Brief
    tasks: tuple[PlannedTask, ...] = Field((), exclude_if=lambda value: not value)
    passages: tuple[SourceText, ...] = ()
    today: date | None = Field(None, exclude_if=lambda value: value is None)
    conversation: tuple[Turn, ...] = ()
    problems: tuple[str, ...] = ()


class Delta(ReasoningModel):
    """The next piece of the answer's text; never half a citation."""

    type: Literal["delta"] = "delta"
    text: str


class AnswerEnd(ReasoningModel):
    """The last part of the stream: the deltas joined, and what they cost."""

    type: Literal["answered"] = "answered"
    answer: Answer
    usage: Usage


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
        relevance = [each.relevance for each in self._given.brief.findings if each.identifier in cited]
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
        "disagreements": fence.lines("", map(_disagreement, given.brief.disagreements)) or NONE,
        "open_questions": fence.lines("", given.brief.open_questions) or NONE,
        "problems": fence.lines("", given.problems) or NONE,
    }


VERB = PromptedVerb(
    input=AnswerInput,
    slots=_slots,
    sources=lambda given: (*findings_as_sources(given.brief.findings), *given.passages),
)
