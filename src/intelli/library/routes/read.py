"""Routes to read documents: text, structure, spans, page images and thumbnails."""

from functools import partial
from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Depends, Header, Path, Query, Response
from fastapi.responses import PlainTextResponse, StreamingResponse

from intelli.content.routes import transfer
from intelli.kit import ranges
from intelli.kit.context import System
from intelli.kit.http import Db, Reader, part
from intelli.library import document_text, page_images, thumbnails, wire
from intelli.library.ports import ExtractorPort
from intelli.library.routes.dependencies import OfVersion

router = APIRouter(prefix="/documents/{document_id}", tags=["reading"])

Extractor = Annotated[ExtractorPort, Depends(part(ExtractorPort))]
PageNumber = Annotated[int, Path(ge=1, le=1_000_000)]
IfNoneMatch = Annotated[str | None, Header(description="The ETag of what the caller has.")]
Offset = Annotated[int, Query(ge=0, lt=1 << 40, description="Counted in characters of the text.")]
_TEXT_TYPE = "text/plain; charset=utf-8"


@router.get("/text", response_class=PlainTextResponse, responses={200: {"content": {"text/plain": {}}}})
async def read_text(
    document_id: UUID,
    who: Reader,
    db: Db,
    blobs: transfer.BlobStore,
    version: OfVersion = None,
    start: Offset = 0,
    end: Annotated[int | None, Query(ge=0, lt=1 << 40, description="The first character that is left out.")] = None,
) -> Response:
    """The text that was read from a document, or a part of it; two million characters at most."""
    async with db.begin(who) as tx:
        read = await document_text.get(tx, document_id, version)
    text = await document_text.load_range(blobs, who.tenant_id, read, start=start, end=end)
    return Response(text, media_type=_TEXT_TYPE)


@router.get("/reading")
async def show_reading(
    document_id: UUID,
    who: Reader,
    db: Db,
    blobs: transfer.BlobStore,
    version: OfVersion = None,
    from_block: Annotated[int, Query(ge=0, lt=1 << 31, description="`next_block` of the answer before.")] = 0,
    limit: Annotated[int, Query(ge=1, le=2000, description="How many blocks to show.")] = 500,
) -> wire.Reading:
    """What was read from a document: pages, and blocks with their text and place."""
    async with db.begin(who) as tx:
        read = await document_text.get(tx, document_id, version)
    return await document_text.show_blocks(blobs, who.tenant_id, read, from_block=from_block, limit=limit)


@router.get("/spans")
async def show_span(
    document_id: UUID,
    who: Reader,
    db: Db,
    blobs: transfer.BlobStore,
    start: Offset,
    end: Annotated[int, Query(ge=1, lt=1 << 40, description="The first character that is left out.")],
    version: OfVersion = None,
) -> wire.LocatedSpan:
    """A span of the text, and where it stands in the original: pages with boxes, cells, slides, headings."""
    async with db.begin(who) as tx:
        read = await document_text.get(tx, document_id, version)
    return await document_text.locate_span(blobs, who.tenant_id, read, start=start, end=end)


@router.get(
    "/pages/{page}.png",
    response_class=StreamingResponse,
    responses={200: {"content": {"image/png": {}}}, 304: {"description": "The caller has it already."}},
)
async def show_page(
    document_id: UUID,
    page: PageNumber,
    who: Reader,
    db: Db,
    blobs: transfer.BlobStore,
    extractor: Extractor,
    spans: Annotated[
        str | None, Query(max_length=1000, description="Spans of the text to highlight, as 12-90,100-120.")
    ] = None,
    scale: Annotated[float, Query(ge=0.2, le=4, description="Pixels for a point.")] = 1.6,
    version: OfVersion = None,
    if_none_match: IfNoneMatch = None,
) -> Response:
    """A page of a PDF, or a picture, as PNG, with passages highlighted."""
    async with db.begin(who) as tx:
        read = await document_text.get(tx, document_id, version)
    view = page_images.PageView(page, page_images.parse_spans(spans), scale)
    headers = {"ETag": view.tag(read.reading.sha256), "Cache-Control": "private, no-cache"}
    if ranges.is_unchanged(if_none_match, headers["ETag"]):
        return Response(status_code=304, headers=headers)
    png = await page_images.draw(blobs, who.tenant_id, read, view, extractor=extractor)
    return Response(png, media_type="image/png", headers=headers)


@router.get(
    "/thumbnail",
    response_class=StreamingResponse,
    responses={200: {"content": {"image/webp": {}}}, 304: {"description": "The caller has it already."}},
)
async def show_thumbnail(
    document_id: UUID,
    who: Reader,
    db: Db,
    blobs: transfer.BlobStore,
    extractor: Extractor,
    if_none_match: IfNoneMatch = None,
) -> Response:
    """A small picture of a document, as WebP; 404 until the document has been read."""
    async with db.begin(who) as tx:
        found = await thumbnails.get_document(tx, document_id)
    begin = partial(db.begin, System(who.tenant_id))
    sha256 = await thumbnails.draw(begin, blobs, found, extractor=extractor)
    headers = {"ETag": f'"{sha256}"', "Cache-Control": "private, no-cache"}
    if ranges.is_unchanged(if_none_match, headers["ETag"]):
        return Response(status_code=304, headers=headers)
    content = await blobs.get(who.tenant_id, sha256)
    return StreamingResponse(content, media_type=thumbnails.MEDIA_TYPE, headers=headers)
