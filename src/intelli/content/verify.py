"""Integrity check of content: hashes of blobs and manifests, reference counts, and pointers against their history."""

from collections.abc import AsyncIterator
from uuid import UUID

from intelli.content import manifests, store
from intelli.content.tables import Artifact, Manifest
from intelli.kit.blobs import BlobMissing
from intelli.kit.db import Tx
from intelli.kit.room import WorkspaceAccess

_BATCH = 200


async def findings(access: WorkspaceAccess) -> AsyncIterator[str]:
    """Yield a message for everything that is broken in the workspace, for `intelli verify`."""
    async for finding in _check_artifacts(access):
        yield finding
    async for finding in _check_counts(access):
        yield finding
    async for finding in _check_manifests(access):
        yield finding
    async for finding in _check_pointers(access):
        yield finding


async def _check_artifacts(access: WorkspaceAccess) -> AsyncIterator[str]:
    """Check every blob. They are read outside of any transaction because that can take long."""
    after = ""
    while True:
        async with access.begin() as tx:
            batch = await store.artifacts_after(tx, after, limit=_BATCH)
        for artifact in batch:
            fault = await _blob_fault(access, artifact)
            if fault and await _is_still_stored(access, artifact.sha256):
                yield f"artifact {artifact.sha256} of workspace {access.tenant_id}: {fault}"
        if len(batch) < _BATCH:
            return
        after = batch[-1].sha256


async def _check_counts(access: WorkspaceAccess) -> AsyncIterator[str]:
    """Check the reference counts. One batch is enough to act on: a bug that broke one may have broken all."""
    async with access.begin() as tx:
        wrong = await store.list_miscounted(tx, limit=_BATCH)
    for sha256, counted, held in wrong:
        fault = f"it counts {counted} references, but {held} hold it"
        yield f"artifact {sha256} of workspace {access.tenant_id}: {fault}"


async def _check_manifests(access: WorkspaceAccess) -> AsyncIterator[str]:
    """Check that each manifest matches its hash and its totals."""
    after: tuple[str, UUID] | None = None
    while True:
        async with access.begin() as tx:
            batch = await store.manifests_after(tx, after, limit=_BATCH)
            faults = [(row.sha256, await _manifest_fault(tx, row)) for row in batch]
        for sha256, fault in faults:
            if fault:
                yield f"manifest {sha256} of workspace {access.tenant_id}: {fault}"
        if len(batch) < _BATCH:
            return
        after = batch[-1].sha256, batch[-1].owner_id


async def _check_pointers(access: WorkspaceAccess) -> AsyncIterator[str]:
    """Check that each pointer matches its history."""
    async with access.begin() as tx:
        found = [pointer.id for pointer in await store.list_all_pointers(tx)]
    for pointer_id in found:
        async with access.begin() as tx:
            fault = await _pointer_fault(tx, pointer_id)
        if fault:
            yield f"pointer {pointer_id} of workspace {access.tenant_id}: {fault}"


async def _blob_fault(access: WorkspaceAccess, artifact: Artifact) -> str | None:
    try:
        stat = await access.blobs.stat(access.tenant_id, artifact.sha256)
        if stat.size_bytes != artifact.size_bytes:
            return f"its blob has {stat.size_bytes} bytes instead of {artifact.size_bytes}"
        is_whole = await access.blobs.verify(access.tenant_id, artifact.sha256)
    except BlobMissing:
        return "its blob is missing"
    return None if is_whole else "its blob no longer has its hash"


async def _is_still_stored(access: WorkspaceAccess, sha256: str) -> bool:
    """False when the artifact was garbage collected during the check."""
    async with access.begin() as tx:
        return bool(await store.known_hashes(tx, [sha256]))


async def _manifest_fault(tx: Tx, row: Manifest) -> str | None:
    tree = await manifests.load_tree(tx, row)
    if manifests.hash_tree(tree, parent_sha256=row.parent_sha256, message=row.message) != row.sha256:
        return "its content was changed"
    size_bytes = sum(entry.size_bytes for entry in tree.values())
    if (len(tree), size_bytes) != (row.entry_count, row.total_size_bytes):
        return "its counts do not fit its tree"
    return None


async def _pointer_fault(tx: Tx, pointer_id: UUID) -> str | None:
    pointer = await store.get_pointer(tx, pointer_id)
    at, version = None, 0
    for move in reversed(await store.list_moves(tx, pointer_id, before=None, limit=None)):
        if (move.version, move.from_sha256) != (version + 1, at):
            return f"its history has a gap before move {move.version}"
        at, version = move.to_sha256, move.version
    return None if (at, version) == (pointer.manifest_sha256, pointer.version) else "it is not where its history says"
