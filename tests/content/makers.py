"""Makers of content: over HTTP as a person, and below it in a workspace's premises."""

import hashlib
from collections.abc import AsyncIterator, Mapping
from datetime import timedelta
from typing import Any

import httpx
from sqlalchemy import text
from tests.support.server import Person

from intelli.content import artifacts, manifests, pointers
from intelli.content.artifacts import ArtifactInfo
from intelli.content.ports import ArtifactStored
from intelli.content.wire import CommitManifest, MovePointer, NewEntry, PlatformType
from intelli.kit.room import WorkspaceAccess

NO_GRACE = timedelta(0)


def sha256_of(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


async def send(
    person: Person, content: bytes, *, filename: str = "note.txt", media_type: str = "text/plain", **fields: str
) -> httpx.Response:
    return await person.client.post("/artifacts", files={"file": (filename, content, media_type)}, data=fields)


async def upload(person: Person, content: bytes, **more: Any) -> dict[str, Any]:
    return (await send(person, content, **more)).raise_for_status().json()


async def commit(person: Person, tree: Mapping[str, bytes], **more: Any) -> dict[str, Any]:
    """Upload what the tree leads to and store the tree."""
    entries = {path: {"sha256": (await upload(person, content))["sha256"]} for path, content in tree.items()}
    return (await person.client.post("/manifests", json={"tree": entries, **more})).raise_for_status().json()


async def move(
    person: Person, to: str, *, expected: str | None = None, name: str = "report", **more: Any
) -> httpx.Response:
    body = {"manifest_sha256": to, "expected": expected, **more}
    return await person.client.put(f"/pointers/team/{name}", json=body)


async def store(premises: WorkspaceAccess, content: bytes, storing: ArtifactStored = ArtifactStored()) -> str:
    """Upload below HTTP, by the same two steps."""

    async def chunks() -> AsyncIterator[bytes]:
        yield content

    said = ArtifactInfo(PlatformType.DOCUMENT, {})
    receiving = artifacts.receive(premises.blobs, premises.tenant_id, chunks(), limit_bytes=1 << 30)
    async with receiving as received, premises.begin() as tx:
        row, _ = await artifacts.save(tx, received, said, storing=storing)
        return row.sha256


async def commit_tree(
    premises: WorkspaceAccess, tree: Mapping[str, str], *, message: str = "", parent: str | None = None
) -> str:
    """Store a tree of hashes below HTTP."""
    request = CommitManifest(
        tree={path: NewEntry(sha256=sha256) for path, sha256 in tree.items()}, message=message, parent_sha256=parent
    )
    async with premises.begin() as tx:
        return (await manifests.commit(tx, request)).sha256


async def point(premises: WorkspaceAccess, name: str, manifest_sha256: str) -> None:
    """Make a new pointer below HTTP."""
    async with premises.begin() as tx:
        await pointers.move(tx, "tests", name, MovePointer(manifest_sha256=manifest_sha256, expected=None))


async def counts(premises: WorkspaceAccess) -> dict[str, int]:
    """The reference counts that the database keeps."""
    async with premises.begin() as tx:
        rows = await tx.session.execute(text("select sha256, reference_count from artifacts"))
        return {row.sha256: row.reference_count for row in rows}


async def recount(premises: WorkspaceAccess) -> dict[str, int]:
    """The same, counted anew."""
    async with premises.begin() as tx:
        rows = await tx.session.execute(
            text(
                "select a.sha256, count(e.path) as held from artifacts a left join manifest_entries e "
                "on e.tenant_id = a.tenant_id and e.artifact_sha256 = a.sha256 group by 1"
            )
        )
        return {row.sha256: row.held for row in rows}


async def kept_blobs(premises: WorkspaceAccess) -> set[str]:
    """The hashes of all blobs."""
    return {stat.sha256 async for stat in premises.blobs.list(premises.tenant_id)}
