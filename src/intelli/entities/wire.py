"""Request and response models of entities: one union of all types, discriminated by `entity_type`."""

from datetime import datetime
from enum import StrEnum
from functools import reduce
from operator import or_
from typing import TYPE_CHECKING, Annotated, Any, Literal
from uuid import UUID

from pydantic import ConfigDict, Field, JsonValue, RootModel, StringConstraints, create_model

from intelli.content import metadata
from intelli.content.wire import MediaType, Sha256
from intelli.entities.entity_types import EntityType
from intelli.kit.wire import Request, Wire

Identifier = Annotated[str, StringConstraints(min_length=1, max_length=500, pattern=r"^[^\x00-\x1f<>{}\[\]`\\\"']+$")]
Title = Annotated[str, StringConstraints(max_length=2000, pattern=r"^[^\x00]*$")]


class EntityStatus(StrEnum):
    """Whether an entity is there already."""

    READY = "ready"
    IN_PROGRESS = "in_progress"
    FAILED = "failed"


class TypedEntity(Wire):
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
    entity_type: EntityType
    metadata: metadata.TitledMetadata


def _model(entity_type: EntityType) -> type[TypedEntity]:
    """The wire model of one type: `WEB_PAGE` is told by `WebPage`."""
    declared = entity_type.declared
    only: Any = Literal[entity_type]
    return create_model(
        entity_type.title().replace("_", ""),
        __base__=TypedEntity,
        __doc__=declared.description,
        __module__=__name__,
        entity_type=(only, ...),
        metadata=(declared.metadata, ...),
    )


MODELS = tuple(map(_model, EntityType))
# A model is found by its name in this module when it is sent to another process.
globals().update({model.__name__: model for model in MODELS})
if TYPE_CHECKING:
    AnyEntity = TypedEntity
else:
    AnyEntity = reduce(or_, MODELS)


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
    all_seen_entities: Annotated[list[Identifier], Field(max_length=1000)] = []
    cited_entities: Annotated[list[Identifier], Field(max_length=1000)] = []
    metadata: dict[str, JsonValue] = {}


class ChangeEntity(Request):
    """What to change; what is left out stays."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"title": "Notes on revenue, revised"}]})

    title: Title | None = None
    metadata: dict[str, JsonValue] | None = None
