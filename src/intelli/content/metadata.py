"""Metadata of artifacts: one model per entity type, which rejects unknown fields."""

from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Literal
from uuid import UUID

from pydantic import ConfigDict, Field, JsonValue, StringConstraints, ValidationError

from intelli.content.errors import InvalidUpload
from intelli.content.wire import PlatformType, Sha256
from intelli.kit.wire import Request

# NUL is JSON but nothing that PostgreSQL can hold.
Line = Annotated[str, StringConstraints(max_length=2000, pattern=r"^[^\x00]*$")]
# Kept as it was given: a slash at its end may lead elsewhere than none.
Address = Annotated[str, StringConstraints(max_length=2000, pattern=r"^https?://[^\x00-\x20/?#\x7f][^\x00-\x20\x7f]*$")]
Count = Annotated[int, Field(ge=0, le=2**53 - 1)]
Scalar = Line | int | float | bool | None
Named = Annotated[dict[Line, Scalar], Field(max_length=100)]
Identifiers = Annotated[tuple[UUID, ...], Field(max_length=1000)]


class TitledMetadata(Request):
    """What every kind may say."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    title: Line | None = None
    language: Line | None = None


class FetchedMetadata(TitledMetadata):
    """What came from elsewhere."""

    external_url: Address | None = None
    provider: Line | None = None
    retrieved_at: datetime | None = None


class WebSource(FetchedMetadata):
    """A page as it was fetched."""

    favicon: Address | None = None
    author: Line | None = None
    snippet: Line | None = None
    word_count: Count | None = None


class ApiData(FetchedMetadata):
    """The answer of a program: which one, and which of its fields."""

    api_subtype: Line | None = None
    fields: Annotated[tuple[Line, ...], Field(max_length=1000)] | None = None
    api_specific_metadata: Named | None = None


class SearchResultMetadata(FetchedMetadata):
    """The answer of a search, raw, or a passage that was found within an entity."""

    query: Line | None = None
    parent_entity_id: UUID | None = None


class Extracted(TitledMetadata):
    """What was read out of another artifact."""

    entity_class: Line | None = None
    source_sha256: Sha256 | None = None
    method: Line | None = None


class UserInput(TitledMetadata):
    """What a person said or handed in; its name and type are the artifact's own."""

    source: Literal["text", "uploaded_file"] | None = None
    content_preview: Line | None = None


class Generated(TitledMetadata):
    """What a model or a template wrote."""

    content_type: Line | None = None
    model: Line | None = None
    user_query: Line | None = None


class PlanMetadata(Generated):
    """What a run set out to do."""

    plan_version: Count | None = None


class DeliverableMetadata(Generated):
    """What a run delivered, and the entities it saw and cited on the way."""

    all_seen_entities: Identifiers | None = None
    cited_entities: Identifiers | None = None


class Report(DeliverableMetadata):
    """A report, as a tree or as a page."""

    content_type: Literal["json_ast", "html", "markdown"] | None = None
    report_subtype: Literal["final_report", "scratch_pad", "other"] | None = None
    word_count: Count | None = None
    section_count: Count | None = None
    chart_count: Count | None = None


class Slides(DeliverableMetadata):
    """A presentation."""

    presentation_format: Literal["reveal_js", "json_ast", "html"] | None = None
    slide_count: Count | None = None
    theme: Line | None = None
    transitions: bool | None = None


class Site(DeliverableMetadata):
    """A bundle of pages, and where it is shown."""

    deployed_url: Address | None = None
    demo_url: Address | None = None
    preview_url: Address | None = None
    deployed: bool | None = None
    generation_status: Literal["in_progress", "complete", "failed"] | None = None
    bundle_size: Count | None = None
    file_count: Count | None = None
    assets: Annotated[tuple[Line, ...], Field(max_length=1000)] | None = None


class PaperMetadata(DeliverableMetadata):
    """A document in a form for paper, written here or handed in."""

    doc_format: Literal["pdf", "docx"] | None = None
    author: Line | None = None
    word_count: Count | None = None
    page_count: Count | None = None
    font_family: Line | None = None


class KnowledgeMetadata(TitledMetadata):
    """A document of the library, or a piece of one."""

    author: Line | None = None
    document_id: UUID | None = None
    chunk_index: Count | None = None
    chunk_size: Count | None = None
    content_preview: Line | None = None


MODELS: Mapping[PlatformType, type[TitledMetadata]] = {
    PlatformType.WEB_SOURCE: WebSource,
    PlatformType.API_DATA: ApiData,
    PlatformType.GENERATED_CONTENT: Generated,
    PlatformType.USER_INPUT: UserInput,
    PlatformType.REPORT: Report,
    PlatformType.SLIDES: Slides,
    PlatformType.SEARCH_RESULT: SearchResultMetadata,
    PlatformType.EXTRACTED_DATA: Extracted,
    PlatformType.PLAN: PlanMetadata,
    PlatformType.KNOWLEDGE: KnowledgeMetadata,
    PlatformType.WEBSITE: Site,
    PlatformType.DOCUMENT: PaperMetadata,
}


def parse(entity_type: PlatformType, text: str | None) -> dict[str, JsonValue]:
    """Parse and validate the metadata in a JSON text; return only the given fields. Raises InvalidUpload."""
    try:
        parsed = MODELS[entity_type].model_validate_json(text or "{}")
    except ValidationError as error:
        wrong = ", ".join(sorted({".".join(str(step)[:80] for step in fault["loc"]) for fault in error.errors()}))
        raise InvalidUpload(f"The field 'entity_metadata' does not fit {entity_type}. Check: {wrong}.") from error
    return parsed.model_dump(mode="json", exclude_none=True)
