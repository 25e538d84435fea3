"""Values that several verbs share. All of them are plain JSON, so that a run can record and replay them.

Untrusted text (documents, pages, tool output) enters as a `SourceText` and in no other way: adapters treat it as data.
"""

from datetime import date
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

Relevance = Annotated[float, Field(ge=0, le=1)]


class ReasoningModel(BaseModel):
    """A frozen model that refuses unknown fields."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class SourceText(ReasoningModel):
    """Text from outside, which no instruction can come from. `identifier` is what a citation of it names.

    `header` is the line that names the columns of a table which the text begins in the middle of; one that `is_cut`
    ends in the middle of a table. `dated` is the date of its document, where that is known.
    """

    identifier: str
    title: str
    text: str
    page: int | None = None
    section: str | None = None
    header: str = ""
    is_cut: bool = False
    # Left out where it is not known, so that what earlier runs recorded has the same fingerprint.
    dated: date | None = Field(None, exclude_if=lambda value: value is None)
    asides: tuple[tuple[int, int], ...] = Field(
        (), exclude_if=lambda value: not value, description="Stretches of the text that are no statements."
    )
    amends: tuple[str, ...] = Field(
        (), exclude_if=lambda value: not value, description="Names of what its document amends or replaces."
    )
    origin: Literal["source", "said", "agent"] = Field(
        "source", exclude_if=lambda value: value == "source", description="Whose words it has."
    )
    also: tuple[str, ...] = Field(
        (), exclude_if=lambda value: not value, description="What a citation of it names as well: it joins sources."
    )


class Turn(ReasoningModel):
    """What was said before in the conversation."""

    role: Literal["user", "assistant"]
    text: str


class SourceQuote(ReasoningModel):
    """A source's own words."""

    text: str
    identifier: str


class FindingRow(ReasoningModel):
    """A row of a table that belongs to a finding: its cells, and the source it was read from."""

    cells: tuple[str, ...]
    identifier: str


class FindingTable(ReasoningModel):
    """The rows of tables that a finding rests on, as they are shown beneath it."""

    columns: tuple[str, ...]
    rows: tuple[FindingRow, ...]


class QuotedFinding(ReasoningModel):
    """One statement, the source it was read from, and the source's own words for it.

    A statement that joins several places, or several sources, has the words of the others in `further`. One that was
    made from tables may have the `table` of rows it rests on.
    """

    text: str
    identifier: str
    quote: str
    relevance: Relevance
    about: str = Field("", description="Title of the task that it was found for.")
    # Left out where there is none, so that what earlier runs recorded has the same fingerprint.
    further: tuple[SourceQuote, ...] = Field((), exclude_if=lambda value: not value)
    table: FindingTable | None = Field(None, exclude_if=lambda value: value is None)
    lead: str = Field(
        "", exclude_if=lambda value: not value, description="Leads over to a list of which it is an item, in its order."
    )
    goes_on: bool = Field(False, exclude_if=lambda value: not value, description="It belongs to the item before it.")

    @property
    def quotes(self) -> tuple[SourceQuote, ...]:
        """All words that it rests on, each with the identifier of its source."""
        return (SourceQuote(text=self.quote, identifier=self.identifier), *self.further)

    @property
    def identifiers(self) -> tuple[str, ...]:
        """The sources that it rests on, each once."""
        return tuple(dict.fromkeys(each.identifier for each in self.quotes))

    @property
    def quoted(self) -> str:
        """All words that it rests on, one quote below the other."""
        return "\n".join(each.text for each in self.quotes)


class BriefMetric(ReasoningModel):
    """A figure, stated here once and used everywhere as it stands."""

    name: str
    value: str
    unit: str = ""
    period: str = ""
    entity: str = ""
    identifier: str


class DatedEvent(ReasoningModel):
    """Something with a date."""

    when: str
    what: str
    identifier: str


class SourceValue(ReasoningModel):
    """What one source gives for a figure."""

    value: str
    identifier: str


class SourceDisagreement(ReasoningModel):
    """A figure for which sources give different values."""

    about: str
    readings: tuple[SourceValue, ...]


class QuotedMetric(BriefMetric):
    """A figure with the words of the source that it stands in."""

    quote: str


class QuotedPoint(ReasoningModel):
    """One value of a series, as written, with the words it stands in."""

    label: str
    value: str
    identifier: str
    quote: str


class QuotedSeries(ReasoningModel):
    """One figure over several periods, or for several things."""

    title: str
    unit: str = ""
    points: tuple[QuotedPoint, ...]


class QuotedRow(ReasoningModel):
    """A row of a table, and the words of the source that it was read from."""

    cells: tuple[str, ...]
    quote: str


class QuotedTable(ReasoningModel):
    """A table of one source."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[QuotedRow, ...]
    identifier: str
