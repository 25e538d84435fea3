"""Routes of sources: list them, import from them, sync a document, proxy its bytes."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Depends, Path, Response
from fastapi.responses import StreamingResponse

from intelli.audit.record import record
from intelli.audit.wire import EventType
from intelli.content import media_types
from intelli.content.routes import transfer
from intelli.kit.etag import etag
from intelli.kit.http import Db, OnceOnly, Reader, Writer
from intelli.library import documents, wire
from intelli.library import import_document as library_import_document
from intelli.library.import_document import ImportContext
from intelli.library.routes.dependencies import Options, Origins

router = APIRouter(tags=["sources"])

ExternalId = Annotated[
    str,
    Path(min_length=1, max_length=1000, json_schema_extra={"format": "external"}, description="The source's own id."),
]


def _import_context(
    sources: Origins, settings: Options, blobs: transfer.BlobStore, storing: transfer.OnStoring
) -> ImportContext:
    return ImportContext(sources, settings, blobs, storing)


Context = Annotated[ImportContext, Depends(_import_context)]


@router.get("/sources")
async def list_sources(who: Reader, sources: Origins, settings: Options) -> list[wire.SourceInfo]:
    """Where documents can come from, and what each source still needs."""
    return sources.describe(settings)


@router.post("/sources/{source_type}/import", status_code=201)
async def import_document(
    source_type: wire.SourceType, body: wire.ImportDocument, who: Writer, db: Db, once: OnceOnly, context: Context
) -> wire.Document:
    """Import a document from a source: a page of the web by its address, others by the id that the source knows.

    What was imported before gets a new version when it has changed.
    """
    await library_import_document.check_access(db, context, who.tenant_id, source_type)
    async with library_import_document.fetch(context, who.tenant_id, source_type, body.reference) as imported:

        async def make() -> wire.Document:
            found = await library_import_document.save(tx, imported, folder_id=body.folder_id, storing=context.storing)
            return documents.answer(found, context.sources)

        async with db.begin(who) as tx:
            return await once.answer(tx, wire.Document, make)


@router.post("/documents/{document_id}/sync")
async def sync_document(document_id: UUID, who: Writer, db: Db, context: Context, response: Response) -> wire.Document:
    """Look whether a document changed at its source; when it did, this is its next version."""
    async with db.begin(who) as tx:
        source_type, reference = library_import_document.get_reference(await documents.get(tx, document_id))
    await library_import_document.check_access(db, context, who.tenant_id, source_type)
    async with (
        library_import_document.fetch(context, who.tenant_id, source_type, reference) as imported,
        db.begin(who) as tx,
    ):
        found = await library_import_document.refresh(tx, document_id, imported, storing=context.storing)
        document = documents.answer(found, context.sources)
    response.headers["ETag"] = etag(document.version)
    return document


@router.get(
    "/external/{source_type}/{external_id:path}",
    response_class=StreamingResponse,
    responses={200: {"content": {"application/octet-stream": {}}}},
)
async def proxy_external(
    source_type: wire.SourceType, external_id: ExternalId, who: Reader, db: Db, context: Context
) -> Response:
    """The bytes of a document at its source, fetched with the installation's own access.

    Only what has been imported into the workspace is passed on.
    """
    await library_import_document.check_access(db, context, who.tenant_id, source_type)
    async with db.begin(who) as tx:
        source = context.sources.get(source_type)
        document = await library_import_document.get_external(tx, source_type, external_id)
        context.sources.get_ready(source_type, context.settings)
        await record(tx, EventType.FILE_READ, entity=("document", document.id), source_type=source_type)
    async with AsyncExitStack() as stack:
        fetched = await stack.enter_async_context(source.fetch(external_id, context.settings))
        first = await anext(fetched.chunks, b"")
        media_type = media_types.decide(fetched.media_type, fetched.name, first[: media_types.HEAD_BYTES])
        headers = transfer.safe_headers(media_type, document.name)
        body = _stream(first, fetched.chunks, stack.pop_all())
        return StreamingResponse(body, media_type=media_type, headers=headers)


async def _stream(first: bytes, rest: AsyncIterator[bytes], stack: AsyncExitStack) -> AsyncIterator[bytes]:
    async with stack:
        yield first
        async for chunk in rest:
            yield chunk
