"""Routes that store, show and compare manifests."""

from fastapi import APIRouter

from intelli.content import manifests, wire
from intelli.kit.http import Db, OnceOnly, Reader, Writer

router = APIRouter(prefix="/manifests", tags=["manifests"])


@router.post("", status_code=201)
async def commit_manifest(body: wire.CommitManifest, who: Writer, db: Db, once: OnceOnly) -> wire.Manifest:
    """Store a tree of the workspace's artifacts, for everyone in it.

    The same tree, parent and message give the same hash and are stored once.
    """
    async with db.begin(who) as tx:
        return await once.answer(tx, wire.Manifest, lambda: manifests.commit(tx, body))


@router.get("/{manifest_sha256}")
async def show_manifest(manifest_sha256: wire.Sha256, who: Reader, db: Db) -> wire.Manifest:
    """A manifest with its tree."""
    async with db.begin(who) as tx:
        return await manifests.get(tx, manifest_sha256)


@router.get("/{before_sha256}/diff/{after_sha256}")
async def compare_manifests(
    before_sha256: wire.Sha256, after_sha256: wire.Sha256, who: Reader, db: Db
) -> wire.ManifestDiff:
    """Which paths were added, removed or changed from one manifest to another."""
    async with db.begin(who) as tx:
        return await manifests.diff(tx, before_sha256, after_sha256)
