"""Artifacts: bytes arrive first, the row that gives them to their owner comes second."""

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
    """What is said about the bytes. They are the workspace's unless an owner is named.

    Personal ones nobody but the owner's person ever sees, also when what they belong to is shared.
    """

    entity_type: PlatformType
    entity_metadata: dict[str, JsonValue]
    filename: str | None = None
    media_type: str | None = None
    owner: ContentOwner | None = None
    is_personal: bool = False


@dataclass(frozen=True, slots=True)
class ReceivedBytes:
    """Bytes that have arrived whole, and how they begin."""

    blobs: Blobs
    draft: BlobDraft
    head: bytes


@asynccontextmanager
async def receive(
    blobs: Blobs, tenant_id: UUID, chunks: AsyncIterator[bytes], *, limit_bytes: int
) -> AsyncIterator[ReceivedBytes]:
    """Take a stream in, in constant memory. Call `keep` in a transaction while the block lasts."""
    head = bytearray()
    async with blobs.draft(tenant_id, _heading(chunks, head), limit_bytes=limit_bytes) as draft:
        await draft.place()
        yield ReceivedBytes(blobs, draft, bytes(head))


def made(blobs: Blobs, tenant_id: UUID, content: bytes) -> ReceivedBytes:
    """Bytes that the product has made itself. Place them, then call `keep_made` in a transaction."""
    return ReceivedBytes(blobs, blobs.hold(tenant_id, content), content[: media_types.HEAD_BYTES])


async def place_all(received: Iterable[ReceivedBytes]) -> None:
    """Make bytes durable, before any transaction."""
    received = list(received)
    for blobs in {each.blobs for each in received}:
        await blobs.place_all(each.draft for each in received if each.blobs is blobs)


async def keep(
    tx: Tx, received: ReceivedBytes, said: ArtifactInfo, *, storing: ArtifactStored
) -> tuple[Artifact, bool]:
    """Give what was received to its owner. Tells whether it is new to them; what is known keeps its type and name."""
    artifact, is_new = await take(tx, received, said, storing=storing)
    if is_new:
        await record_all(tx, [uploaded(artifact.sha256, artifact.size_bytes)])
    return artifact, is_new


async def take(
    tx: Tx, received: ReceivedBytes, said: ArtifactInfo, *, storing: ArtifactStored
) -> tuple[Artifact, bool]:
    """The same, for who has more to do before they record that it was `uploaded`."""
    await store.lock_content(tx, [received.draft.sha256])
    await _place_again(tx, [received])
    artifact, is_new = await store.add_artifact(tx, _row(tx, received, said))
    if is_new:
        await storing(tx, artifact.size_bytes)
    return artifact, is_new


async def take_all(
    tx: Tx, received: Sequence[tuple[ReceivedBytes, ArtifactInfo]], *, storing: ArtifactStored
) -> tuple[set[str], dict[str, IntelliError]]:
    """The same for several of the workspace's, which are held still: the new hashes, and those refused with why."""
    by_hash = {each.draft.sha256: (each, said) for each, said in received}
    known = await store.owned_hashes(tx, by_hash, owner_id=tx.tenant_id)
    refused: dict[str, IntelliError] = {}
    for sha256 in sorted(by_hash.keys() - known):
        try:
            await storing(tx, by_hash[sha256][0].draft.size_bytes)
        except IntelliError as error:
            refused[sha256] = error
    kept = [by_hash[sha256] for sha256 in by_hash if sha256 not in refused]
    return await keep_made(tx, kept), refused


def uploaded(sha256: str, size_bytes: int) -> AuditEvent:
    """That new bytes were uploaded."""
    return AuditEvent(
        EventType.FILE_MODIFICATION, details={"action": "upload", "sha256": sha256, "size_bytes": size_bytes}
    )


async def keep_made(tx: Tx, made: Sequence[tuple[ReceivedBytes, ArtifactInfo]]) -> set[str]:
    """Keep what the product made of kept bytes: nobody uploaded it, so nobody is charged or told. Hold it still first.

    Returns the hashes of what is new.

    Collecting garbage takes the same lock, and may have removed a blob since it was placed: then it is placed again.
    """
    await _place_again(tx, [received for received, _ in made])
    rows = {received.draft.sha256: _row(tx, received, said) for received, said in made}
    return await store.add_artifacts(tx, list(rows.values())) if rows else set()


async def hold_still(tx: Tx, hashes: Iterable[str]) -> None:
    """Let nobody else file or remove these bytes before the transaction ends.

    Who keeps several artifacts calls this first, with all of them: the order of the hashes keeps two from waiting for
    each other in a circle.
    """
    await store.lock_content(tx, sorted(set(hashes)))


async def _place_again(tx: Tx, received: Sequence[ReceivedBytes]) -> None:
    by_hash = {each.draft.sha256: each for each in received}
    for blobs in {each.blobs for each in received}:
        for sha256 in await blobs.missing(tx.tenant_id, by_hash):
            await by_hash[sha256].draft.place()


def _row(tx: Tx, received: ReceivedBytes, said: ArtifactInfo) -> dict[str, object]:
    filename = file_names.clean(said.filename)
    return {
        "sha256": received.draft.sha256,
        "size_bytes": received.draft.size_bytes,
        "filename": filename,
        "media_type": media_types.decide(said.media_type, filename, received.head),
        "storage_uri": key(tx.tenant_id, received.draft.sha256),
        "entity_type": said.entity_type,
        "entity_metadata": said.entity_metadata,
        "created_by": said.owner.user_id if said.owner else tx.user_id,
        "is_personal": said.is_personal,
        **ownership.columns(tx, said.owner),
    }


async def get(tx: Tx, sha256: str) -> Artifact:
    """The artifact of a hash that the caller may read."""
    artifact = await store.find_artifact(tx, sha256)
    if artifact is None:
        raise ArtifactNotFound("There is no such artifact. It may have been removed because nothing referenced it.")
    return artifact


async def copy(tx: Tx, sha256: str, *, owner: ContentOwner) -> Artifact:
    """Give bytes that the caller may read to an owner as well, who has them from then on whatever becomes of these."""
    await store.lock_content(tx, [sha256])
    artifact = await get(tx, sha256)
    kept = ("sha256", "size_bytes", "filename", "media_type", "storage_uri", "entity_type", "entity_metadata")
    values = {name: getattr(artifact, name) for name in kept}
    copied, _ = await store.add_artifact(tx, {**values, "created_by": owner.user_id, **ownership.columns(tx, owner)})
    return copied


async def list_artifacts(
    tx: Tx, *, entity_type: PlatformType | None, cursor: str | None, limit: int
) -> Page[wire.Artifact]:
    """Artifacts that the caller may read, newest first. Bytes that belong to several things are listed for each."""
    rows = await store.artifacts_before(tx, _place(cursor), entity_type=entity_type, limit=limit + 1)
    return pagination.moment_page(
        rows,
        limit,
        item=wire.Artifact.model_validate,
        moment=lambda row: (row.created_at, f"{row.sha256}{_BETWEEN}{row.owner_id}"),
    )


def _place(cursor: str | None) -> tuple[datetime, str, UUID] | None:
    place = pagination.decode_moment(cursor)
    if place is None:
        return None
    sha256, _, owner_id = place[1].partition(_BETWEEN)
    try:
        return place[0], sha256, UUID(owner_id)
    except ValueError as error:
        raise pagination.InvalidCursor("This cursor is of another list. Leave it out to begin anew.") from error


async def _heading(chunks: AsyncIterator[bytes], head: bytearray) -> AsyncIterator[bytes]:
    """The stream, with its first bytes copied aside."""
    async for chunk in chunks:
        head += chunk[: media_types.HEAD_BYTES - len(head)]
        yield chunk
