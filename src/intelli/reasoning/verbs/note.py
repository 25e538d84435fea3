"""Verb `note`: take notes, findings from passages that each name their source and quote it word for word."""

from collections.abc import Mapping
from typing import Literal

from pydantic import Field

from intelli.reasoning.model_json import UnusableReply
from intelli.reasoning.quotes import find_quote
from intelli.reasoning.untrusted import Fence
from intelli.reasoning.values import QuotedFinding, ReasoningModel, Relevance, SourceText
from intelli.reasoning.verbs.understand import PlannedTask
from intelli.reasoning.verbs.verb import Sources, Verb, VerbInput


class Notes(ReasoningModel):
    """What was found, best first, and what the passages leave open."""

    task_title: str
    findings: tuple[QuotedFinding, ...]
    open_questions: tuple[str, ...] = ()


class NoteInput(VerbInput[Notes]):
    """What do these passages say about the task?"""

    verb: Literal["note"] = "note"
    question: str
    task: PlannedTask
    passages: tuple[SourceText, ...]
    max_findings: int = Field(8, ge=1, le=50)


class FindingDraft(ReasoningModel):
    """A finding by the handle of its source."""

    text: str
    source: str
    quote: str
    relevance: Relevance


class NotesDraft(ReasoningModel):
    """Notes on one task."""

    findings: list[FindingDraft]
    open_questions: list[str]


def _slots(given: NoteInput, fence: Fence) -> Mapping[str, str]:
    task = f"{given.task.title}: {given.task.message}"
    return {"question": given.question, "task": task, "max_findings": str(given.max_findings)}


def _check(draft: NotesDraft, given: NoteInput, sources: Sources) -> Notes:
    """Return the findings whose quote is in their source; drop the others."""
    found = [_finding(each, given.task.title, sources) for each in draft.findings]
    findings = tuple(each for each in found if each is not None)
    if draft.findings and not findings:
        raise UnusableReply("no quote stands in the source that it names; copy quotes word for word")
    return Notes(
        task_title=given.task.title,
        findings=findings[: given.max_findings],
        open_questions=tuple(draft.open_questions),
    )


def _finding(draft: FindingDraft, about: str, sources: Sources) -> QuotedFinding | None:
    source = sources.get(draft.source.strip("[] "))
    quote = find_quote(draft.quote, source.text) if source else None
    if source is None or quote is None:
        return None
    return QuotedFinding(
        text=draft.text, identifier=source.identifier, quote=quote, relevance=draft.relevance, about=about
    )


VERB = Verb(
    input=NoteInput,
    output=Notes,
    draft=NotesDraft,
    slots=_slots,
    sources=lambda given: given.passages,
    check=_check,
)
