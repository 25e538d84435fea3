"""Verb `brief`: combine the notes of all tasks into a brief."""

from collections.abc import Mapping, Sequence
from typing import Literal

from pydantic import Field

from intelli.language import periods
from intelli.reasoning.model_json import UnusableReply
from intelli.reasoning.quotes import find_quote
from intelli.reasoning.untrusted import Fence, findings_as_sources
from intelli.reasoning.values import (
    BriefMetric,
    DatedEvent,
    QuotedFinding,
    ReasoningModel,
    SourceDisagreement,
    SourceQuote,
    SourceText,
    SourceValue,
)
from intelli.reasoning.verbs.note import Notes
from intelli.reasoning.verbs.verb import NONE, Sources, Verb, VerbInput


class Brief(ReasoningModel):
    """All that answers and deliverables are written from.

    `closest` are the statements nearest to a question that nothing answers.
    """

    title: str
    question: str
    findings: tuple[QuotedFinding, ...]
    metrics: tuple[BriefMetric, ...] = ()
    timeline: tuple[DatedEvent, ...] = ()
    quotes: tuple[SourceQuote, ...] = ()
    disagreements: tuple[SourceDisagreement, ...] = ()
    open_questions: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    closest: tuple[QuotedFinding, ...] = Field((), exclude_if=lambda value: not value)


class BriefInput(VerbInput[Brief]):
    """What do the notes of all tasks come to?"""

    verb: Literal["brief"] = "brief"
    question: str
    notes: tuple[Notes, ...]
    passages: tuple[SourceText, ...] = ()

    @property
    def findings(self) -> tuple[QuotedFinding, ...]:
        """The findings of all notes."""
        return tuple(finding for notes in self.notes for finding in notes.findings)


class MetricDraft(ReasoningModel):
    """A figure by the handle of its finding."""

    name: str
    value: str
    unit: str
    period: str
    entity: str
    source: str


class MomentDraft(ReasoningModel):
    """A dated event by the handle of its finding."""

    when: str
    what: str
    source: str


class ReadingDraft(ReasoningModel):
    """One side of a disagreement."""

    value: str
    source: str


class DisagreementDraft(ReasoningModel):
    """A disagreement with its sides."""

    about: str
    readings: list[ReadingDraft]


class BriefDraft(ReasoningModel):
    """A brief in handles of findings."""

    title: str
    findings: list[str] = Field(description="Handles of findings, such as s1.")
    metrics: list[MetricDraft]
    timeline: list[MomentDraft]
    disagreements: list[DisagreementDraft]
    open_questions: list[str]


def _slots(given: BriefInput, fence: Fence) -> Mapping[str, str]:
    questions = (each for notes in given.notes for each in notes.open_questions)
    return {"question": given.question, "open_questions": fence.lines("", questions) or NONE}


def _check(draft: BriefDraft, given: BriefInput, sources: Sources) -> Brief:
    """Replace handles by findings; drop figures that are not in the findings they name."""
    by_handle = dict(zip(sources, given.findings, strict=False))
    kept = tuple(by_handle[each] for each in dict.fromkeys(draft.findings) if each in by_handle)
    if given.findings and not kept:
        raise UnusableReply("it keeps no finding; name findings by their handles")
    told = [_disagreement(each, by_handle) for each in draft.disagreements]
    return Brief(
        title=draft.title,
        question=given.question,
        findings=kept,
        metrics=tuple(
            BriefMetric(**each.model_dump(exclude={"source"}), identifier=_place(each.value, by_handle[each.source]))
            for each in draft.metrics
            if _is_in_finding(each.value, by_handle.get(each.source))
        ),
        timeline=tuple(
            DatedEvent(when=each.when, what=each.what, identifier=_place(each.when, by_handle[each.source]))
            for each in draft.timeline
            if each.source in by_handle
        ),
        quotes=tuple(quote for each in kept for quote in each.quotes),
        disagreements=tuple(each for each in told if len(each.readings) > 1),
        open_questions=tuple(draft.open_questions),
        sources=tuple(dict.fromkeys(identifier for finding in kept for identifier in finding.identifiers)),
    )


def _disagreement(draft: DisagreementDraft, by_handle: Mapping[str, QuotedFinding]) -> SourceDisagreement:
    """A disagreement with the sides whose value is in their finding; none where the sides are of different years."""
    readings = [side for side in draft.readings if _is_in_finding(side.value, by_handle.get(side.source))]
    if _are_of_different_years([by_handle[side.source] for side in readings]):
        readings = []
    return SourceDisagreement(
        about=draft.about,
        readings=tuple(
            SourceValue(value=side.value, identifier=_place(side.value, by_handle[side.source])) for side in readings
        ),
    )


def _are_of_different_years(findings: Sequence[QuotedFinding]) -> bool:
    """Whether each of several findings tells a year, and no year is told by all of them."""
    years = [frozenset(periods.years_of(f"{each.text} {each.quoted}")) for each in findings]
    return len(years) > 1 and all(years) and not frozenset.intersection(*years)


def _is_in_finding(value: str, finding: QuotedFinding | None) -> bool:
    return finding is not None and (find_quote(value, finding.quoted) or find_quote(value, finding.text)) is not None


def _place(value: str, finding: QuotedFinding) -> str:
    """The source of a finding in which a value stands; its first where it stands in none as written."""
    quotes = (each.identifier for each in finding.quotes if find_quote(value, each.text) is not None)
    return next(quotes, finding.identifier)


VERB = Verb(
    input=BriefInput,
    output=Brief,
    draft=BriefDraft,
    slots=_slots,
    sources=lambda given: findings_as_sources(given.findings),
    check=_check,
)
