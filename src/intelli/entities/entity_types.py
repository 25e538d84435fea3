"""Entity types, each declared once: wire models, database constraint, platform type and tabs are derived from it."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Literal, Self
from uuid import UUID

from pydantic import Field, JsonValue, ValidationError

from intelli.content import metadata, passage
from intelli.content.metadata import Count, Line
from intelli.content.wire import PlatformType
from intelli.entities.errors import InvalidMetadata


class PassageMetadata(metadata.KnowledgeMetadata):
    """Which passage of a document or an episode it is. Its characters are counted in the entity's content."""

    path: Annotated[str, Field(max_length=4096)] | None = None
    char_start: Count | None = None
    char_end: Count | None = None
    page: Count | None = None
    section: Line | None = None
    score: Annotated[float, Field(ge=0, le=1)] | None = None
    episode_id: UUID | None = None
    is_read: bool | None = Field(None, description="False when it was screened out before anyone read it.")


class WebPassage(metadata.WebSource, PassageMetadata):
    """Which passage of a page of the web it is, with the address and the time it was fetched."""


class Searched(metadata.SearchResultMetadata):
    """What was searched for, and how much was found; the answer itself is the entity's content."""

    found: Count | None = None
    task_id: UUID | None = None


class Planned(metadata.PlanMetadata):
    """How many tasks the plan has; the plan itself is the entity's content."""

    tasks: Count | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class EntityDeclaration:
    """Declaration of an entity type: description, metadata model, platform type of its content, and display."""

    description: str
    metadata: type[metadata.TitledMetadata]
    platform: PlatformType
    # Whether a reader can open it by itself beside an answer. Passages are opened from their citations.
    is_opened: bool = False
    # Whether it is a passage of a document, which only those see who may read that.
    is_passage: bool = False
    # Whether it counts as a source of an answer, and under which tab; without one, its media type tells.
    is_source: bool = True
    source_tab: Literal["web", "data", "generated"] | None = None


class EntityType(StrEnum):
    """What an entity is."""

    _value_: str
    declared: EntityDeclaration

    def __new__(cls, value: str, *declared: EntityDeclaration) -> Self:
        """Create a member from its wire name and declaration; with a name alone, a member is looked up."""
        member = str.__new__(cls, value)
        member._value_ = value
        (member.declared,) = declared
        return member

    WEB_PAGE = (
        "WEB_PAGE",
        EntityDeclaration(
            description="A passage of a page that was fetched.",
            metadata=WebPassage,
            platform=PlatformType.WEB_SOURCE,
            is_passage=True,
            source_tab="web",
        ),
    )
    EXTERNAL_API_DATA = (
        "EXTERNAL_API_DATA",
        EntityDeclaration(
            description="The answer of a program.",
            metadata=metadata.ApiData,
            platform=PlatformType.API_DATA,
            is_opened=True,
            source_tab="data",
        ),
    )
    GENERATED_CONTENT = (
        "GENERATED_CONTENT",
        EntityDeclaration(
            description="Something that was written: notes, a summary.",
            metadata=metadata.Generated,
            platform=PlatformType.GENERATED_CONTENT,
            is_opened=True,
            source_tab="generated",
        ),
    )
    USER_QUERY_PART = (
        "USER_QUERY_PART",
        EntityDeclaration(
            description="What a person asked or handed in.",
            metadata=metadata.UserInput,
            platform=PlatformType.USER_INPUT,
            is_source=False,
        ),
    )
    GENERATED_REPORT = (
        "GENERATED_REPORT",
        EntityDeclaration(
            description="A report.",
            metadata=metadata.Report,
            platform=PlatformType.REPORT,
            is_opened=True,
            source_tab="generated",
        ),
    )
    GENERATED_PRESENTATION = (
        "GENERATED_PRESENTATION",
        EntityDeclaration(
            description="A presentation.",
            metadata=metadata.Slides,
            platform=PlatformType.SLIDES,
            is_opened=True,
            source_tab="generated",
        ),
    )
    INTRA_ENTITY_SEARCH_RESULT = (
        "INTRA_ENTITY_SEARCH_RESULT",
        EntityDeclaration(
            description="The raw answer of a search.",
            metadata=Searched,
            platform=PlatformType.SEARCH_RESULT,
            is_source=False,
        ),
    )
    EXTRACTED_ENTITY = (
        "EXTRACTED_ENTITY",
        EntityDeclaration(
            description="What was read out of something else.",
            metadata=metadata.Extracted,
            platform=PlatformType.EXTRACTED_DATA,
        ),
    )
    SEARCH_PLAN = (
        "SEARCH_PLAN",
        EntityDeclaration(
            description="What a run set out to do.", metadata=Planned, platform=PlatformType.PLAN, is_source=False
        ),
    )
    KNOWLEDGE_BASE = (
        "KNOWLEDGE_BASE",
        EntityDeclaration(
            description="A passage of a document.",
            metadata=PassageMetadata,
            platform=PlatformType.KNOWLEDGE,
            is_passage=True,
        ),
    )
    WEBSITE = (
        "WEBSITE",
        EntityDeclaration(
            description="A bundle of pages.",
            metadata=metadata.Site,
            platform=PlatformType.WEBSITE,
            is_opened=True,
            source_tab="web",
        ),
    )
    GENERATED_DOCUMENT = (
        "GENERATED_DOCUMENT",
        EntityDeclaration(
            description="A document for paper.",
            metadata=metadata.PaperMetadata,
            platform=PlatformType.DOCUMENT,
            is_opened=True,
            source_tab="generated",
        ),
    )


PASSAGES = tuple(each for each in EntityType if each.declared.is_passage)


def passage_metadata(found: passage.Passage) -> dict[str, JsonValue]:
    """Return the metadata of a found passage, for its entity and for the event that announces it."""
    return {
        "document_id": str(found.document_id) if found.document_id else None,
        "episode_id": str(found.episode_id) if found.episode_id else None,
        "path": found.path,
        "char_start": found.span.start,
        "char_end": found.span.end,
        "page": found.page,
        "section": found.section,
        "score": min(max(found.score, 0.0), 1.0),
        "chunk_index": found.chunk_index,
        "chunk_size": len(found.text),
    }


def validate_metadata(entity_type: EntityType, given: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
    """Validate the metadata of an entity against its type; return only the given fields. Raises InvalidMetadata."""
    try:
        model = entity_type.declared.metadata.model_validate_json(json.dumps(dict(given)))
    except ValidationError as error:
        wrong = ", ".join(sorted({".".join(str(step)[:80] for step in fault["loc"]) for fault in error.errors()}))
        raise InvalidMetadata(f"The metadata does not fit {entity_type}. Check: {wrong}.") from error
    return model.model_dump(mode="json", exclude_none=True)
