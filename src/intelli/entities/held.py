"""Held content: what an entity is made of, stored as an artifact that stays as long as the entity does."""

import json
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from uuid import UUID

from pydantic import JsonValue

from intelli.content import artifacts
from intelli.content.artifacts import Received, Said
from intelli.entities import kinds
from intelli.entities.kinds import EntityType
from intelli.kit.blobs import Blobs
from intelli.kit.db import Tx

_ANY_SIZE = 1 << 40


@dataclass(frozen=True, slots=True)
class Content:
    """Bytes, and what they are."""

    entity_type: EntityType
    body: bytes
    media_type: str
    filename: str


def as_json(entity_type: EntityType, value: JsonValue, filename: str) -> Content:
    """A value as content."""
    body = json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")
    return Content(entity_type, body, "application/json", filename)


@asynccontextmanager
async def stored(blobs: Blobs, tenant_id: UUID, contents: Mapping[str, Content]) -> AsyncIterator[dict[str, Received]]:
    """The contents as drafts in the blob store, by their names, while the block lasts."""
    async with AsyncExitStack() as stack:
        yield {
            name: await stack.enter_async_context(
                artifacts.receive(blobs, tenant_id, _once(content.body), limit_bytes=_ANY_SIZE)
            )
            for name, content in contents.items()
        }


async def keep(tx: Tx, contents: Mapping[str, Content], drafts: Mapping[str, Received]) -> dict[str, str]:
    """Make the contents the workspace's; their hashes, by name."""
    await artifacts.hold_still(tx, [received.draft.sha256 for received in drafts.values()])
    await artifacts.keep_made(tx, [(drafts[name], _said(content)) for name, content in contents.items()])
    return {name: received.draft.sha256 for name, received in drafts.items()}


def _said(content: Content) -> Said:
    return Said(kinds.PLATFORM[content.entity_type], {}, filename=content.filename, media_type=content.media_type)


async def _once(content: bytes) -> AsyncIterator[bytes]:
    yield content
