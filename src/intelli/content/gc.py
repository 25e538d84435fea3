"""Collecting garbage: what nothing references is removed after a period of grace, row first and blob second.

The grace is a courtesy to uploaders, not what makes this safe. Whoever references an artifact locks its row, and
whoever files or removes a blob holds the lock of its hash; so a kill at any point leaves at most a blob without a row,
which the next round finds.
"""

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from datetime import timedelta
from uuid import UUID

from intelli.audit.record import record
from intelli.audit.wire import EventType
from intelli.content import store
from intelli.identity import installation
from intelli.kit import clock
from intelli.kit.blobs import Blobs, BlobStat
from intelli.kit.context import WorkspaceLister
from intelli.kit.db import Tx
from intelli.kit.room import WorkspaceAccess

_BATCH = 200
# Longer than any upload takes: whatever the grace, what is being written is no garbage.
DRAFT_AGE = timedelta(days=1)


@dataclass(slots=True)
class GarbageReport:
    """What was found or removed. What only a removed pointer or manifest holds counts once that is gone."""

    pointers: int = 0
    manifests: int = 0
    artifacts: int = 0
    orphans: int = 0
    drafts: int = 0
    size_bytes: int = 0

    def add(self, other: "GarbageReport") -> None:
        """Count another workspace's with it."""
        self.pointers += other.pointers
        self.manifests += other.manifests
        self.artifacts += other.artifacts
        self.orphans += other.orphans
        self.drafts += other.drafts
        self.size_bytes += other.size_bytes


async def look(premises: WorkspaceAccess, grace: timedelta) -> GarbageReport:
    """What a collection would find now."""
    async with premises.begin() as tx:
        pointers = await store.count_deleted_pointers(tx, grace)
        manifests = await store.unreachable_manifests(tx, grace)
        artifacts, size_bytes = await store.unreferenced(tx, grace)
    garbage = GarbageReport(pointers, len(manifests), artifacts, size_bytes=size_bytes)
    async for orphan in _orphans(premises, grace):
        garbage.orphans += 1
        garbage.size_bytes += orphan.size_bytes
    return garbage


async def collect(premises: WorkspaceAccess, grace: timedelta) -> GarbageReport:
    """Remove what nothing references."""
    garbage = GarbageReport()
    async with premises.begin() as tx:
        garbage.pointers = await store.remove_deleted_pointers(tx, grace)
    garbage.manifests = await _collect_manifests(premises, grace)
    while removed := await _collect_rows(premises, grace):
        garbage.artifacts += len(removed)
        for sha256, size_bytes in removed:
            if await _drop(premises, sha256):
                garbage.size_bytes += size_bytes
    async for orphan in _orphans(premises, grace):
        if await _drop(premises, orphan.sha256):
            garbage.orphans += 1
            garbage.size_bytes += orphan.size_bytes
    return garbage


async def erased_workspaces(blobs: Blobs, begin: Callable[[], AbstractAsyncContextManager[Tx]]) -> Sequence[UUID]:
    """Workspaces that are no more, while blobs of theirs are still kept; `begin` opens a transaction as `Census`.

    Blobs are asked first: a workspace is older than its blobs, so one that lives cannot be missing from the census.
    """
    kept = await blobs.tenants()
    async with begin() as tx:
        if not isinstance(tx.who, WorkspaceLister):
            raise TypeError("only the census sees all workspaces; to anyone else, the others seem erased")
        living = set(await installation.workspace_ids(tx))
    return [tenant_id for tenant_id in kept if tenant_id not in living]


async def look_at_erased(blobs: Blobs, tenant_id: UUID, grace: timedelta) -> GarbageReport:
    """What is kept of a workspace that is no more."""
    garbage = GarbageReport()
    async for stat in _older(blobs, tenant_id, grace):
        garbage.add(GarbageReport(orphans=1, size_bytes=stat.size_bytes))
    return garbage


async def collect_erased(blobs: Blobs, tenant_id: UUID, grace: timedelta) -> GarbageReport:
    """Remove it. Nobody can come back for it: the id of a workspace is never given again."""
    garbage = GarbageReport()
    for stat in [stat async for stat in _older(blobs, tenant_id, grace)]:
        await blobs.delete(tenant_id, stat.sha256)
        garbage.add(GarbageReport(orphans=1, size_bytes=stat.size_bytes))
    return garbage


async def look_at_drafts(blobs: Blobs) -> GarbageReport:
    """What killed uploads left half written, in any workspace."""
    before = clock.now() - DRAFT_AGE
    old = [each for each in await blobs.unfinished() if each.modified_at < before]
    return GarbageReport(drafts=len(old), size_bytes=sum(each.size_bytes for each in old))


async def collect_drafts(blobs: Blobs) -> GarbageReport:
    """Remove it."""
    garbage = await look_at_drafts(blobs)
    await blobs.sweep(DRAFT_AGE)
    return garbage


async def _collect_manifests(premises: WorkspaceAccess, grace: timedelta) -> int:
    """One in a transaction: each locks the artifacts it held, and two could lock theirs in opposite order.

    A parent becomes unreachable with its last child, hence the rounds.
    """
    removed = 0
    while True:
        async with premises.begin() as tx:
            found = await store.unreachable_manifests(tx, grace, limit=_BATCH)
        before = removed
        for manifest in found:
            async with premises.begin() as tx:
                removed += await store.remove_manifest(tx, manifest, grace)
        if removed == before:
            return removed


async def _collect_rows(premises: WorkspaceAccess, grace: timedelta) -> Sequence[tuple[str, int]]:
    async with premises.begin() as tx:
        removed = await store.remove_unreferenced(tx, grace, limit=_BATCH)
        if removed:
            size_bytes = sum(size for _, size in removed)
            await record(tx, EventType.ERASE, what="artifacts", count=len(removed), size_bytes=size_bytes)
        return removed


async def _drop(premises: WorkspaceAccess, sha256: str) -> bool:
    """Remove a blob unless it has a row: another owner's, or that of an upload in the meantime."""
    async with premises.begin() as tx:
        await store.lock_content(tx, [sha256])
        if await store.known_hashes(tx, [sha256]):
            return False
        await premises.blobs.delete(premises.tenant_id, sha256)
        return True


async def _orphans(premises: WorkspaceAccess, grace: timedelta) -> AsyncIterator[BlobStat]:
    """Blobs without a row that are older than the grace."""
    batch: list[BlobStat] = []
    async for stat in _older(premises.blobs, premises.tenant_id, grace):
        batch.append(stat)
        if len(batch) >= _BATCH:
            for orphan in await _without_row(premises, batch):
                yield orphan
            batch = []
    for orphan in await _without_row(premises, batch):
        yield orphan


async def _older(blobs: Blobs, tenant_id: UUID, grace: timedelta) -> AsyncIterator[BlobStat]:
    before = clock.now() - grace
    async for stat in blobs.list(tenant_id):
        if stat.modified_at <= before:
            yield stat


async def _without_row(premises: WorkspaceAccess, batch: list[BlobStat]) -> list[BlobStat]:
    async with premises.begin() as tx:
        known = await store.known_hashes(tx, [stat.sha256 for stat in batch])
    return [stat for stat in batch if stat.sha256 not in known]
