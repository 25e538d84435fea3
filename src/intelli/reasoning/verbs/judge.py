"""Verb `judge`: judge whether sources support statements, all statements of a text in one call, each source once."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Any, Literal

from intelli.reasoning.model_json import UnusableReply
from intelli.reasoning.untrusted import Fence
from intelli.reasoning.values import ReasoningModel, SourceText
from intelli.reasoning.verbs.verb import NONE, Sources, Verb, VerbInput

_LONGEST_REASON = 500


class Verdict(StrEnum):
    """Whether sources support a statement: wholly, in part, not; whether they contradict it; or nobody could tell."""

    SUPPORTED = "supported"
    PARTLY = "partly"
    NOT_SUPPORTED = "not_supported"
    CONTRADICTED = "contradicted"
    UNCHECKED = "unchecked"


class StatementToJudge(ReasoningModel):
    """A statement, the sentence it is a clause of, and the identifiers of the sources that it cites.

    `note` is a calculation that a program found and that may give a figure of it. `is_true` is known of
    control statements alone, and not shown to the judge.
    """

    text: str
    context: str = ""
    sources: tuple[str, ...] = ()
    note: str = ""
    is_true: bool | None = None


class Judgement(ReasoningModel):
    """The verdict on a statement, why in one sentence, and the identifiers of the sources that carry it.

    `elsewhere` are sources that carry it, alone or with the cited ones, which do not; `calculation` gives a figure that
    no source has. `text` and `cited` repeat the statement, so that a recorded judgement can be found by it.
    """

    text: str = ""
    cited: tuple[str, ...] = ()
    is_true: bool | None = None
    verdict: Verdict
    reason: str = ""
    sources: tuple[str, ...] = ()
    elsewhere: tuple[str, ...] = ()
    calculation: str = ""


class Judgements(ReasoningModel):
    """A judgement for each statement, in their order."""

    judgements: tuple[Judgement, ...]

    @property
    def is_sound(self) -> bool:
        """False when the judge is too weak: it supports an altered sentence of a source, or none of those copied.

        One copied sentence may be rejected, since another source may have replaced what it says.
        """
        altered = [each.verdict is Verdict.SUPPORTED for each in self.judgements if each.is_true is False]
        copied = [each.verdict is Verdict.SUPPORTED for each in self.judgements if each.is_true is True]
        return not any(altered) and (any(copied) or not copied)


class JudgeInput(VerbInput[Judgements]):
    """Do the sources support the statements?"""

    verb: Literal["judge"] = "judge"
    statements: tuple[StatementToJudge, ...]
    passages: tuple[SourceText, ...]
    question: str = ""


class JudgementDraft(ReasoningModel):
    """A judgement in handles."""

    statement: int
    verdict: Literal["supported", "partly", "not_supported", "contradicted"]
    reason: str
    sources: list[str]
    elsewhere: list[str]
    calculation: str


class JudgementsDraft(ReasoningModel):
    """The judgements of a model."""

    judgements: list[JudgementDraft]


def _slots(given: JudgeInput, fence: Fence) -> Mapping[str, str]:
    handles = {each.identifier: f"s{number}" for number, each in enumerate(given.passages, 1)}
    lines = [_line(number, each, handles) for number, each in enumerate(given.statements, 1)]
    return {"question": given.question or NONE, "statements": fence.enclose("\n\n".join(lines))}


def _line(number: int, statement: StatementToJudge, handles: Mapping[str, str]) -> str:
    cited = ", ".join(dict.fromkeys(handles[each] for each in statement.sources if each in handles))
    parts = [f"{number}. {' '.join(statement.text.split())}", f"   Cites: {cited or 'nothing'}"]
    if statement.context and statement.context != statement.text:
        parts.append(f"   Part of the sentence: {' '.join(statement.context.split())}")
    if statement.note:
        parts.append(f"   Perhaps: {statement.note}")
    return "\n".join(parts)


def _check(draft: JudgementsDraft, given: JudgeInput, sources: Sources) -> Judgements:
    """Replace handles by identifiers. A statement that was left out is unchecked; most of them may not be."""
    by_number = {each.statement: each for each in draft.judgements}
    if sum(number in by_number for number in range(1, len(given.statements) + 1)) * 2 < len(given.statements):
        raise UnusableReply("it leaves most statements out; give one judgement for each number")
    return Judgements(
        judgements=tuple(
            _judgement(each, by_number.get(number), sources) for number, each in enumerate(given.statements, 1)
        )
    )


def _judgement(statement: StatementToJudge, draft: JudgementDraft | None, sources: Sources) -> Judgement:
    if draft is None:
        return Judgement(verdict=Verdict.UNCHECKED, **_repeated(statement))
    return Judgement(
        **_repeated(statement),
        verdict=Verdict(draft.verdict),
        reason=draft.reason.strip()[:_LONGEST_REASON],
        sources=_identifiers(draft.sources, sources),
        elsewhere=_identifiers(draft.elsewhere, sources),
        calculation=draft.calculation.strip()[:_LONGEST_REASON],
    )


def _repeated(statement: StatementToJudge) -> dict[str, Any]:
    return {"text": statement.text, "cited": statement.sources, "is_true": statement.is_true}


def _identifiers(handles: list[str], sources: Sources) -> tuple[str, ...]:
    known = (sources.get(each.strip("[] ")) for each in handles)
    return tuple(dict.fromkeys(each.identifier for each in known if each is not None))


def _not_judged(given: JudgeInput) -> Judgements:
    """Without a model nothing is judged: rules have had their say."""
    return Judgements(judgements=tuple(Judgement(verdict=Verdict.UNCHECKED) for _ in given.statements))


VERB = Verb(
    input=JudgeInput,
    output=Judgements,
    draft=JudgementsDraft,
    slots=_slots,
    sources=lambda given: given.passages,
    check=_check,
    without_model=_not_judged,
)
