"""A paper: a report as a tree that knows no format. GML is read into it and every form is rendered from it."""

from typing import Annotated, Any, Literal

from pydantic import Field

from intelli.deliverables.brief import BriefPart, Metric


class TextRun(BriefPart):
    """A stretch of text in one style, and the identifiers that are cited after it."""

    text: str
    bold: bool = False
    italic: bool = False
    href: str | None = None
    citations: tuple[str, ...] = ()


Runs = tuple[TextRun, ...]


class Heading(BriefPart):
    """A heading; level 1 is the title of the paper. `id` is unique in the paper and fit for an anchor."""

    type: Literal["heading"] = "heading"
    level: int = Field(ge=1, le=4)
    text: str
    id: str


class Paragraph(BriefPart):
    """A paragraph."""

    type: Literal["paragraph"] = "paragraph"
    runs: Runs


class Bullets(BriefPart):
    """A list without an order."""

    type: Literal["bullets"] = "bullets"
    items: tuple[Runs, ...]


class Numbered(BriefPart):
    """A list in an order."""

    type: Literal["numbered"] = "numbered"
    items: tuple[Runs, ...]


class QuoteBlock(BriefPart):
    """A source's own words, set off."""

    type: Literal["quote"] = "quote"
    runs: Runs


class TableBlock(BriefPart):
    """A table; every row has as many cells as there are columns."""

    type: Literal["table"] = "table"
    caption: str = ""
    columns: tuple[str, ...]
    rows: tuple[tuple[Runs, ...], ...]


class Chart(BriefPart):
    """A chart as a Vega-Lite spec with its data inside, and the identifiers that the data is from."""

    type: Literal["chart"] = "chart"
    spec: dict[str, Any]
    caption: str
    alt: str
    citations: tuple[str, ...] = ()


class Metrics(BriefPart):
    """Figures side by side."""

    type: Literal["metrics"] = "metrics"
    metrics: tuple[Metric, ...]


class Callout(BriefPart):
    """An insight, set off under a title."""

    type: Literal["callout"] = "callout"
    title: str
    runs: Runs


class SourcesList(BriefPart):
    """Where the sources are listed; each form lists them in its own way, from the brief."""

    type: Literal["sources"] = "sources"


class Row(BriefPart):
    """Two columns: what is said, and what stands beside it."""

    type: Literal["row"] = "row"
    primary: tuple["Block", ...]
    sidebar: tuple["Block", ...] = ()


Block = Annotated[
    Heading | Paragraph | Bullets | Numbered | QuoteBlock | TableBlock | Chart | Metrics | Callout | Row | SourcesList,
    Field(discriminator="type"),
]


class Paper(BriefPart):
    """The blocks of a report, in order. The title is a heading of level 1."""

    title: str
    blocks: tuple[Block, ...]
    language: str = "en"


Row.model_rebuild()
Paper.model_rebuild()
