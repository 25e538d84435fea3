"""Garbage collection: deletes content that nothing has referenced for a grace period, the row first, then the blob.

The grace period serves uploaders; safety does not depend on it. Whoever references an artifact locks its row, and
whoever writes or deletes a blob locks its hash. A crash at any point leaves at most a blob without a row, which the
next run finds.
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
    """Numbers of garbage items found or deleted, and their size.

    Content referenced only by garbage pointers or manifests is counted after those are deleted.
    """

    pointers: int = 0
    manifests: int = 0
    artifacts: int = 0
    orphans: int = 0
    drafts: int = 0
    size_bytes: int = 0

    def add(self, other: "GarbageReport") -> None:
        """Add the numbers of another report to this one."""
        self.pointers += other.pointers
        self.manifests += other.manifests
        self.artifacts += other.artifacts
        self.orphans += other.orphans
        self.drafts += other.drafts
        self.size_bytes += other.size_bytes


async def count_garbage(access: WorkspaceAccess, grace: timedelta) -> GarbageReport:
    """Count what a collection of this workspace would delete now."""
    async with access.begin() as tx:
        pointers = await store.count_deleted_pointers(tx, grace)
        manifests = await store.list_unreachable_manifests(tx, grace)
        artifacts, size_bytes = await store.count_unreferenced(tx, grace)
    garbage = GarbageReport(pointers, len(manifests), artifacts, size_bytes=size_bytes)
    async for orphan in _list_orphans(access, grace):
        garbage.orphans += 1
        garbage.size_bytes += orphan.size_bytes
    return garbage


async def collect(access: WorkspaceAccess, grace: timedelta) -> GarbageReport:
    """Delete the garbage of a workspace and return what was deleted."""
    garbage = GarbageReport()
    async with access.begin() as tx:
        garbage.pointers = await store.remove_deleted_pointers(tx, grace)
    garbage.manifests = await _collect_manifests(access, grace)
    while removed := await _collect_rows(access, grace):
        garbage.artifacts += len(removed)
        for sha256, size_bytes in removed:
            if await _delete_orphan_blob(access, sha256):
                garbage.size_bytes += size_bytes
    async for orphan in _list_orphans(access, grace):
        if await _delete_orphan_blob(access, orphan.sha256):
            garbage.orphans += 1
            garbage.size_bytes += orphan.size_bytes
    return garbage


async def list_erased_workspaces(blobs: Blobs, begin: Callable[[], AbstractAsyncContextManager[Tx]]) -> Sequence[UUID]:
    """Return ids of deleted workspaces that still have blobs; `begin` opens a transaction as `WorkspaceLister`.

    Blobs are listed first: a workspace is older than its blobs, so a live one cannot be missing from the later list.
    """
    kept = await blobs.tenants()
    async with begin() as tx:
        if not isinstance(tx.who, WorkspaceLister):
            raise TypeError("only a WorkspaceLister sees all workspaces; to anyone else, the others seem erased")
        living = set(await installation.list_workspace_ids(tx))
    return [tenant_id for tenant_id in kept if tenant_id not in living]


async def count_erased(blobs: Blobs, tenant_id: UUID, grace: timedelta) -> GarbageReport:
    """Count the blobs of a deleted workspace that are older than the grace period."""
    garbage = GarbageReport()
    async for stat in _list_older_blobs(blobs, tenant_id, grace):
        garbage.add(GarbageReport(orphans=1, size_bytes=stat.size_bytes))
    return garbage


async def collect_erased(blobs: Blobs, tenant_id: UUID, grace: timedelta) -> GarbageReport:
    """Delete the blobs of a deleted workspace. This is safe because workspace ids are never reused."""
    garbage = GarbageReport()
    for stat in [stat async for stat in _list_older_blobs(blobs, tenant_id, grace)]:
        await blobs.delete(tenant_id, stat.sha256)
        garbage.add(GarbageReport(orphans=1, size_bytes=stat.size_bytes))
    return garbage


async def count_drafts(blobs: Blobs) -> GarbageReport:
    """Count unfinished blobs that interrupted uploads left behind, in all workspaces."""
    before = clock.now() - DRAFT_AGE
    old = [each for each in await blobs.unfinished() if each.modified_at < before]
    return GarbageReport(drafts=len(old), size_bytes=sum(each.size_bytes for each in old))


async def collect_drafts(blobs: Blobs) -> GarbageReport:
    """Delete unfinished blobs that interrupted uploads left behind, in all workspaces."""
    garbage = await count_drafts(blobs)
    await blobs.sweep(DRAFT_AGE)
    return garbage


async def _collect_manifests(access: WorkspaceAccess, grace: timedelta) -> int:
    """Delete unreachable manifests, one per transaction, and return their number.

    Each deletion locks the artifacts of the manifest, and two in one transaction could lock them in opposite order. A
    parent becomes unreachable with its last child, hence the rounds.
    """
    removed = 0
    while True:
        async with access.begin() as tx:
            found = await store.list_unreachable_manifests(tx, grace, limit=_BATCH)
        before = removed
        for manifest in found:
            async with access.begin() as tx:
                removed += await store.remove_manifest(tx, manifest, grace)
        if removed == before:
            return removed


async def _collect_rows(access: WorkspaceAccess, grace: timedelta) -> Sequence[tuple[str, int]]:
    """Delete a batch of unreferenced artifact rows with an audit entry; return their hashes and sizes."""
    async with access.begin() as tx:
        removed = await store.remove_unreferenced(tx, grace, limit=_BATCH)
        if removed:
            size_bytes = sum(size for _, size in removed)
            await record(tx, EventType.ERASE, what="artifacts", count=len(removed), size_bytes=size_bytes)
        return removed


async def _delete_orphan_blob(access: WorkspaceAccess, sha256: str) -> bool:
    """Delete a blob unless it has a row (another owner's, or a new upload's); return whether it was deleted."""
    async with access.begin() as tx:
        await store.lock_content(tx, [sha256])
        if await store.known_hashes(tx, [sha256]):
            return False
        await access.blobs.delete(access.tenant_id, sha256)
        return True


async def _list_orphans(access: WorkspaceAccess, grace: timedelta) -> AsyncIterator[BlobStat]:
    """Iterate over blobs without a row that are older than the grace period."""
    batch: list[BlobStat] = []
    async for stat in _list_older_blobs(access.blobs, access.tenant_id, grace):
        batch.append(stat)
        if len(batch) >= _BATCH:
            for orphan in await _filter_without_row(access, batch):
                yield orphan
            batch = []
    for orphan in await _filter_without_row(access, batch):
        yield orphan


async def _list_older_blobs(blobs: Blobs, tenant_id: UUID, grace: timedelta) -> AsyncIterator[BlobStat]:
    """Iterate over a workspace's blobs that are older than the grace period."""
    before = clock.now() - grace
    async for stat in blobs.list(tenant_id):
        if stat.modified_at <= before:
            yield stat


async def _filter_without_row(access: WorkspaceAccess, batch: list[BlobStat]) -> list[BlobStat]:
    """Return those of the blobs that have no artifact row."""
    async with access.begin() as tx:
        known = await store.known_hashes(tx, [stat.sha256 for stat in batch])
    return [stat for stat in batch if stat.sha256 not in known]
