"""Thumbnails. PDFs and images are rendered by a job after reading; for others a text card is drawn on first view."""

from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager, suppress
from uuid import UUID

from intelli.content import artifacts
from intelli.content.artifacts import ArtifactInfo
from intelli.content.wire import PlatformType
from intelli.kit.blobs import BlobDamaged, BlobMissing, Blobs
from intelli.kit.db import Tx
from intelli.library import blob_copies, change_channel
from intelli.library.errors import DocumentNotFound, NoThumbnail
from intelli.library.extraction.model import Unreadable
from intelli.library.ports import ExtractorPort
from intelli.library.store import documents, readings
from intelli.library.store.documents import DocumentWithReading
from intelli.library.tables import Reading

Begin = Callable[[], AbstractAsyncContextManager[Tx]]
MEDIA_TYPE = "image/webp"
CARD_CHARS = 2000
_CHAR_BYTES = 4
_NONE = "There is no picture of this document yet. It comes when the document has been read."


def shows_page(media_type: str) -> bool:
    """True for types whose thumbnail shows a page or the image itself, and not a card with text."""
    return media_type == "application/pdf" or media_type.startswith("image/")


def has_thumbnail(reading: Reading) -> bool:
    """True when a thumbnail is stored, or a card will be drawn when it is first requested."""
    is_carded = reading.text_sha256 is not None and not shows_page(reading.media_type or "")
    return reading.thumbnail_sha256 is not None or is_carded


async def get_document(tx: Tx, document_id: UUID) -> DocumentWithReading:
    """Return a document that has a thumbnail, stored or yet to be drawn. Raises DocumentNotFound or NoThumbnail."""
    found = await documents.find(tx, document_id)
    if found is None:
        raise DocumentNotFound("There is no such document.")
    if found.reading is None or not has_thumbnail(found.reading):
        raise NoThumbnail(_NONE)
    return found


async def draw(begin: Begin, blobs: Blobs, found: DocumentWithReading, *, extractor: ExtractorPort) -> str:
    """Return the hash of a document's thumbnail; draw and store it first when there is none."""
    document, reading = found.document, found.reading
    if reading is None or reading.text_sha256 is None:
        raise NoThumbnail(_NONE)
    if reading.thumbnail_sha256 is not None:
        return reading.thumbnail_sha256
    text = await _beginning(blobs, document.tenant_id, reading.text_sha256)
    card = await _card(reading.title or document.name, text, reading.media_type or "", extractor=extractor)
    return await _save(begin, blobs, reading, card, method="card")


async def draw_pages(begin: Begin, blobs: Blobs, hashes: Sequence[str], *, extractor: ExtractorPort) -> None:
    """Render thumbnails of those PDFs and images that have none. Those that cannot be rendered stay without."""
    async with begin() as tx:
        undrawn = [
            each for each in await readings.list_without_thumbnail(tx, hashes) if shows_page(each.media_type or "")
        ]
    for reading in undrawn:
        with suppress(Unreadable, BlobDamaged, BlobMissing):
            text = await _beginning(blobs, reading.tenant_id, reading.text_sha256 or "")
            async with blob_copies.open_copy(blobs, reading.tenant_id, reading.sha256) as path:
                title, media_type = reading.title or "", reading.media_type or ""
                picture = await extractor.thumbnail(path, media_type, title=title, text=text)
            await _save(begin, blobs, reading, picture, method="page")


async def _save(begin: Begin, blobs: Blobs, reading: Reading, picture: bytes, *, method: str) -> str:
    received = artifacts.draft_generated(blobs, reading.tenant_id, picture)
    await received.draft.place()
    sha256 = received.draft.sha256
    async with begin() as tx:
        await artifacts.lock_hashes(tx, [sha256])
        if await readings.lock(tx, reading.sha256) is not None:
            info = ArtifactInfo(
                PlatformType.EXTRACTED_DATA, {"source_sha256": reading.sha256, "method": method}, None, MEDIA_TYPE
            )
            await artifacts.save_generated(tx, [(received, info)])
            await readings.update_by_hash(tx, reading.sha256, {"thumbnail_sha256": sha256})
            await change_channel.notify(tx)
    return sha256


async def _card(title: str, text: str, media_type: str, *, extractor: ExtractorPort) -> bytes:
    async with blob_copies.open_bytes(text.encode()) as path:
        try:
            return await extractor.thumbnail(path, media_type, title=title, text=text)
        except Unreadable as error:
            raise NoThumbnail(f"There is no picture of this document. {error.reason}") from error


async def _beginning(blobs: Blobs, tenant_id: UUID, text_sha256: str) -> str:
    some = await blobs.get(tenant_id, text_sha256, end=CARD_CHARS * _CHAR_BYTES)
    return b"".join([piece async for piece in some]).decode(errors="ignore")[:CARD_CHARS]
