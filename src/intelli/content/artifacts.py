"""Artifacts: the bytes are written to the blob store first, then the row that assigns them to their owner."""

from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from pydantic import JsonValue

from intelli.audit.record import AuditEvent, record_all
from intelli.audit.wire import EventType
from intelli.content import file_names, media_types, ownership, store, wire
from intelli.content.errors import ArtifactNotFound
from intelli.content.ownership import ContentOwner
from intelli.content.ports import ArtifactStored
from intelli.content.tables import Artifact
from intelli.content.wire import PlatformType
from intelli.kit import pagination
from intelli.kit.blobs import BlobDraft, Blobs, key
from intelli.kit.db import Tx
from intelli.kit.errors import IntelliError
from intelli.kit.wire import Page

_BETWEEN = ":"


@dataclass(frozen=True, slots=True)
class ArtifactInfo:
    """Name, types, metadata and owner of bytes to store. Without an owner they belong to the workspace.

    Personal ones are visible to the owner's person only, even when the conversation they belong to is shared.
    """

    entity_type: PlatformType
    entity_metadata: dict[str, JsonValue]
    filename: str | None = None
    media_type: str | None = None
    owner: ContentOwner | None = None
    is_personal: bool = False


@dataclass(frozen=True, slots=True)
class ReceivedBytes:
    """Complete bytes as a blob draft, with their first bytes (`head`)."""

    blobs: Blobs
    draft: BlobDraft
    head: bytes


@asynccontextmanager
async def receive(
    blobs: Blobs, tenant_id: UUID, chunks: AsyncIterator[bytes], *, limit_bytes: int
) -> AsyncIterator[ReceivedBytes]:
    """Write a stream to the blob store in constant memory. Call `save` in a transaction inside the block."""
    head = bytearray()
    async with blobs.draft(tenant_id, _copy_head(chunks, head), limit_bytes=limit_bytes) as draft:
        await draft.place()
        yield ReceivedBytes(blobs, draft, bytes(head))


def draft_generated(blobs: Blobs, tenant_id: UUID, content: bytes) -> ReceivedBytes:
    """Wrap bytes that the product generated. Place them, then call `save_generated` in a transaction."""
    return ReceivedBytes(blobs, blobs.hold(tenant_id, content), content[: media_types.HEAD_BYTES])


async def place_all(received: Iterable[ReceivedBytes]) -> None:
    """Make the bytes durable in the blob store. To be called before any transaction."""
    received = list(received)
    for blobs in {each.blobs for each in received}:
        await blobs.place_all(each.draft for each in received if each.blobs is blobs)


async def save(
    tx: Tx, received: ReceivedBytes, info: ArtifactInfo, *, storing: ArtifactStored
) -> tuple[Artifact, bool]:
    """Insert the artifact for its owner, charge it and write the audit entry; return it and whether it is new.

    A known artifact keeps its type and name.
    """
    artifact, is_new = await save_without_audit(tx, received, info, storing=storing)
    if is_new:
        await record_all(tx, [upload_event(artifact.sha256, artifact.size_bytes)])
    return artifact, is_new


async def save_without_audit(
    tx: Tx, received: ReceivedBytes, info: ArtifactInfo, *, storing: ArtifactStored
) -> tuple[Artifact, bool]:
    """Insert the artifact and charge it without an audit entry: the caller records `upload_event` later."""
    await store.lock_content(tx, [received.draft.sha256])
    await _place_missing(tx, [received])
    artifact, is_new = await store.add_artifact(tx, _row(tx, received, info))
    if is_new:
        await storing(tx, artifact.size_bytes)
    return artifact, is_new


async def save_all_without_audit(
    tx: Tx, received: Sequence[tuple[ReceivedBytes, ArtifactInfo]], *, storing: ArtifactStored
) -> tuple[set[str], dict[str, IntelliError]]:
    """Insert several artifacts of the workspace; return the new hashes, and the refused hashes with their errors.

    Call `lock_hashes` first. No audit entries are written: the caller records `upload_event` for each.
    """
    by_hash = {each.draft.sha256: (each, info) for each, info in received}
    known = await store.owned_hashes(tx, by_hash, owner_id=tx.tenant_id)
    refused: dict[str, IntelliError] = {}
    for sha256 in sorted(by_hash.keys() - known):
        try:
            await storing(tx, by_hash[sha256][0].draft.size_bytes)
        except IntelliError as error:
            refused[sha256] = error
    accepted = [by_hash[sha256] for sha256 in by_hash if sha256 not in refused]
    return await save_generated(tx, accepted), refused


def upload_event(sha256: str, size_bytes: int) -> AuditEvent:
    """Return the audit event for newly uploaded bytes."""
    return AuditEvent(
        EventType.FILE_MODIFICATION, details={"action": "upload", "sha256": sha256, "size_bytes": size_bytes}
    )


async def save_generated(tx: Tx, generated: Sequence[tuple[ReceivedBytes, ArtifactInfo]]) -> set[str]:
    """Insert artifacts that the product generated; return the hashes of the new ones. Call `lock_hashes` first.

    Nobody uploaded them, so they are neither charged nor audited. Garbage collection takes the same lock and may have
    deleted a blob after it was placed: then it is placed again.
    """
    await _place_missing(tx, [received for received, _ in generated])
    rows = {received.draft.sha256: _row(tx, received, info) for received, info in generated}
    return await store.add_artifacts(tx, list(rows.values())) if rows else set()


async def lock_hashes(tx: Tx, hashes: Iterable[str]) -> None:
    """Lock these hashes until the transaction ends: nobody else can insert or delete their artifacts.

    Whoever saves several artifacts calls this first with all of them: they are locked in the order of their hashes,
    which prevents deadlocks.
    """
    await store.lock_content(tx, sorted(set(hashes)))


async def _place_missing(tx: Tx, received: Sequence[ReceivedBytes]) -> None:
    """Place those blobs again that garbage collection deleted in the meantime."""
    by_hash = {each.draft.sha256: each for each in received}
    for blobs in {each.blobs for each in received}:
        for sha256 in await blobs.missing(tx.tenant_id, by_hash):
            await by_hash[sha256].draft.place()


def _row(tx: Tx, received: ReceivedBytes, info: ArtifactInfo) -> dict[str, object]:
    """Return the column values of an artifact."""
    filename = file_names.clean(info.filename)
    return {
        "sha256": received.draft.sha256,
        "size_bytes": received.draft.size_bytes,
        "filename": filename,
        "media_type": media_types.decide(info.media_type, filename, received.head),
        "storage_uri": key(tx.tenant_id, received.draft.sha256),
        "entity_type": info.entity_type,
        "entity_metadata": info.entity_metadata,
        "created_by": info.owner.user_id if info.owner else tx.user_id,
        "is_personal": info.is_personal,
        **ownership.columns(tx, info.owner),
    }


async def get(tx: Tx, sha256: str) -> Artifact:
    """Return the artifact with this hash that the caller may read. Raises ArtifactNotFound."""
    artifact = await store.find_artifact(tx, sha256)
    if artifact is None:
        raise ArtifactNotFound("There is no such artifact. It may have been removed because nothing referenced it.")
    return artifact


async def copy(tx: Tx, sha256: str, *, owner: ContentOwner) -> Artifact:
    """Insert an artifact of the same bytes for another owner, independent of the original's lifetime."""
    await store.lock_content(tx, [sha256])
    artifact = await get(tx, sha256)
    copied_columns = ("sha256", "size_bytes", "filename", "media_type", "storage_uri", "entity_type", "entity_metadata")
    values = {name: getattr(artifact, name) for name in copied_columns}
    copied, _ = await store.add_artifact(tx, {**values, "created_by": owner.user_id, **ownership.columns(tx, owner)})
    return copied


async def list_artifacts(
    tx: Tx, *, entity_type: PlatformType | None, cursor: str | None, limit: int
) -> Page[wire.Artifact]:
    """List artifacts that the caller may read, newest first.

    Bytes that belong to several owners are listed once for each.
    """
    rows = await store.artifacts_before(tx, _decode_cursor(cursor), entity_type=entity_type, limit=limit + 1)
    return pagination.moment_page(
        rows,
        limit,
        item=wire.Artifact.model_validate,
        moment=lambda row: (row.created_at, f"{row.sha256}{_BETWEEN}{row.owner_id}"),
    )


def _decode_cursor(cursor: str | None) -> tuple[datetime, str, UUID] | None:
    """Decode a cursor into creation time, hash and owner. Raises InvalidCursor."""
    place = pagination.decode_moment(cursor)
    if place is None:
        return None
    sha256, _, owner_id = place[1].partition(_BETWEEN)
    try:
        return place[0], sha256, UUID(owner_id)
    except ValueError as error:
        raise pagination.InvalidCursor("This cursor is of another list. Leave it out to begin anew.") from error


async def _copy_head(chunks: AsyncIterator[bytes], head: bytearray) -> AsyncIterator[bytes]:
    """Pass the stream through and copy its first bytes into `head`."""
    async for chunk in chunks:
        head += chunk[: media_types.HEAD_BYTES - len(head)]
        yield chunk
