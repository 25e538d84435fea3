"""Manifests: immutable trees of artifacts, addressed by the hash of their content."""

from collections.abc import Mapping

from intelli.content import ownership, store, wire
from intelli.content.errors import ManifestNotFound, UnknownArtifacts
from intelli.content.ownership import ContentOwner
from intelli.content.tables import Artifact, Manifest
from intelli.content.wire import Entry, PlatformType
from intelli.kit.canonical import sha256
from intelli.kit.db import Tx

_NAMED = 10


async def commit(tx: Tx, request: wire.CommitManifest, *, owner: ContentOwner | None = None) -> wire.Manifest:
    """Store a tree of artifacts of one owner, which is the workspace unless another is named.

    Storing the same tree with the same parent and message again returns the same manifest. Raises UnknownArtifacts or
    ManifestNotFound (for the parent).
    """
    await _lock_parent(tx, request.parent_sha256, owner)
    hashes = [entry.sha256 for entry in request.tree.values()]
    owned = await store.lock_artifacts(tx, hashes, owner_id=ownership.get_owner_id(tx, owner))
    _check_artifacts(request.tree, owned)
    tree = {path: _entry(entry, owned[entry.sha256]) for path, entry in request.tree.items()}
    values = {
        "sha256": hash_tree(tree, parent_sha256=request.parent_sha256, message=request.message),
        "parent_sha256": request.parent_sha256,
        "message": request.message,
        "entry_count": len(tree),
        "total_size_bytes": sum(entry.size_bytes for entry in tree.values()),
        "created_by": owner.user_id if owner else tx.user_id,
        **ownership.columns(tx, owner),
    }
    rows = [
        {"path": path, "artifact_sha256": entry.sha256, **_entry_fields(entry)} for path, entry in sorted(tree.items())
    ]
    return _to_wire(await store.add_manifest(tx, values, rows), dict(sorted(tree.items())))


async def get(tx: Tx, manifest_sha256: str) -> wire.Manifest:
    """Return the manifest with this hash and its tree. Raises ManifestNotFound."""
    row = await store.find_manifest(tx, manifest_sha256)
    if row is None:
        raise ManifestNotFound("There is no such manifest.")
    return _to_wire(row, await load_tree(tx, row))


async def diff(tx: Tx, before_sha256: str, after_sha256: str) -> wire.ManifestDiff:
    """Return the paths added, removed and changed from one manifest to another."""
    before, after = (await get(tx, before_sha256)).tree, (await get(tx, after_sha256)).tree
    return wire.ManifestDiff(
        added={path: entry for path, entry in after.items() if path not in before},
        removed={path: entry for path, entry in before.items() if path not in after},
        changed={
            path: wire.Change(before=before[path], after=entry)
            for path, entry in after.items()
            if path in before and before[path] != entry
        },
    )


async def load_tree(tx: Tx, manifest: Manifest) -> dict[str, Entry]:
    """Load the tree of a manifest, ordered by path."""
    return {
        row.path: Entry(
            sha256=row.artifact_sha256,
            media_type=row.media_type,
            entity_type=PlatformType(row.entity_type),
            size_bytes=row.size_bytes,
        )
        for row in await store.list_entries(tx, manifest)
    }


def hash_tree(tree: Mapping[str, Entry], *, parent_sha256: str | None, message: str) -> str:
    """Return the hash of a manifest: over the canonical JSON of tree, parent and message."""
    hashed = {path: {"sha256": entry.sha256, **_entry_fields(entry)} for path, entry in tree.items()}
    return sha256({"tree": hashed, "parent_sha256": parent_sha256, "message": message})


def _entry_fields(entry: Entry) -> dict[str, str | int]:
    """Return the fields of an entry that are stored and hashed beside the artifact's hash."""
    return {
        "media_type": entry.media_type,
        "entity_type": entry.entity_type.value,
        "size_bytes": entry.size_bytes,
    }


async def _lock_parent(tx: Tx, parent_sha256: str | None, owner: ContentOwner | None) -> None:
    """Lock the parent manifest. Raises ManifestNotFound."""
    if parent_sha256 is None:
        return
    if await store.lock_manifest(tx, parent_sha256, owner_id=ownership.get_owner_id(tx, owner)) is None:
        raise ManifestNotFound("There is no manifest with the hash of the parent.")


def _check_artifacts(tree: Mapping[str, wire.NewEntry], owned: Mapping[str, Artifact]) -> None:
    """Raise UnknownArtifacts when the owner lacks an artifact of the tree."""
    missing = sorted({entry.sha256 for entry in tree.values()} - owned.keys())
    if missing:
        raise UnknownArtifacts(
            f"{len(missing)} artifacts of the tree are not the workspace's. Upload them first.",
            missing=missing[:_NAMED],
        )


def _entry(entry: wire.NewEntry, artifact: Artifact) -> Entry:
    """Return the stored entry, with types taken from the artifact where the request gives none."""
    return Entry(
        sha256=artifact.sha256,
        media_type=entry.media_type or artifact.media_type,
        entity_type=entry.entity_type or PlatformType(artifact.entity_type),
        size_bytes=artifact.size_bytes,
    )


def _to_wire(row: Manifest, tree: dict[str, Entry]) -> wire.Manifest:
    return wire.Manifest(
        sha256=row.sha256,
        parent_sha256=row.parent_sha256,
        message=row.message,
        tree=tree,
        entry_count=row.entry_count,
        total_size_bytes=row.total_size_bytes,
        created_by=row.created_by,
        created_at=row.created_at,
    )
