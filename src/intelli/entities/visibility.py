"""What a reader sees of entities: all of their own, and of others' nothing in the words of what they may not read."""

import json
from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from intelli.entities import store, wire
from intelli.entities.kinds import EntityType
from intelli.entities.tables import Entity
from intelli.kit import clock
from intelli.kit.db import Tx
from intelli.library import documents

# What of an entity's metadata is in the words of its content.
_IN_ITS_WORDS = {"content_preview", "section"}


async def see(tx: Tx, rows: Sequence[Entity]) -> dict[Entity, wire.Entity]:
    """The entities as the caller may see them, in the same order."""
    closed = await _closed(tx, rows)
    return {row: _withheld(row) if row.id in closed else show(row) for row in rows}


async def hidden(tx: Tx, message_id: UUID) -> frozenset[str]:
    """The identifiers of those passages of a message that stand in documents which the caller may not read."""
    rows = await store.of_messages(tx, [message_id], [EntityType.KNOWLEDGE_BASE])
    closed = await _closed(tx, rows)
    return frozenset(row.identifier for row in rows if row.id in closed)


def show(row: Entity) -> wire.Entity:
    """An entity as the wire tells it."""
    names = wire.TypedEntity.model_fields
    columns = {name: getattr(row, name) for name in names if hasattr(row, name) and name != "metadata"}
    more = {"metadata": row.details, "workspace_id": row.tenant_id, "created_by": row.user_id}
    return wire.Entity.model_validate({**columns, **more, "status": status_of(row.status, row.due_at)})


def status_of(status: str, due_at: datetime | None) -> wire.EntityStatus:
    """Where an entity stands: one that is overdue has failed, whoever died over it."""
    is_late = status == wire.EntityStatus.IN_PROGRESS and (due_at is None or due_at <= clock.now())
    return wire.EntityStatus.FAILED if is_late else wire.EntityStatus(status)


async def _closed(tx: Tx, rows: Sequence[Entity]) -> set[UUID]:
    """Others' entities whose content is not for the caller: passages of documents that are not there for them.

    The raw answer of a search has passages of any document, so it stays with the person who searched.
    """
    others = [row for row in rows if tx.user_id is not None and row.user_id != tx.user_id]
    raw = {row.id for row in others if row.entity_type == EntityType.INTRA_ENTITY_SEARCH_RESULT}
    passages = {row.id: _document_of(row) for row in others if row.entity_type == EntityType.KNOWLEDGE_BASE}
    if not passages:
        return raw
    there = await documents.known(tx, {each for each in passages.values() if each is not None})
    return raw | {row_id for row_id, document_id in passages.items() if document_id not in there}


def _document_of(row: Entity) -> UUID | None:
    named = row.details.get("document_id")
    return UUID(named) if isinstance(named, str) else None


def _withheld(row: Entity) -> wire.Entity:
    """An entity without its content, and without what is in the words of it."""
    told = show(row).root
    kept = {name: value for name, value in row.details.items() if name not in _IN_ITS_WORDS}
    metadata = type(told.metadata).model_validate_json(json.dumps(kept))
    return wire.Entity(told.model_copy(update={"content_artifact_id": None, "metadata": metadata}))
