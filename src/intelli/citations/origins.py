"""Stored texts of cited documents, looked up by the hash of the bytes they were extracted from."""

from collections.abc import Iterable, Mapping
from uuid import UUID

from intelli.citations import prove, store
from intelli.citations.prove import StoredText
from intelli.citations.store import TextOrigin
from intelli.kit.blobs import BlobDamaged, BlobMissing, Blobs
from intelli.kit.db import Tx
from intelli.library import document_text
from intelli.library.span_map import DamagedMap, SpanMap

__all__ = ["TextOrigin", "find", "load"]


async def find(tx: Tx, hashes: Iterable[str]) -> dict[str, TextOrigin]:
    """Find the extracted texts of these bytes, by hash."""
    return await store.find_origins(tx, hashes)


async def load(blobs: Blobs, tenant_id: UUID, origins: Mapping[str, TextOrigin]) -> dict[str, StoredText]:
    """Load the texts by the hash of their bytes; those that are no longer stored are left out."""
    found: dict[str, StoredText] = {}
    for sha256, origin in origins.items():
        source = await _load(blobs, tenant_id, origin)
        if source is not None:
            found[sha256] = source
    return found


async def _load(blobs: Blobs, tenant_id: UUID, origin: TextOrigin) -> StoredText | None:
    if origin.text_sha256 is None:
        return None
    try:
        stored = b"".join([piece async for piece in await blobs.get(tenant_id, origin.text_sha256)])
    except BlobMissing:
        return None
    except BlobDamaged:
        return StoredText(origin.text_sha256, "", is_whole=False)
    return prove.load(origin.text_sha256, stored, await _load_map(blobs, tenant_id, origin.map_sha256))


async def _load_map(blobs: Blobs, tenant_id: UUID, sha256: str | None) -> SpanMap | None:
    """Load the span map; None when it is missing or damaged: a citation is valid without its page."""
    try:
        return await document_text.load_map(blobs, tenant_id, sha256) if sha256 else None
    except (BlobMissing, BlobDamaged, DamagedMap):
        return None
