"""Entities: created by runs and users, readable with what they belong to, changed only by their owner."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import datetime, timedelta
from uuid import UUID, uuid5

from pydantic import JsonValue

from intelli.content import artifacts
from intelli.content.ownership import ContentOwner
from intelli.entities import entity_types, store, visibility, wire
from intelli.entities.entity_types import EntityType
from intelli.entities.errors import EntityNotFound
from intelli.entities.tables import Entity
from intelli.kit import clock, pagination
from intelli.kit.db import Tx
from intelli.kit.ids import uuid7
from intelli.kit.wire import Page

# More than any position has.
_DIGITS = 10


@dataclass(frozen=True, slots=True)
class EntityOwner:
    """Run that created an entity, with the message and conversation that it is for."""

    run_id: UUID
    message_id: UUID
    conversation_id: UUID | None = None

    def owner(self, user_id: UUID) -> ContentOwner:
        """Return the content owner of such entities for this user."""
        return ContentOwner(user_id, self.conversation_id, self.run_id)


@dataclass(frozen=True, slots=True)
class NewEntity:
    """Entity to insert. With `is_own` its content artifact is referenced, and exists as long as the entity does."""

    entity_type: EntityType
    identifier: str
    file_name: str
    mimetype: str
    title: str | None = None
    content_artifact_id: str | None = None
    is_own: bool = False
    external_url: str | None = None
    user_query: str | None = None
    details: dict[str, JsonValue] = field(default_factory=dict)
    all_seen_entities: list[str] = field(default_factory=list)
    cited_entities: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class SavedEntity:
    """What events tell of an entity that is saved."""

    id: UUID
    content_artifact_id: str | None
    user_query: str | None
    all_seen_entities: list[str]
    cited_entities: list[str]
    created_at: datetime


def derive_id(run_id: UUID, identifier: str) -> UUID:
    """Derive the id of a run's entity from both, so that a step that runs again inserts the same row."""
    return uuid5(run_id, f"entity:{identifier}")


async def save(tx: Tx, owner: EntityOwner, entities: Sequence[NewEntity], *, first: int = 0) -> None:
    """Insert entities of a run at positions counted from `first`; existing ones stay unchanged."""
    rows = [
        {
            "id": derive_id(owner.run_id, entity.identifier),
            "user_id": tx.person_id,
            "position": first + number,
            **asdict(owner),
            **_values(entity),
        }
        for number, entity in enumerate(entities)
    ]
    await store.add(tx, rows)


async def load_ids(tx: Tx, run_id: UUID) -> dict[str, UUID]:
    """Return the ids of a run's entities by identifier."""
    return await store.load_identifiers(tx, run_id)


async def create(tx: Tx, request: wire.CreateEntity) -> wire.Entity:
    """Insert an entity for the caller, with a copy of its content artifact. Raises InvalidMetadata."""
    if request.content_artifact_id is not None:
        await artifacts.copy(tx, request.content_artifact_id, owner=ContentOwner(tx.person_id))
    entity_id = uuid7()
    given = request.model_dump(exclude={"metadata", "identifier"})
    await store.add(
        tx,
        [
            {
                **given,
                "id": entity_id,
                "user_id": tx.person_id,
                "identifier": request.identifier or str(entity_id),
                "held_sha256": request.content_artifact_id,
                "details": entity_types.validate_metadata(request.entity_type, request.metadata),
            }
        ],
    )
    return visibility.to_wire(await get(tx, entity_id))


async def get(tx: Tx, entity_id: UUID) -> Entity:
    """Return the entity with this id. Raises EntityNotFound."""
    entity = await store.find(tx, entity_id)
    if entity is None:
        raise _not_found()
    return entity


async def load_saved(tx: Tx, entity_id: UUID) -> SavedEntity:
    """Load what events tell of an entity. Raises EntityNotFound."""
    row = await get(tx, entity_id)
    return SavedEntity(
        row.id, row.content_artifact_id, row.user_query, row.all_seen_entities, row.cited_entities, row.created_at
    )


async def change(tx: Tx, entity_id: UUID, request: wire.ChangeEntity) -> wire.Entity:
    """Change title or metadata of one of the caller's entities."""
    entity = await _get_own(tx, entity_id)
    values: dict[str, object] = {}
    if "title" in request.model_fields_set:
        values["title"] = request.title
    if request.metadata is not None:
        values["details"] = entity_types.validate_metadata(EntityType(entity.entity_type), request.metadata)
    if values:
        await store.change(tx, entity_id, values)
    return visibility.to_wire(await get(tx, entity_id))


async def delete(tx: Tx, entity_id: UUID) -> None:
    """Delete one of the caller's entities. Citations of it keep the data that they have."""
    await _get_own(tx, entity_id)
    await store.remove(tx, entity_id)


async def list_entities(
    tx: Tx,
    *,
    run_id: UUID | None = None,
    message_id: UUID | None = None,
    entity_type: EntityType | None = None,
    cursor: str | None,
    limit: int,
) -> Page[wire.Entity]:
    """Return a page of entities as the caller may see them, ordered by position. Raises InvalidCursor."""
    place = pagination.decode_place(cursor)
    if place is not None and not (place[0].isdecimal() and len(place[0]) < _DIGITS):
        raise pagination.InvalidCursor("This cursor is not one of ours. Leave it out to start at the first page.")
    after = (int(place[0]), place[1]) if place else None
    which = store.EntityFilter(run_id=run_id, message_id=message_id, entity_type=entity_type)
    rows = await store.list_page(tx, which, after=after, limit=limit + 1)
    seen = await visibility.to_visible_wire(tx, rows)
    return pagination.place_page(rows, limit, item=seen.__getitem__, place=lambda row: (str(row.position), row.id))


async def list_for_messages(
    tx: Tx, message_ids: Iterable[UUID], types: Iterable[EntityType]
) -> dict[UUID, list[wire.Entity]]:
    """Return the entities of these types of several messages, by message id, in one query."""
    found: dict[UUID, list[wire.Entity]] = {}
    rows = await store.list_for_messages(tx, message_ids, types)
    for row, entity in (await visibility.to_visible_wire(tx, rows)).items():
        assert row.message_id is not None, "it was asked for by its message"
        found.setdefault(row.message_id, []).append(entity)
    return found


async def get_visible(tx: Tx, entity_id: UUID) -> wire.Entity:
    """Return the entity with this id as the caller may see it. Raises EntityNotFound."""
    row = await get(tx, entity_id)
    return (await visibility.to_visible_wire(tx, [row]))[row]


async def insert_in_progress(tx: Tx, owner: EntityOwner, entity: NewEntity, *, within: timedelta) -> UUID:
    """Insert an entity that is still being made, and return its id.

    It counts as failed after `within`, unless it is completed or this is called again by then.
    """
    await save(tx, owner, [entity])
    entity_id = derive_id(owner.run_id, entity.identifier)
    await store.change(tx, entity_id, {"status": wire.EntityStatus.IN_PROGRESS, "due_at": clock.now() + within})
    return entity_id


async def mark_ready(tx: Tx, entity_id: UUID, *, content_artifact_id: str, details: Mapping[str, JsonValue]) -> None:
    """Mark an entity in progress as ready and set its content and metadata, with the question it answers."""
    done: dict[str, object] = {"status": wire.EntityStatus.READY, "due_at": None, "details": {**details}}
    done["user_query"] = details.get("user_query")
    content = {"content_artifact_id": content_artifact_id, "held_sha256": content_artifact_id}
    await store.change(tx, entity_id, {**done, **content})


async def mark_failed(tx: Tx, entity_id: UUID) -> None:
    """Mark an entity in progress as failed."""
    await store.change(tx, entity_id, {"status": wire.EntityStatus.FAILED, "due_at": None})


def _values(entity: NewEntity) -> dict[str, object]:
    values = {name: getattr(entity, name) for name in NewEntity.__dataclass_fields__ if name != "is_own"}
    return {**values, "held_sha256": entity.content_artifact_id if entity.is_own else None}


async def _get_own(tx: Tx, entity_id: UUID) -> Entity:
    """Return the entity. Raises EntityNotFound unless it is the caller's own."""
    entity = await get(tx, entity_id)
    if entity.user_id != tx.person_id:
        raise _not_found()
    return entity


def _not_found() -> EntityNotFound:
    return EntityNotFound("There is no such entity. List your entities to find it.")
