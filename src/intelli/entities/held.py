"""Held content: what an entity is made of, stored as an artifact that stays as long as the entity does."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from uuid import UUID

from pydantic import JsonValue

from intelli.content import artifacts
from intelli.content.artifacts import Received, Said
from intelli.content.ownership import Owner
from intelli.entities.kinds import EntityType
from intelli.kit.blobs import Blobs
from intelli.kit.db import Tx

Placed = Mapping[str, Received]


@dataclass(frozen=True, slots=True)
class Content:
    """Bytes, and what they are. Personal ones only the person sees for whom they are kept, whatever is shared."""

    entity_type: EntityType
    body: bytes
    media_type: str
    filename: str
    is_personal: bool = False


def as_json(entity_type: EntityType, value: JsonValue, filename: str) -> Content:
    """A value as content."""
    body = json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")
    return Content(entity_type, body, "application/json", filename)


async def place(blobs: Blobs, tenant_id: UUID, contents: Mapping[str, Content]) -> dict[str, Received]:
    """The contents in the blob store, by their names; what no transaction keeps is collected as garbage."""
    placed = {name: artifacts.made(blobs, tenant_id, content.body) for name, content in contents.items()}
    for received in placed.values():
        await received.draft.place()
    return placed


async def keep(
    tx: Tx, contents: Mapping[str, Content], placed: Mapping[str, Received], *, owner: Owner
) -> dict[str, str]:
    """Give the contents to their owner; their hashes, by name."""
    await artifacts.hold_still(tx, [received.draft.sha256 for received in placed.values()])
    await artifacts.keep_made(tx, [(placed[name], _said(content, owner)) for name, content in contents.items()])
    return {name: received.draft.sha256 for name, received in placed.items()}


def _said(content: Content, owner: Owner) -> Said:
    return Said(
        content.entity_type.declared.platform,
        {},
        filename=content.filename,
        media_type=content.media_type,
        owner=owner,
        is_personal=content.is_personal,
    )
