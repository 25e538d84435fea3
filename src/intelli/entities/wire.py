"""What entities say and understand over the wire: one union of twelve types, told apart by `entity_type`."""

from datetime import datetime
from enum import StrEnum
from typing import Annotated, Literal
from uuid import UUID

from pydantic import ConfigDict, Field, JsonValue, RootModel, StringConstraints

from intelli.content import metadata
from intelli.content.wire import MediaType, Sha256
from intelli.entities import kinds
from intelli.entities.kinds import EntityType
from intelli.kit.wire import Request, Wire

Identifier = Annotated[str, StringConstraints(min_length=1, max_length=500, pattern=r"^[^\x00-\x1f<>{}\[\]`\\\"']+$")]
Title = Annotated[str, StringConstraints(max_length=2000, pattern=r"^[^\x00]*$")]


class EntityStatus(StrEnum):
    """Whether an entity is there already."""

    READY = "ready"
    IN_PROGRESS = "in_progress"
    FAILED = "failed"


class _Entity(Wire):
    """What all entities say. `identifier` is what a citation names, `content_artifact_id` the hash of its content."""

    id: UUID
    identifier: str
    title: str | None
    file_name: str
    mimetype: str
    workspace_id: UUID
    stored_entity_id: UUID | None
    content_artifact_id: str | None
    external_url: str | None
    api_subtype: str | None
    user_query: str | None
    all_seen_entities: list[str]
    cited_entities: list[str]
    run_id: UUID | None
    message_id: UUID | None
    conversation_id: UUID | None
    status: EntityStatus
    created_by: UUID
    created_at: datetime


class WebPage(_Entity):
    """A page that was fetched."""

    entity_type: Literal[EntityType.WEB_PAGE]
    metadata: metadata.WebSource


class ExternalApiData(_Entity):
    """The answer of a program."""

    entity_type: Literal[EntityType.EXTERNAL_API_DATA]
    metadata: metadata.ApiData


class GeneratedContent(_Entity):
    """Something that was written: notes, a summary."""

    entity_type: Literal[EntityType.GENERATED_CONTENT]
    metadata: metadata.Generated


class UserQueryPart(_Entity):
    """What a person asked or handed in."""

    entity_type: Literal[EntityType.USER_QUERY_PART]
    metadata: metadata.UserInput


class GeneratedReport(_Entity):
    """A report."""

    entity_type: Literal[EntityType.GENERATED_REPORT]
    metadata: metadata.Report


class GeneratedPresentation(_Entity):
    """A presentation."""

    entity_type: Literal[EntityType.GENERATED_PRESENTATION]
    metadata: metadata.Slides


class IntraEntitySearchResult(_Entity):
    """The raw answer of a search."""

    entity_type: Literal[EntityType.INTRA_ENTITY_SEARCH_RESULT]
    metadata: kinds.Searched


class ExtractedEntity(_Entity):
    """What was read out of something else."""

    entity_type: Literal[EntityType.EXTRACTED_ENTITY]
    metadata: metadata.Extracted


class SearchPlan(_Entity):
    """What a run set out to do."""

    entity_type: Literal[EntityType.SEARCH_PLAN]
    metadata: kinds.Planned


class KnowledgeBase(_Entity):
    """A passage of a document."""

    entity_type: Literal[EntityType.KNOWLEDGE_BASE]
    metadata: kinds.Passage


class Website(_Entity):
    """A bundle of pages."""

    entity_type: Literal[EntityType.WEBSITE]
    metadata: metadata.Site


class GeneratedDocument(_Entity):
    """A document for paper."""

    entity_type: Literal[EntityType.GENERATED_DOCUMENT]
    metadata: metadata.Paper


AnyEntity = (
    WebPage
    | ExternalApiData
    | GeneratedContent
    | UserQueryPart
    | GeneratedReport
    | GeneratedPresentation
    | IntraEntitySearchResult
    | ExtractedEntity
    | SearchPlan
    | KnowledgeBase
    | Website
    | GeneratedDocument
)


class Entity(RootModel[Annotated[AnyEntity, Field(discriminator="entity_type")]]):
    """Something that was found, made or asked."""


class CreateEntity(Request):
    """A new entity. Its metadata must fit its type; its content, if it has one, is an artifact of the workspace."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "entity_type": "GENERATED_CONTENT",
                    "title": "Notes on revenue",
                    "file_name": "notes.md",
                    "mimetype": "text/markdown",
                    "metadata": {"content_type": "text/markdown"},
                }
            ]
        }
    )

    entity_type: EntityType
    identifier: Identifier | None = Field(None, description="What a citation names; made when it is left out.")
    title: Title | None = None
    file_name: Annotated[str, StringConstraints(min_length=1, max_length=255, pattern=r"^[^\x00/]+$")]
    mimetype: MediaType
    content_artifact_id: Sha256 | None = None
    external_url: metadata.Address | None = None
    user_query: Title | None = None
    metadata: dict[str, JsonValue] = {}


class ChangeEntity(Request):
    """What to change; what is left out stays."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"title": "Notes on revenue, revised"}]})

    title: Title | None = None
    metadata: dict[str, JsonValue] | None = None
