"""What the entity of a deliverable tells of it: its words and charts, slides, pages or files, and the question."""

import io
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from pydantic import JsonValue

from intelli.content import metadata
from intelli.deliverable_kinds import DeliverableKind
from intelli.deliverables.save import WrittenContent
from intelli.entities.entity_types import EntityType

_CHART = "<gml-chart"
_SLIDES = "ppt/slides/slide"
_MOST_ASSETS = 1000


@dataclass(frozen=True, slots=True)
class FinishedContent:
    """A finished deliverable: its text and its rendered files by name."""

    kind: DeliverableKind
    title: str
    question: str
    gml: str
    words: int
    sections: int
    files: Mapping[str, bytes] = field(default_factory=dict)

    @property
    def shown(self) -> bytes:
        """Return the bytes of the file that is shown; nothing where that is the text."""
        return self.files.get(self.kind.file_name, b"")


def describe(made: FinishedContent) -> dict[str, JsonValue]:
    """Return the metadata of a deliverable's entity, as its type declares it."""
    model = EntityType(made.kind.entity_type).declared.metadata
    own = _DESCRIBERS[model](made) if model in _DESCRIBERS else {}
    common: dict[str, JsonValue] = {"title": made.title[:2000], "user_query": made.question[:2000]}
    return {**common, **own}


def describe_written(made: WrittenContent) -> dict[str, JsonValue]:
    """Return the metadata of the entity of a deliverable whose text is all that is shown."""
    brief = made.brief
    return describe(
        FinishedContent(made.kind, brief.title, brief.question, made.gml, words=made.words, sections=made.sections)
    )


def _report(made: FinishedContent) -> dict[str, JsonValue]:
    return {
        "content_type": "json_ast",
        "report_subtype": "final_report",
        "word_count": made.words,
        "section_count": made.sections,
        "chart_count": made.gml.count(_CHART),
    }


def _slides(made: FinishedContent) -> dict[str, JsonValue]:
    decks = (body for name, body in made.files.items() if name.endswith(".pptx"))
    slides = sum(name.startswith(_SLIDES) for body in decks for name in _names(body))
    return {"content_type": made.kind.media_type, "presentation_format": "html", "slide_count": slides}


def _site(made: FinishedContent) -> dict[str, JsonValue]:
    names = _names(made.shown)
    return {
        "content_type": made.kind.media_type,
        "generation_status": "complete",
        "deployed": False,
        "bundle_size": len(made.shown),
        "file_count": len(names),
        "assets": [*names[:_MOST_ASSETS]],
    }


def _paper(made: FinishedContent) -> dict[str, JsonValue]:
    ending = made.kind.file_name.rpartition(".")[2]
    return {
        "content_type": made.kind.media_type,
        "doc_format": ending,
        "word_count": made.words,
        "page_count": _count_pages(made.shown),
    }


_DESCRIBERS: Mapping[type[metadata.TitledMetadata], Callable[[FinishedContent], dict[str, JsonValue]]] = {
    metadata.Report: _report,
    metadata.Slides: _slides,
    metadata.Site: _site,
    metadata.PaperMetadata: _paper,
}


def _names(body: bytes) -> list[str]:
    with zipfile.ZipFile(io.BytesIO(body)) as opened:
        return opened.namelist()


def _count_pages(body: bytes) -> int:
    import pypdfium2

    document = pypdfium2.PdfDocument(body)
    try:
        return len(document)
    finally:
        document.close()
