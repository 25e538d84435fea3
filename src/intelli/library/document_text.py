"""Text of a document version: its structure, and the location of any span in the original file."""

import asyncio
from dataclasses import asdict, dataclass
from uuid import UUID

from intelli.kit.blobs import Blobs
from intelli.kit.db import Tx
from intelli.library import readings, versions, wire
from intelli.library.errors import InvalidSpan
from intelli.library.extraction.model import Block
from intelli.library.span_map import SpanMap
from intelli.library.structure import packed_structure
from intelli.library.structure.document_structure import DocumentStructure
from intelli.library.tables import DocumentVersion, Reading

_SPAN_CHARS = 100_000
_TEXT_CHARS = 2_000_000


@dataclass(frozen=True, slots=True)
class VersionText:
    """A version of a document with the reading of its content."""

    version: DocumentVersion
    reading: Reading

    @property
    def text_sha256(self) -> str:
        """Hash of the artifact that holds the text."""
        assert self.reading.text_sha256 is not None, "a document that was read has a text"
        return self.reading.text_sha256

    @property
    def map_sha256(self) -> str:
        """Hash of the artifact that holds the span map."""
        assert self.reading.map_sha256 is not None, "a document that was read has a span map"
        return self.reading.map_sha256


async def get(tx: Tx, document_id: UUID, version: int | None) -> VersionText:
    """Return a version of a document (None: the newest) with its reading. Raises NotReadYet when it has no text."""
    found = await versions.get(tx, document_id, version)
    return VersionText(found, await readings.get(tx, found.artifact_sha256))


async def load_range(blobs: Blobs, tenant_id: UUID, read: VersionText, *, start: int, end: int | None) -> str:
    """Return the text from `start` up to `end` (None: its end), at most two million characters."""
    whole = await load_text(blobs, tenant_id, read.text_sha256)
    stop = min(len(whole) if end is None else end, start + _TEXT_CHARS)
    return whole[start:stop]


async def show_blocks(blobs: Blobs, tenant_id: UUID, read: VersionText, *, from_block: int, limit: int) -> wire.Reading:
    """Return the reading as a wire model, with up to `limit` blocks from `from_block` on."""
    whole, span_map = await _load_both(blobs, tenant_id, read)
    shown = [span_map.block(index) for index in range(from_block, min(from_block + limit, span_map.block_count))]
    reading, after = read.reading, from_block + limit
    return wire.Reading(
        sha256=reading.sha256,
        text_sha256=read.text_sha256,
        media_type=reading.media_type or read.version.mime_type,
        title=reading.title,
        properties={name: str(value) for name, value in reading.properties.items()},
        char_count=len(whole),
        page_count=reading.page_count,
        warnings=span_map.warnings,
        attachments=[wire.Attachment.model_validate(each) for each in span_map.attachments],
        pages=[wire.ReadingPage.model_validate(page) for page in span_map.pages],
        blocks=[_block(block, whole) for block in shown],
        next_block=after if after < span_map.block_count else None,
    )


async def locate_span(blobs: Blobs, tenant_id: UUID, read: VersionText, *, start: int, end: int) -> wire.LocatedSpan:
    """Return a span of the text with its location in the original: pages with boxes, cells, headings."""
    if not start < end <= start + _SPAN_CHARS:
        raise InvalidSpan(f"A span begins before it ends, and has {_SPAN_CHARS} characters at most.")
    whole, span_map = await _load_both(blobs, tenant_id, read)
    if end > len(whole):
        raise InvalidSpan(f"The text has {len(whole)} characters. Ask for a span inside of it.")
    return wire.LocatedSpan(
        text=whole[start:end],
        pages=[
            wire.PageBoxes(page=each.page.number, width=each.page.width, height=each.page.height, boxes=each.boxes)
            for each in span_map.boxes(start, end)
        ],
        places=[_place(place) for place in span_map.places(start, end, text=whole)],
        section=span_map.section(start),
        block=span_map.block_at(start),
        piece=await _piece(blobs, tenant_id, read, whole, start=start, end=end),
    )


async def _piece(
    blobs: Blobs, tenant_id: UUID, read: VersionText, whole: str, *, start: int, end: int
) -> wire.TextPiece | None:
    """Return the piece that has most of a span; None while the structure of an older reading is not there yet."""
    sha256 = read.reading.structure_sha256
    if sha256 is None:
        return None
    structure = await load_structure(blobs, tenant_id, sha256, chars=len(whole))
    found = structure.place_of(start, end)
    if found is None:
        return None
    return wire.TextPiece(
        start=found.piece.start,
        end=found.piece.end,
        kind=found.piece.kind,
        headings=[whole[each.start : each.end] for each in found.headings],
        is_statement=found.is_statement,
    )


async def load_text(blobs: Blobs, tenant_id: UUID, sha256: str) -> str:
    """Load a stored text."""
    return (await _load(blobs, tenant_id, sha256)).decode("utf-8")


async def load_structure(blobs: Blobs, tenant_id: UUID, sha256: str, *, chars: int) -> DocumentStructure:
    """Load and unpack the stored structure of a text with `chars` characters."""
    packed = await _load(blobs, tenant_id, sha256)
    return await asyncio.to_thread(packed_structure.unpack, packed, chars=chars)


async def load_map(blobs: Blobs, tenant_id: UUID, sha256: str) -> SpanMap:
    """Load and unpack a stored span map."""
    packed = await _load(blobs, tenant_id, sha256)
    return await asyncio.to_thread(SpanMap, packed)


async def _load_both(blobs: Blobs, tenant_id: UUID, read: VersionText) -> tuple[str, SpanMap]:
    return await load_text(blobs, tenant_id, read.text_sha256), await load_map(blobs, tenant_id, read.map_sha256)


async def _load(blobs: Blobs, tenant_id: UUID, sha256: str) -> bytes:
    return b"".join([piece async for piece in await blobs.get(tenant_id, sha256)])


def _block(block: Block, text: str) -> wire.ReadingBlock:
    return wire.ReadingBlock(
        start=block.start,
        end=block.end,
        kind=block.kind,
        level=block.level,
        path=list(block.path),
        place=_place(block.place),
        text=text[block.start : block.end],
    )


def _place(place: object) -> wire.Place:
    values = asdict(place)  # type: ignore[call-overload]  # every place is one dataclass
    return wire.Place(**{**values, "box": list(values["box"]) if values["box"] else None})
