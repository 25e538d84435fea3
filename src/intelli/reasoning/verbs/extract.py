"""Verb `extract`: extract the things that a passage names, and the facts about them."""

from collections.abc import Mapping
from datetime import date
from typing import Literal

from pydantic import ConfigDict, Field

from intelli.reasoning.quotes import find_quote
from intelli.reasoning.untrusted import Fence
from intelli.reasoning.values import ReasoningModel, Relevance, SourceText
from intelli.reasoning.verbs.verb import Sources, Verb, VerbInput

# Of what was said before, enough to tell who is meant: memory asks this for every message.
_LONGEST_BEFORE = 600


class Attribute(ReasoningModel):
    """Something that describes a thing."""

    name: str
    value: str


class NamedThing(ReasoningModel):
    """A thing by its name, with what describes it."""

    model_config = ConfigDict(title="Named")

    name: str
    kind: str
    confidence: Relevance
    attributes: tuple[Attribute, ...] = ()


class StatedFact(ReasoningModel):
    """What is said of a thing, with the words that say so and, where told, from when until when it holds.

    The object is the name of a thing, or a value. `is_over` says that it is told as no longer so.
    """

    model_config = ConfigDict(title="Fact")

    subject: str
    relation: str
    object: str
    quote: str
    valid_from: str | None = None
    valid_until: str | None = None
    is_over: bool = False


class ExtractedFacts(ReasoningModel):
    """Things and facts, in the order of the text."""

    model_config = ConfigDict(title="Extracted")

    things: tuple[NamedThing, ...]
    facts: tuple[StatedFact, ...]


class ExtractInput(VerbInput[ExtractedFacts]):
    """Which things does the passage name, and what does it say of them?"""

    verb: Literal["extract"] = "extract"
    passage: SourceText
    before: tuple[SourceText, ...] = Field((), description="What was said before it, to tell what words point back to.")
    kinds: tuple[str, ...] = ("person", "organisation", "place", "product", "event", "concept")
    relations: tuple[str, ...] = Field((), description="The only relations to look for; none means any.")
    known: tuple[str, ...] = Field((), description="Names already in use, to be taken where they mean the same.")
    speaker: str = Field("", description="Who says it: the name behind the first person.")
    today: date | None = None


def _slots(given: ExtractInput, fence: Fence) -> Mapping[str, str]:
    said = (f"{each.title}: {each.text[:_LONGEST_BEFORE]}" for each in given.before)
    return {
        "kinds": fence.lines("Kinds:", [", ".join(given.kinds)]),
        "relations": fence.lines("Only these relations:", [", ".join(given.relations)]),
        "known": fence.lines("Known names:", given.known),
        "before": fence.lines("Said before:", said),
        "speaker": fence.lines("Said by:", [given.speaker]),
        "today": str(given.today or "not known"),
    }


def _check(extracted: ExtractedFacts, given: ExtractInput, sources: Sources) -> ExtractedFacts:
    """Return the facts whose quote is in the passage; drop the others."""
    facts = [
        fact.model_copy(update={"quote": quote})
        for fact in extracted.facts
        if (quote := find_quote(fact.quote, given.passage.text)) is not None
    ]
    return extracted.model_copy(update={"facts": tuple(facts)})


VERB = Verb(
    input=ExtractInput,
    output=ExtractedFacts,
    draft=ExtractedFacts,
    slots=_slots,
    sources=lambda given: (given.passage,),
    check=_check,
)
