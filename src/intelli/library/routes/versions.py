"""Routes to list, compare and restore the versions of a document."""

from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Query, Response

from intelli.content.routes import transfer
from intelli.kit.etag import etag
from intelli.kit.http import Cursor, Db, IfMatch, Limit, Reader, Writer
from intelli.kit.wire import Page
from intelli.library import documents, versions, wire
from intelli.library.diff import versions as diff_versions
from intelli.library.routes.dependencies import Origins, basis

router = APIRouter(prefix="/documents/{document_id}", tags=["documents"])


@router.get("/versions")
async def list_versions(
    document_id: UUID, who: Reader, db: Db, cursor: Cursor = None, limit: Limit = 50
) -> Page[wire.DocumentVersion]:
    """Every version of a document, newest first."""
    async with db.begin(who) as tx:
        return await versions.list_versions(tx, document_id, cursor=cursor, limit=limit)


@router.post("/restore")
async def restore_version(
    document_id: UUID,
    body: wire.Restore,
    who: Writer,
    db: Db,
    sources: Origins,
    response: Response,
    if_match: IfMatch = None,
) -> wire.Document:
    """Make the content of an earlier version the newest again, as a version of its own."""
    async with db.begin(who) as tx:
        restored = await versions.restore(tx, document_id, body.version, basis=basis(if_match, body))
        document = documents.answer(restored, sources)
    response.headers["ETag"] = etag(document.version)
    return document


@router.get("/diff")
async def compare_versions(
    document_id: UUID,
    who: Reader,
    db: Db,
    blobs: transfer.BlobStore,
    before: Annotated[int, Query(alias="from", ge=1, lt=1 << 62, description="The earlier version.")],
    after: Annotated[int, Query(alias="to", ge=1, lt=1 << 62, description="The later version.")],
) -> wire.Diff:
    """What changed in the text from one version to another, line by line."""
    async with db.begin(who) as tx:
        pair = await diff_versions.load_pair(tx, document_id, before=before, after=after)
    return await diff_versions.compare(blobs, who.tenant_id, pair)
