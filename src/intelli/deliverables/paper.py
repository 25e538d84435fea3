"""The paper: a report as a tree of blocks without a format. GML is parsed into it, every form is rendered from it."""

from typing import Annotated, Any, Literal

from pydantic import Field

from intelli.deliverables.brief import BriefPart, Metric


class TextRun(BriefPart):
    """Text in one style, followed by citations of the identifiers.

    The `formula` of a calculated cell, with its values, is for the check; no form shows it in its place.
    """

    text: str
    bold: bool = False
    italic: bool = False
    href: str | None = None
    citations: tuple[str, ...] = ()
    formula: str = Field("", exclude_if=lambda value: not value)


Runs = tuple[TextRun, ...]


class Heading(BriefPart):
    """Heading; level 1 is the title of the paper. `id` is unique in the paper and valid as an anchor."""

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
    """Block quote: a source's own words."""

    type: Literal["quote"] = "quote"
    runs: Runs


class TableBlock(BriefPart):
    """A table; every row has as many cells as there are columns."""

    type: Literal["table"] = "table"
    caption: str = ""
    columns: tuple[str, ...]
    rows: tuple[tuple[Runs, ...], ...]


class Chart(BriefPart):
    """Chart: a Vega-Lite spec that contains its data, and the identifiers of the citations that the data is from."""

    type: Literal["chart"] = "chart"
    spec: dict[str, Any]
    caption: str
    alt: str
    citations: tuple[str, ...] = ()


class Metrics(BriefPart):
    """Figures shown side by side."""

    type: Literal["metrics"] = "metrics"
    metrics: tuple[Metric, ...]


class Callout(BriefPart):
    """Highlighted box with a title."""

    type: Literal["callout"] = "callout"
    title: str
    runs: Runs


class SourcesList(BriefPart):
    """Position of the list of sources; each form renders it in its own way, from the brief."""

    type: Literal["sources"] = "sources"


class Row(BriefPart):
    """Two columns: main text and sidebar."""

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
