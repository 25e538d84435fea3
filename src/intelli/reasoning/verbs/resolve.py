"""Verb `resolve`: decide which names mean one thing, and which earlier statements no longer hold."""

from collections.abc import Mapping
from typing import Literal

from pydantic import ConfigDict, Field

from intelli.reasoning.untrusted import Fence
from intelli.reasoning.values import ReasoningModel, SourceText
from intelli.reasoning.verbs.verb import Sources, Verb, VerbInput


class NameDoubt(ReasoningModel):
    """A name that may be another's, which is already known."""

    name: str
    known: tuple[str, ...]


class Same(ReasoningModel):
    """A name, and the known name that it is another form of."""

    name: str
    known: str


class Resolution(ReasoningModel):
    """Names that are the same, and the numbers, from 1, of earlier statements that the new ones contradict."""

    model_config = ConfigDict(title="Resolved")

    same: tuple[Same, ...] = ()
    contradicted: tuple[int, ...] = ()


class ResolveInput(VerbInput[Resolution]):
    """Which names mean the same thing, and which earlier statements can no longer be true?"""

    verb: Literal["resolve"] = "resolve"
    passage: SourceText
    doubts: tuple[NameDoubt, ...] = ()
    statements: tuple[str, ...] = Field((), description="What the passage says.")
    earlier: tuple[str, ...] = Field((), description="What was said before of the same things.")


def _slots(given: ResolveInput, fence: Fence) -> Mapping[str, str]:
    doubts = (f"{doubt.name} \u2014 known: {' | '.join(doubt.known)}" for doubt in given.doubts)
    earlier = (f"{number}. {each}" for number, each in enumerate(given.earlier, 1))
    return {
        "doubts": fence.lines("Names in doubt:", doubts),
        "statements": fence.lines("New statements:", given.statements),
        "earlier": fence.lines("Earlier statements:", earlier),
    }


def _check(resolution: Resolution, given: ResolveInput, sources: Sources) -> Resolution:
    """Return the names that were in question and the statement numbers that exist; drop the others."""
    known = {doubt.name: doubt.known for doubt in given.doubts}
    return Resolution(
        same=tuple(each for each in resolution.same if each.known in known.get(each.name, ())),
        contradicted=tuple(dict.fromkeys(n for n in resolution.contradicted if 1 <= n <= len(given.earlier))),
    )


def _keep_separate(given: ResolveInput) -> Resolution:
    """Return an empty resolution: doubtful names stay separate."""
    return Resolution()


VERB = Verb(
    input=ResolveInput,
    output=Resolution,
    draft=Resolution,
    slots=_slots,
    sources=lambda given: (given.passage,),
    check=_check,
    without_model=_keep_separate,
)
