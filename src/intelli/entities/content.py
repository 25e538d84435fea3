"""Held content: what an entity is made of, stored as an artifact that stays as long as the entity does."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from uuid import UUID

from pydantic import JsonValue

from intelli.content import artifacts
from intelli.content.artifacts import ArtifactInfo, ReceivedBytes
from intelli.content.ownership import ContentOwner
from intelli.entities.kinds import EntityType
from intelli.kit.blobs import Blobs
from intelli.kit.db import Tx

Placed = Mapping[str, ReceivedBytes]


@dataclass(frozen=True, slots=True)
class EntityContent:
    """Bytes, and what they are. Personal ones only the person sees for whom they are kept, whatever is shared."""

    entity_type: EntityType
    body: bytes
    media_type: str
    filename: str
    is_personal: bool = False


def as_json(entity_type: EntityType, value: JsonValue, filename: str) -> EntityContent:
    """A value as content."""
    body = json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")
    return EntityContent(entity_type, body, "application/json", filename)


async def place(blobs: Blobs, tenant_id: UUID, contents: Mapping[str, EntityContent]) -> dict[str, ReceivedBytes]:
    """The contents in the blob store, by their names; what no transaction keeps is collected as garbage."""
    placed = {name: artifacts.made(blobs, tenant_id, content.body) for name, content in contents.items()}
    for received in placed.values():
        await received.draft.place()
    return placed


async def keep(
    tx: Tx, contents: Mapping[str, EntityContent], placed: Mapping[str, ReceivedBytes], *, owner: ContentOwner
) -> dict[str, str]:
    """Give the contents to their owner; their hashes, by name."""
    await artifacts.hold_still(tx, [received.draft.sha256 for received in placed.values()])
    await artifacts.keep_made(tx, [(placed[name], _said(content, owner)) for name, content in contents.items()])
    return {name: received.draft.sha256 for name, received in placed.items()}


def _said(content: EntityContent, owner: ContentOwner) -> ArtifactInfo:
    return ArtifactInfo(
        content.entity_type.declared.platform,
        {},
        filename=content.filename,
        media_type=content.media_type,
        owner=owner,
        is_personal=content.is_personal,
    )
