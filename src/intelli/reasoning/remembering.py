"""What memory asks of a reasoner, and what it is told: things and facts of a passage, and which names mean the same."""

from datetime import date
from typing import Literal

from pydantic import Field

from intelli.reasoning.thoughts import Passage, Relevance, Thought


class ExtractAsked(Thought):
    """Which things does the passage name, and what does it say of them?"""

    verb: Literal["extract"] = "extract"
    passage: Passage
    before: tuple[Passage, ...] = Field((), description="What was said before it, to tell what words point back to.")
    kinds: tuple[str, ...] = ("person", "organisation", "place", "product", "event", "concept")
    relations: tuple[str, ...] = Field((), description="The only relations to look for; none means any.")
    known: tuple[str, ...] = Field((), description="Names already in use, to be taken where they mean the same.")
    speaker: str = Field("", description="Who says it: the name behind the first person.")
    today: date | None = None


class Attribute(Thought):
    """Something that describes a thing."""

    name: str
    value: str


class Named(Thought):
    """A thing by its name, with what describes it."""

    name: str
    kind: str
    confidence: Relevance
    attributes: tuple[Attribute, ...] = ()


class Fact(Thought):
    """What is said of a thing, with the words that say so and, where told, from when until when it holds.

    The object is the name of a thing, or a value. `is_over` says that it is told as no longer so.
    """

    subject: str
    relation: str
    object: str
    quote: str
    valid_from: str | None = None
    valid_until: str | None = None
    is_over: bool = False


class Extracted(Thought):
    """Things and facts, in the order of the text."""

    things: tuple[Named, ...]
    facts: tuple[Fact, ...]


class Doubt(Thought):
    """A name that may be another's, which is already known."""

    name: str
    known: tuple[str, ...]


class ResolveAsked(Thought):
    """Which names mean the same thing, and which earlier statements can no longer be true?"""

    verb: Literal["resolve"] = "resolve"
    passage: Passage
    doubts: tuple[Doubt, ...] = ()
    statements: tuple[str, ...] = Field((), description="What the passage says.")
    earlier: tuple[str, ...] = Field((), description="What was said before of the same things.")


class Same(Thought):
    """A name, and the known name that it is another form of."""

    name: str
    known: str


class Resolved(Thought):
    """Names that are the same, and the numbers, from 1, of earlier statements that the new ones contradict."""

    same: tuple[Same, ...] = ()
    contradicted: tuple[int, ...] = ()
