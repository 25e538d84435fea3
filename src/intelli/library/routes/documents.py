"""Routes to list, change, download and delete documents."""

from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Query, Response
from fastapi.responses import StreamingResponse

from intelli.audit.record import record
from intelli.audit.wire import EventType
from intelli.content.routes import transfer
from intelli.kit.etag import etag
from intelli.kit.http import Db, IfMatch, Limit, PlaceCursor, Reader, Writer
from intelli.kit.wire import Page
from intelli.library import documents, versions, wire
from intelli.library import list_documents as library_list_documents
from intelli.library.routes.dependencies import BasedOn, CitedEvidence, OfVersion, Origins, basis

router = APIRouter(prefix="/documents", tags=["documents"])


@router.get("")
async def list_documents(
    who: Reader,
    db: Db,
    sources: Origins,
    folder_id: Annotated[UUID | None, Query(description="Only documents in this folder.")] = None,
    top: Annotated[bool, Query(description="Only documents in no folder.")] = False,
    recursive: Annotated[bool, Query(description="Those in the folders below as well.")] = False,
    status: wire.IndexingStatus | None = None,
    source_type: Annotated[str | None, Query(max_length=40)] = None,
    name: Annotated[str | None, Query(max_length=255, description="A part of the name, in any case.")] = None,
    sort: wire.SortBy = wire.SortBy.NAME,
    cursor: PlaceCursor = None,
    limit: Limit = 50,
) -> Page[wire.Document]:
    """Documents that match, by name or the newest first."""
    wanted = library_list_documents.DocumentFilter(folder_id, top, recursive, status, source_type, name, sort)
    async with db.begin(who) as tx:
        return await library_list_documents.list_documents(tx, wanted, cursor=cursor, limit=limit, sources=sources)


@router.get("/{document_id}")
async def show_document(document_id: UUID, who: Reader, db: Db, sources: Origins, response: Response) -> wire.Document:
    """A document, and how far it is on its way to being findable."""
    async with db.begin(who) as tx:
        document = documents.answer(await documents.get(tx, document_id), sources)
    response.headers["ETag"] = etag(document.version)
    return document


@router.patch("/{document_id}")
async def change_document(
    document_id: UUID,
    body: wire.ChangeDocument,
    who: Writer,
    db: Db,
    sources: Origins,
    response: Response,
    if_match: IfMatch = None,
) -> wire.Document:
    """Rename a document or move it. When it is not at the version of If-Match, 409 tells which it is at."""
    async with db.begin(who) as tx:
        changed = await documents.change(tx, document_id, body, basis=basis(if_match, body))
        document = documents.answer(changed, sources)
    response.headers["ETag"] = etag(document.version)
    return document


@router.delete("/{document_id}")
async def delete_document(
    document_id: UUID, who: Writer, db: Db, based_on: BasedOn, evidence: CitedEvidence
) -> wire.DeletedDocuments:
    """Delete a document with all its versions; what answers cite of it stays or goes by the workspace's rule."""
    async with db.begin(who) as tx:
        return await documents.delete(tx, document_id, basis=based_on, evidence=evidence)


@router.post("/{document_id}/retry")
async def retry_document(document_id: UUID, who: Writer, db: Db, sources: Origins) -> wire.Document:
    """Read a document again whose reading failed."""
    async with db.begin(who) as tx:
        return documents.answer(await documents.retry(tx, document_id), sources)


@router.head("/{document_id}/content", include_in_schema=False)
@router.get("/{document_id}/content", response_class=StreamingResponse, responses=transfer.BYTES)
async def download_document(
    document_id: UUID,
    who: Reader,
    db: Db,
    blobs: transfer.BlobStore,
    asked: transfer.Asking,
    version: OfVersion = None,
) -> Response:
    """The bytes of a document, or a part of them. What a browser could run is only ever offered for saving."""
    async with db.begin(who) as tx:
        found = await versions.get(tx, document_id, version)
        file = transfer.ServedFile(found.artifact_sha256, found.mime_type, found.file_size, found.name)
        if asked.is_reading(file):
            entity = ("document", document_id)
            await record(tx, EventType.FILE_READ, entity=entity, version=found.version, sha256=found.artifact_sha256)
    return await transfer.serve(blobs, who.tenant_id, file, asked)
