"""Visibility of entities: others' entities are shown without text of documents that the reader may not read."""

import json
from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from intelli.entities import store, wire
from intelli.entities.entity_types import PASSAGES, EntityType
from intelli.entities.tables import Entity
from intelli.kit import clock
from intelli.kit.db import Tx
from intelli.library import documents

# Metadata fields that contain text of the entity's content.
_QUOTING_METADATA = {"content_preview", "section", "snippet"}


async def to_visible_wire(tx: Tx, rows: Sequence[Entity]) -> dict[Entity, wire.Entity]:
    """Return the entities by row as the caller may see them, in the same order."""
    unreadable = await _find_unreadable(tx, rows)
    return {row: _redact(row) if row.id in unreadable else to_wire(row) for row in rows}


async def list_hidden_identifiers(tx: Tx, message_id: UUID) -> frozenset[str]:
    """Return the identifiers of a message's passages whose documents the caller may not read."""
    rows = await store.list_for_messages(tx, [message_id], PASSAGES)
    unreadable = await _find_unreadable(tx, rows)
    return frozenset(row.identifier for row in rows if row.id in unreadable)


def to_wire(row: Entity) -> wire.Entity:
    """Convert a row into the wire model, unredacted."""
    names = wire.TypedEntity.model_fields
    columns = {name: getattr(row, name) for name in names if hasattr(row, name) and name != "metadata"}
    more = {"metadata": row.details, "workspace_id": row.tenant_id, "created_by": row.user_id}
    return wire.Entity.model_validate({**columns, **more, "status": effective_status(row.status, row.due_at)})


def effective_status(status: str, due_at: datetime | None) -> wire.EntityStatus:
    """Return the current status: an overdue entity has failed, because whoever made it must have died."""
    is_late = status == wire.EntityStatus.IN_PROGRESS and (due_at is None or due_at <= clock.now())
    return wire.EntityStatus.FAILED if is_late else wire.EntityStatus(status)


async def _find_unreadable(tx: Tx, rows: Sequence[Entity]) -> set[UUID]:
    """Return the ids of others' entities whose content the caller may not read: passages of invisible documents.

    The raw result of a search can contain passages of any document, so only the person who searched may read it.
    """
    others = [row for row in rows if tx.user_id is not None and row.user_id != tx.user_id]
    raw = {row.id for row in others if row.entity_type == EntityType.INTRA_ENTITY_SEARCH_RESULT}
    passages = {row.id: _document_of(row) for row in others if row.entity_type in PASSAGES}
    if not passages:
        return raw
    readable = await documents.find_existing(tx, {each for each in passages.values() if each is not None})
    return raw | {row_id for row_id, document_id in passages.items() if document_id not in readable}


def _document_of(row: Entity) -> UUID | None:
    """Return the document id in the metadata; None when readable is none."""
    named = row.details.get("document_id")
    return UUID(named) if isinstance(named, str) else None


def _redact(row: Entity) -> wire.Entity:
    """Convert a row into the wire model without its content and the metadata that quotes it."""
    full = to_wire(row).root
    kept = {name: value for name, value in row.details.items() if name not in _QUOTING_METADATA}
    metadata = type(full.metadata).model_validate_json(json.dumps(kept))
    return wire.Entity(full.model_copy(update={"content_artifact_id": None, "metadata": metadata}))
