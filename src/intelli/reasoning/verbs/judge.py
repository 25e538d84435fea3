"""Verb `judge`: judge whether a passage supports a statement."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Literal

from intelli.reasoning.untrusted import Fence
from intelli.reasoning.values import ReasoningModel, Relevance, SourceText
from intelli.reasoning.verbs.verb import Verb, VerbInput, accept_draft


class Verdict(StrEnum):
    """How a passage bears on a statement."""

    SUPPORTED = "supported"
    CONTRADICTED = "contradicted"
    UNRELATED = "unrelated"


class Judgement(ReasoningModel):
    """The verdict, how sure, and why in one sentence."""

    verdict: Verdict
    score: Relevance
    reason: str


class JudgeInput(VerbInput[Judgement]):
    """Does the passage support the statement?"""

    verb: Literal["judge"] = "judge"
    statement: str
    passage: SourceText


def _slots(given: JudgeInput, fence: Fence) -> Mapping[str, str]:
    return {"statement": fence.enclose(given.statement)}


VERB = Verb(
    input=JudgeInput,
    output=Judgement,
    draft=Judgement,
    slots=_slots,
    sources=lambda given: (given.passage,),
    check=accept_draft,
)
