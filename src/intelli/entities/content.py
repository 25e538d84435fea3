"""Content of entities, stored as an artifact that exists as long as the entity does."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from uuid import UUID

from pydantic import JsonValue

from intelli.content import artifacts
from intelli.content.artifacts import ArtifactInfo, ReceivedBytes
from intelli.content.ownership import ContentOwner
from intelli.entities.entity_types import EntityType
from intelli.kit.blobs import Blobs
from intelli.kit.db import Tx

Placed = Mapping[str, ReceivedBytes]


@dataclass(frozen=True, slots=True)
class EntityContent:
    """Bytes of an entity with type and name. Personal ones are visible to their person only, even when shared."""

    entity_type: EntityType
    body: bytes
    media_type: str
    filename: str
    is_personal: bool = False


def encode_json(entity_type: EntityType, value: JsonValue, filename: str) -> EntityContent:
    """Encode a value as compact JSON content."""
    body = json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")
    return EntityContent(entity_type, body, "application/json", filename)


async def place(blobs: Blobs, tenant_id: UUID, contents: Mapping[str, EntityContent]) -> dict[str, ReceivedBytes]:
    """Write the contents to the blob store, by name. Without a later `save` they are garbage collected."""
    placed = {name: artifacts.draft_generated(blobs, tenant_id, content.body) for name, content in contents.items()}
    for received in placed.values():
        await received.draft.place()
    return placed


async def save(
    tx: Tx, contents: Mapping[str, EntityContent], placed: Mapping[str, ReceivedBytes], *, owner: ContentOwner
) -> dict[str, str]:
    """Insert the placed contents as artifacts of their owner; return their hashes by name."""
    await artifacts.lock_hashes(tx, [received.draft.sha256 for received in placed.values()])
    await artifacts.save_generated(
        tx, [(placed[name], _artifact_info(content, owner)) for name, content in contents.items()]
    )
    return {name: received.draft.sha256 for name, received in placed.items()}


def _artifact_info(content: EntityContent, owner: ContentOwner) -> ArtifactInfo:
    """Return the artifact fields of a content."""
    return ArtifactInfo(
        content.entity_type.declared.platform,
        {},
        filename=content.filename,
        media_type=content.media_type,
        owner=owner,
        is_personal=content.is_personal,
    )
