"""Writing a section of a report: what is given for it, and sentences that each rest on the sources' own words."""

from typing import Literal

from pydantic import Field

from intelli.reasoning.thoughts import Finding, Quote, Thought


class WriteAsked(Thought):
    """Write one section of a report from the findings of its task."""

    verb: Literal["write"] = "write"
    question: str
    title: str = Field("", description="Of the whole report.")
    heading: str = Field(description="Title of the task that the section tells of.")
    message: str = Field("", description="What the task was to find out.")
    findings: tuple[Finding, ...]
    others: tuple[str, ...] = Field((), description="Titles of the other sections, which tell the rest.")


class Sentence(Thought):
    """A sentence, and the words of the sources that it rests on: at least some."""

    text: str
    quotes: tuple[Quote, ...]


class Section(Thought):
    """A section in paragraphs of sentences; one without any is told by its findings as they stand."""

    heading: str
    paragraphs: tuple[tuple[Sentence, ...], ...] = ()
