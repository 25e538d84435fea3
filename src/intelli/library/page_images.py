"""Images of pages with passages highlighted, rendered on demand in the sandbox, where a hostile file does no harm."""

import hashlib
import re
from dataclasses import dataclass
from uuid import UUID

from intelli.kit.blobs import Blobs
from intelli.library import blob_copies, document_text
from intelli.library.document_text import VersionText
from intelli.library.errors import InvalidSpan, NoSuchPage
from intelli.library.extraction.model import Box, Unreadable
from intelli.library.ports import ExtractorPort
from intelli.library.span_map import SpanMap

_SPAN = re.compile(r"([0-9]{1,12})-([0-9]{1,12})", re.ASCII)
_SPANS = 50
_DRAWN = "application/pdf"


@dataclass(frozen=True, slots=True)
class PageView:
    """Which page to render, which spans of the text to highlight, and the scale in pixels per point."""

    page: int
    spans: tuple[tuple[int, int], ...]
    scale: float

    def tag(self, sha256: str) -> str:
        """Return the ETag of the image; the content it is rendered from never changes."""
        key = f"{sha256}:{self.page}:{self.spans}:{self.scale}"
        return f'"{hashlib.sha256(key.encode()).hexdigest()[:32]}"'


def parse_spans(text: str | None) -> tuple[tuple[int, int], ...]:
    """Parse spans written as `12-90,100-120`. Raises InvalidSpan."""
    if not text:
        return ()
    parts = text.split(",")
    found = [_SPAN.fullmatch(part.strip()) for part in parts]
    spans = tuple((int(match[1]), int(match[2])) for match in found if match)
    if len(spans) < len(parts) or len(spans) > _SPANS or any(start >= end for start, end in spans):
        raise InvalidSpan(f"Write spans as 12-90,100-120: {_SPANS} at most, each begins before it ends.")
    return spans


async def draw(blobs: Blobs, tenant_id: UUID, read: VersionText, view: PageView, *, extractor: ExtractorPort) -> bytes:
    """Render a page as PNG. Raises NoSuchPage when the document has no such page or it cannot be rendered."""
    media_type = read.reading.media_type or read.version.mime_type
    span_map = await document_text.load_map(blobs, tenant_id, read.map_sha256)
    if not (media_type == _DRAWN or media_type.startswith("image/")) or not _has_page(span_map, view.page):
        raise NoSuchPage("This document has no such page that could be shown as a picture.")
    boxes = [box for start, end in view.spans for box in _boxes_on(span_map, view.page, start, end)]
    async with blob_copies.open_copy(blobs, tenant_id, read.reading.sha256) as path:
        try:
            return await extractor.page_png(path, media_type, view.page, boxes=boxes, scale=view.scale)
        except Unreadable as error:
            raise NoSuchPage(f"The page cannot be drawn. {error.reason}") from error


def _has_page(span_map: SpanMap, number: int) -> bool:
    return any(page.number == number for page in span_map.pages)


def _boxes_on(span_map: SpanMap, number: int, start: int, end: int) -> list[Box]:
    return [box for each in span_map.boxes(start, end) if each.page.number == number for box in each.boxes]
