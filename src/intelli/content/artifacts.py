"""Artifacts: bytes arrive first, the row that makes them the workspace's comes second."""

from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from uuid import UUID

from pydantic import JsonValue

from intelli.audit.record import record
from intelli.audit.wire import EventType
from intelli.content import media, naming, store, wire
from intelli.content.errors import ArtifactNotFound
from intelli.content.ports import Storing
from intelli.content.tables import Artifact
from intelli.content.wire import EntityType
from intelli.kit import paging
from intelli.kit.blobs import Blobs, Draft, key
from intelli.kit.db import Tx
from intelli.kit.wire import Page


@dataclass(frozen=True, slots=True)
class Said:
    """What an uploader says about the bytes."""

    entity_type: EntityType
    entity_metadata: dict[str, JsonValue]
    filename: str | None = None
    media_type: str | None = None


@dataclass(frozen=True, slots=True)
class Received:
    """Bytes that have arrived whole, and how they begin."""

    blobs: Blobs
    draft: Draft
    head: bytes


@asynccontextmanager
async def receive(
    blobs: Blobs, tenant_id: UUID, chunks: AsyncIterator[bytes], *, limit_bytes: int
) -> AsyncIterator[Received]:
    """Take a stream in, in constant memory. Call `keep` in a transaction while the block lasts."""
    head = bytearray()
    async with blobs.draft(tenant_id, _heading(chunks, head), limit_bytes=limit_bytes) as draft:
        await draft.place()
        yield Received(blobs, draft, bytes(head))


async def keep(tx: Tx, received: Received, said: Said, *, storing: Storing) -> tuple[Artifact, bool]:
    """Make what was received the workspace's. Tells whether it is new; what is known keeps its type and name."""
    artifact, is_new = await keep_derived(tx, received, said)
    if is_new:
        await storing(tx, artifact.size_bytes)
        await record(
            tx, EventType.FILE_MODIFICATION, action="upload", sha256=artifact.sha256, size_bytes=artifact.size_bytes
        )
    return artifact, is_new


async def keep_derived(tx: Tx, received: Received, said: Said) -> tuple[Artifact, bool]:
    """The same for what the product makes of kept bytes: nobody uploaded it, so nobody is charged or told.

    Collecting garbage takes the same lock, and may have removed the blob since it was placed: then it is placed again.
    """
    draft = received.draft
    await store.lock_content(tx, draft.sha256)
    if not await received.blobs.exists(tx.tenant_id, draft.sha256):
        await draft.place()
    filename = naming.clean(said.filename)
    values = {
        "sha256": draft.sha256,
        "size_bytes": draft.size_bytes,
        "filename": filename,
        "media_type": media.decide(said.media_type, filename, received.head),
        "storage_uri": key(tx.tenant_id, draft.sha256),
        "entity_type": said.entity_type,
        "entity_metadata": said.entity_metadata,
        "created_by": tx.user_id,
    }
    return await store.add_artifact(tx, values)


async def hold_still(tx: Tx, hashes: Iterable[str]) -> None:
    """Let nobody else file or remove these bytes before the transaction ends.

    Who keeps several artifacts calls this first, with all of them: the order of the hashes keeps two from waiting for
    each other in a circle.
    """
    for sha256 in sorted(set(hashes)):
        await store.lock_content(tx, sha256)


async def get(tx: Tx, sha256: str) -> Artifact:
    """The artifact of a hash."""
    artifact = await store.find_artifact(tx, sha256)
    if artifact is None:
        raise ArtifactNotFound("There is no such artifact. It may have been removed because nothing referenced it.")
    return artifact


async def list_artifacts(
    tx: Tx, *, entity_type: EntityType | None, cursor: str | None, limit: int
) -> Page[wire.Artifact]:
    """Artifacts, newest first."""
    place = paging.decode_moment(cursor)
    rows = await store.artifacts_before(tx, place, entity_type=entity_type, limit=limit + 1)
    return paging.moment_page(
        rows, limit, item=wire.Artifact.model_validate, moment=lambda row: (row.created_at, row.sha256)
    )


async def _heading(chunks: AsyncIterator[bytes], head: bytearray) -> AsyncIterator[bytes]:
    """The stream, with its first bytes copied aside."""
    async for chunk in chunks:
        head += chunk[: media.HEAD_BYTES - len(head)]
        yield chunk
