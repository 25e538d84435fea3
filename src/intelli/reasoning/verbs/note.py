"""Verb `note`: take notes, findings from passages that each name their sources and quote them word for word."""

from collections.abc import Iterator, Mapping
from typing import Literal

from pydantic import Field

from intelli.reasoning.model_json import UnusableReply
from intelli.reasoning.quotes import find_quote
from intelli.reasoning.untrusted import Fence
from intelli.reasoning.values import QuotedFinding, ReasoningModel, Relevance, SourceQuote, SourceText
from intelli.reasoning.verbs.understand import PlannedTask
from intelli.reasoning.verbs.verb import Sources, Verb, VerbInput


class Notes(ReasoningModel):
    """What was found, best first, and what the passages leave open.

    Where nothing was found without a model, `closest` are the statements nearest to what is asked.
    """

    task_title: str
    findings: tuple[QuotedFinding, ...]
    open_questions: tuple[str, ...] = ()
    closest: tuple[QuotedFinding, ...] = Field((), exclude_if=lambda value: not value)


class NoteInput(VerbInput[Notes]):
    """What do these passages say about the task?"""

    verb: Literal["note"] = "note"
    question: str
    task: PlannedTask
    passages: tuple[SourceText, ...]
    from_tables: QuotedFinding | None = Field(
        None, exclude_if=lambda value: value is None, description="What tables answer, where they were asked."
    )
    from_documents: tuple[QuotedFinding, ...] = Field(
        (), exclude_if=lambda value: not value, description="What is told about documents, where that was asked."
    )
    max_findings: int = Field(8, ge=1, le=50, description="How many there are without a model; one tells all it finds.")


class QuoteDraft(ReasoningModel):
    """Words of a source by its handle."""

    source: str
    quote: str


class FindingDraft(ReasoningModel):
    """A finding with the words that it rests on."""

    text: str
    quotes: list[QuoteDraft]
    relevance: Relevance


class NotesDraft(ReasoningModel):
    """Notes on one task."""

    findings: list[FindingDraft]
    open_questions: list[str]


def _slots(given: NoteInput, fence: Fence) -> Mapping[str, str]:
    task = f"{given.task.title}: {given.task.message}"
    return {"question": given.question, "task": task}


def _check(draft: NotesDraft, given: NoteInput, sources: Sources) -> Notes:
    """Return the findings with the quotes that are in their sources; drop a finding that has none."""
    found = [_finding(each, given.task.title, sources) for each in draft.findings]
    findings = tuple(each for each in found if each is not None)
    if draft.findings and not findings:
        raise UnusableReply("no quote stands in the source that it names; copy quotes word for word")
    return Notes(task_title=given.task.title, findings=findings, open_questions=tuple(draft.open_questions))


def _finding(draft: FindingDraft, about: str, sources: Sources) -> QuotedFinding | None:
    quotes = tuple(dict.fromkeys(_quotes(draft, sources)))
    if not quotes:
        return None
    first, *further = quotes
    return QuotedFinding(
        text=draft.text,
        identifier=first.identifier,
        quote=first.text,
        relevance=draft.relevance,
        about=about,
        further=tuple(further),
    )


def _quotes(draft: FindingDraft, sources: Sources) -> Iterator[SourceQuote]:
    """Yield the quotes of a draft that stand in the source they name, as they are written there."""
    for each in draft.quotes:
        source = sources.get(each.source.strip("[] "))
        quote = find_quote(each.quote, source.text) if source else None
        if source is not None and quote is not None:
            yield SourceQuote(text=quote, identifier=source.identifier)


VERB = Verb(
    input=NoteInput,
    output=Notes,
    draft=NotesDraft,
    slots=_slots,
    sources=lambda given: given.passages,
    check=_check,
)
