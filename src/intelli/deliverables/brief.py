"""The data brief: the content from which every kind of deliverable is written. It states each figure once, cited."""

from datetime import date
from decimal import Decimal
from typing import Annotated, Any, Literal
from uuid import UUID

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from intelli.deliverables import quantities

Checked = Literal["verified", "weak", "failed", "unchecked"]


class BriefPart(BaseModel):
    """Base of all parts of a brief: frozen, and unknown fields are refused."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class ListedSource(BriefPart):
    """A document that is cited. `url` is its path in the workspace."""

    number: int = Field(ge=1)
    document_id: UUID | None
    file_name: str
    mime_type: str
    sha256: str
    url: str | None = None


class Cited(BriefPart):
    """A passage that is cited: where it stands, what it says, and what its check came to."""

    id: str = Field(json_schema_extra={"format": "uuid"}, description="The id of the citation that was kept.")
    identifier: str
    source: int = Field(description="Number of the source.")
    quote: str
    page: int | None = None
    section: str | None = None
    check: Checked = "unchecked"
    reason: str = ""
    char_start: int
    char_end: int
    text_sha256: str


class Mark(BriefPart):
    """A place of the paper that cites something, and what the check of that place came to."""

    id: str = Field(json_schema_extra={"format": "uuid"}, description="The id of the citation that was kept.")
    identifier: str
    check: Checked
    reason: str = ""


class Metric(BriefPart):
    """A figure. `value` is the plain number in `unit`, which has no scale; `shown` is how source and kinds write it.

    "\u20ac36.9 million" is 36900000 in "\u20ac". What was kept otherwise is read as its words are meant.
    """

    key: str
    name: str
    value: Decimal = Field(description="The number in its unit, written out.")
    unit: str = Field("", description="Without a scale: million and the like are part of the value.")
    period: str = ""
    entity: str = ""
    shown: str
    citation: str = Field(description="Identifier of what is cited.")
    kind: Literal["", "actual", "guidance", "estimate"] = Field(
        "", exclude_if=lambda value: not value, description="Whether it came to be, or who expects it."
    )

    @field_validator("unit")
    @classmethod
    def _without_scale(cls, unit: str) -> str:
        return quantities.unit_of(unit)

    @model_validator(mode="before")
    @classmethod
    def _as_shown(cls, given: Any) -> Any:
        """Take the value of the words in `shown` where `value` differs: a scale applied twice, or left out."""
        if not isinstance(given, dict) or not isinstance(given.get("shown"), str):
            return given
        worth = quantities.worth_of(given["shown"])
        value = quantities.decimal(given.get("value"))
        if value is None:
            return given
        is_other = worth is not None and not quantities.is_worth(value, given["shown"])
        return {**given, "value": worth if is_other else quantities.plain(value)}


class Point(BriefPart):
    """One value of a series."""

    label: str
    value: Decimal
    citation: str


class Series(BriefPart):
    """One figure over several periods, or for several things: what a chart shows.

    The values are in `unit`, which has the scale that all of them are told in: 36.9 in "million euros".
    """

    key: str
    title: str
    unit: str = ""
    points: tuple[Point, ...]


class Cell(BriefPart):
    """A cell of a table. One that was calculated has the formula with its values, as in "1,338.2 - 1,251.9"."""

    text: str
    citation: str | None = None
    further: tuple[str, ...] = Field((), exclude_if=lambda value: not value, description="More that it cites.")
    formula: str = Field("", exclude_if=lambda value: not value)

    @property
    def citations(self) -> tuple[str, ...]:
        """All that it cites."""
        return (self.citation, *self.further) if self.citation else ()


class Table(BriefPart):
    """A table, taken from a source or made of metrics."""

    key: str
    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    calculations: tuple[str, ...] = Field(
        (), exclude_if=lambda value: not value, description='How cells were calculated: "Change = 2024 \u2212 2022".'
    )


class Moment(BriefPart):
    """Something with a date. Moments are kept in the order of time."""

    date: str
    label: str
    citation: str


class Quotation(BriefPart):
    """A source's own words."""

    text: str
    citation: str


class Finding(BriefPart):
    """A statement and what it rests on. `task` names the section that it belongs to."""

    text: str
    citations: tuple[str, ...]
    task: str = ""
    is_judgement: bool = Field(
        False, exclude_if=lambda value: not value, description="Concluded from what it cites, which does not say it."
    )


class Section(BriefPart):
    """What was written from the findings of a task: paragraphs of sentences, each with what it rests on."""

    task: str
    heading: str
    paragraphs: tuple[tuple[Finding, ...], ...]


class ChapterText(BriefPart):
    """Sentences of a chapter in one form, under a heading of their own where they have one."""

    type: Literal["text"] = "text"
    form: Literal["paragraph", "list", "steps", "quote"]
    title: str = ""
    sentences: tuple[Finding, ...]


class ChapterExhibit(BriefPart):
    """A table, series or course of events of a chapter: one of the three."""

    type: Literal["exhibit"] = "exhibit"
    title: str = ""
    table: Table | None = None
    series: Series | None = None
    moments: tuple[Moment, ...] = ()


class Chapter(BriefPart):
    """A chapter of an outline, as it was written. `message` is the sentence that it brings home."""

    heading: str
    message: str = ""
    role: Literal["chapter", "summary", "assessment", "recommendation", "next_steps", "open_questions"] = "chapter"
    blocks: tuple[Annotated[ChapterText | ChapterExhibit, Field(discriminator="type")], ...] = ()

    @property
    def sentences(self) -> tuple[Finding, ...]:
        """All its sentences, in order."""
        return tuple(each for block in self.blocks if isinstance(block, ChapterText) for each in block.sentences)


class ReadValue(BriefPart):
    """What one source gives for a figure."""

    value: str
    citation: str


class Contradiction(BriefPart):
    """Something for which sources give different values."""

    about: str
    readings: tuple[ReadValue, ...]


class DataBrief(BriefPart):
    """All that a deliverable says, and all that it rests on."""

    title: str
    question: str
    summary: tuple[Finding, ...] = ()
    sections: tuple[Section, ...] = ()
    chapters: tuple[Chapter, ...] = Field((), exclude_if=lambda value: not value)
    findings: tuple[Finding, ...] = ()
    metrics: tuple[Metric, ...] = ()
    series: tuple[Series, ...] = ()
    tables: tuple[Table, ...] = ()
    timeline: tuple[Moment, ...] = ()
    quotes: tuple[Quotation, ...] = ()
    open_questions: tuple[str, ...] = ()
    disagreements: tuple[Contradiction, ...] = ()
    sources: tuple[ListedSource, ...] = ()
    citations: tuple[Cited, ...] = ()
    marks: tuple[Mark, ...] = Field(default=(), description="Every place that cites, in the order of the paper.")
    made_on: date
    workspace: str = ""
    language: str = "en"

    def cited(self, identifier: str) -> Cited | None:
        """Find the citation with an identifier."""
        return next((cited for cited in self.citations if cited.identifier == identifier), None)

    def section(self, task: str) -> Section | None:
        """Find the section written for a task; None when the task has only findings."""
        return next((section for section in self.sections if section.task == task), None)

    def source(self, number: int) -> ListedSource | None:
        """Find the source with a number."""
        return next((source for source in self.sources if source.number == number), None)
