"""Checking that content is whole: blobs and manifests have their hashes, as many hold an artifact as it counts, and
pointers are where their history says.
"""

from collections.abc import AsyncIterator
from uuid import UUID

from intelli.content import manifests, store
from intelli.content.tables import Artifact, Manifest
from intelli.kit.blobs import BlobMissing
from intelli.kit.db import Tx
from intelli.kit.room import WorkspaceAccess

_BATCH = 200


async def findings(premises: WorkspaceAccess) -> AsyncIterator[str]:
    """What is broken, for `intelli verify`."""
    async for finding in _artifacts(premises):
        yield finding
    async for finding in _counts(premises):
        yield finding
    async for finding in _manifests(premises):
        yield finding
    async for finding in _pointers(premises):
        yield finding


async def _artifacts(premises: WorkspaceAccess) -> AsyncIterator[str]:
    """Blobs are read outside of any transaction: it takes as long as it takes."""
    after = ""
    while True:
        async with premises.begin() as tx:
            batch = await store.artifacts_after(tx, after, limit=_BATCH)
        for artifact in batch:
            fault = await _blob_fault(premises, artifact)
            if fault and await _is_kept(premises, artifact.sha256):
                yield f"artifact {artifact.sha256} of workspace {premises.tenant_id}: {fault}"
        if len(batch) < _BATCH:
            return
        after = batch[-1].sha256


async def _counts(premises: WorkspaceAccess) -> AsyncIterator[str]:
    """A few are enough to act on; whoever broke one count may have broken all."""
    async with premises.begin() as tx:
        wrong = await store.miscounted(tx, limit=_BATCH)
    for sha256, counted, held in wrong:
        fault = f"it counts {counted} references, but {held} hold it"
        yield f"artifact {sha256} of workspace {premises.tenant_id}: {fault}"


async def _manifests(premises: WorkspaceAccess) -> AsyncIterator[str]:
    after: tuple[str, UUID] | None = None
    while True:
        async with premises.begin() as tx:
            batch = await store.manifests_after(tx, after, limit=_BATCH)
            faults = [(row.sha256, await _manifest_fault(tx, row)) for row in batch]
        for sha256, fault in faults:
            if fault:
                yield f"manifest {sha256} of workspace {premises.tenant_id}: {fault}"
        if len(batch) < _BATCH:
            return
        after = batch[-1].sha256, batch[-1].owner_id


async def _pointers(premises: WorkspaceAccess) -> AsyncIterator[str]:
    async with premises.begin() as tx:
        found = [pointer.id for pointer in await store.all_pointers(tx)]
    for pointer_id in found:
        async with premises.begin() as tx:
            fault = await _pointer_fault(tx, pointer_id)
        if fault:
            yield f"pointer {pointer_id} of workspace {premises.tenant_id}: {fault}"


async def _blob_fault(premises: WorkspaceAccess, artifact: Artifact) -> str | None:
    try:
        stat = await premises.blobs.stat(premises.tenant_id, artifact.sha256)
        if stat.size_bytes != artifact.size_bytes:
            return f"its blob has {stat.size_bytes} bytes instead of {artifact.size_bytes}"
        is_whole = await premises.blobs.verify(premises.tenant_id, artifact.sha256)
    except BlobMissing:
        return "its blob is missing"
    return None if is_whole else "its blob no longer has its hash"


async def _is_kept(premises: WorkspaceAccess, sha256: str) -> bool:
    """False when it was collected while we looked."""
    async with premises.begin() as tx:
        return bool(await store.known_hashes(tx, [sha256]))


async def _manifest_fault(tx: Tx, row: Manifest) -> str | None:
    tree = await manifests.read_tree(tx, row)
    if manifests.tree_hash(tree, parent_sha256=row.parent_sha256, message=row.message) != row.sha256:
        return "its content was changed"
    size_bytes = sum(entry.size_bytes for entry in tree.values())
    if (len(tree), size_bytes) != (row.entry_count, row.total_size_bytes):
        return "its counts do not fit its tree"
    return None


async def _pointer_fault(tx: Tx, pointer_id: UUID) -> str | None:
    pointer = await store.get_pointer(tx, pointer_id)
    at, version = None, 0
    for move in reversed(await store.moves(tx, pointer_id, before=None, limit=None)):
        if (move.version, move.from_sha256) != (version + 1, at):
            return f"its history has a gap before move {move.version}"
        at, version = move.to_sha256, move.version
    return None if (at, version) == (pointer.manifest_sha256, pointer.version) else "it is not where its history says"
