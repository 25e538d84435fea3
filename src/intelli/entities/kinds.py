"""The twelve types of entity: what each says beside what all say, and what its content is to the platform."""

import json
from collections.abc import Mapping
from enum import StrEnum
from typing import Annotated
from uuid import UUID

from pydantic import Field, JsonValue, ValidationError

from intelli.content import metadata, passage
from intelli.content.metadata import Count, Line
from intelli.content.wire import PlatformType
from intelli.entities.errors import InvalidMetadata


class EntityType(StrEnum):
    """What an entity is."""

    WEB_PAGE = "WEB_PAGE"
    EXTERNAL_API_DATA = "EXTERNAL_API_DATA"
    GENERATED_CONTENT = "GENERATED_CONTENT"
    USER_QUERY_PART = "USER_QUERY_PART"
    GENERATED_REPORT = "GENERATED_REPORT"
    GENERATED_PRESENTATION = "GENERATED_PRESENTATION"
    INTRA_ENTITY_SEARCH_RESULT = "INTRA_ENTITY_SEARCH_RESULT"
    EXTRACTED_ENTITY = "EXTRACTED_ENTITY"
    SEARCH_PLAN = "SEARCH_PLAN"
    KNOWLEDGE_BASE = "KNOWLEDGE_BASE"
    WEBSITE = "WEBSITE"
    GENERATED_DOCUMENT = "GENERATED_DOCUMENT"


class Passage(metadata.Knowledge):
    """Which passage of a document or an episode it is. Its characters are counted in the entity's content."""

    path: Annotated[str, Field(max_length=4096)] | None = None
    char_start: Count | None = None
    char_end: Count | None = None
    page: Count | None = None
    section: Line | None = None
    score: Annotated[float, Field(ge=0, le=1)] | None = None
    episode_id: UUID | None = None
    is_read: bool | None = Field(None, description="False when it was screened out before anyone read it.")


class Searched(metadata.SearchResult):
    """What was searched for, and how much was found; the answer itself is the entity's content."""

    found: Count | None = None
    task_id: UUID | None = None


class Planned(metadata.Plan):
    """How many tasks the plan has; the plan itself is the entity's content."""

    tasks: Count | None = None


MODELS: Mapping[EntityType, type[metadata.Titled]] = {
    EntityType.WEB_PAGE: metadata.WebSource,
    EntityType.EXTERNAL_API_DATA: metadata.ApiData,
    EntityType.GENERATED_CONTENT: metadata.Generated,
    EntityType.USER_QUERY_PART: metadata.UserInput,
    EntityType.GENERATED_REPORT: metadata.Report,
    EntityType.GENERATED_PRESENTATION: metadata.Slides,
    EntityType.INTRA_ENTITY_SEARCH_RESULT: Searched,
    EntityType.EXTRACTED_ENTITY: metadata.Extracted,
    EntityType.SEARCH_PLAN: Planned,
    EntityType.KNOWLEDGE_BASE: Passage,
    EntityType.WEBSITE: metadata.Site,
    EntityType.GENERATED_DOCUMENT: metadata.Paper,
}

PLATFORM: Mapping[EntityType, PlatformType] = {
    EntityType.WEB_PAGE: PlatformType.WEB_SOURCE,
    EntityType.EXTERNAL_API_DATA: PlatformType.API_DATA,
    EntityType.GENERATED_CONTENT: PlatformType.GENERATED_CONTENT,
    EntityType.USER_QUERY_PART: PlatformType.USER_INPUT,
    EntityType.GENERATED_REPORT: PlatformType.REPORT,
    EntityType.GENERATED_PRESENTATION: PlatformType.SLIDES,
    EntityType.INTRA_ENTITY_SEARCH_RESULT: PlatformType.SEARCH_RESULT,
    EntityType.EXTRACTED_ENTITY: PlatformType.EXTRACTED_DATA,
    EntityType.SEARCH_PLAN: PlatformType.PLAN,
    EntityType.KNOWLEDGE_BASE: PlatformType.KNOWLEDGE,
    EntityType.WEBSITE: PlatformType.WEBSITE,
    EntityType.GENERATED_DOCUMENT: PlatformType.DOCUMENT,
}


def metadata_of(found: passage.Passage) -> dict[str, JsonValue]:
    """Make the metadata of a passage that was found, for its entity and for the event that tells of it."""
    return {
        "document_id": str(found.document_id) if found.document_id else None,
        "episode_id": str(found.episode_id) if found.episode_id else None,
        "path": found.path,
        "char_start": found.span.start,
        "char_end": found.span.end,
        "page": found.page,
        "section": found.section,
        "score": found.score,
    }


def checked(entity_type: EntityType, said: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
    """The metadata of an entity as it is kept: only what was said, and only what fits its type."""
    try:
        model = MODELS[entity_type].model_validate_json(json.dumps(dict(said)))
    except ValidationError as error:
        wrong = ", ".join(sorted({".".join(str(step)[:80] for step in fault["loc"]) for fault in error.errors()}))
        raise InvalidMetadata(f"The metadata does not fit {entity_type}. Check: {wrong}.") from error
    return model.model_dump(mode="json", exclude_none=True)
