"""Uploading documents: the body is read as it arrives, in constant memory."""

from typing import Any
from uuid import UUID

from fastapi import APIRouter, Request, Response

from intelli.content import artifacts
from intelli.content.errors import InvalidUpload
from intelli.content.routes import transfer
from intelli.kit.etag import etag
from intelli.kit.http import Db, IfMatch, Writer
from intelli.kit.multipart import Form
from intelli.library import documents, upload, wire
from intelli.library.locking import Basis
from intelli.library.routes.parts import Origins
from intelli.library.upload import Arrival

router = APIRouter(prefix="/documents", tags=["documents"])

_FILE = {"type": "string", "format": "binary", "description": "The bytes, with their name."}


def _form(example: dict[str, str], **fields: dict[str, Any]) -> dict[str, Any]:
    """Described by hand, because the form is read while it arrives and not by the framework, which stores it first."""
    schema = {
        "type": "object",
        "required": ["file"],
        "properties": {"file": _FILE, **fields},
        "examples": [{"file": "Hello", **example}],
    }
    return {"requestBody": {"required": True, "content": {"multipart/form-data": {"schema": schema}}}}


@router.post(
    "",
    status_code=201,
    openapi_extra=_form(
        {"on_conflict": "version"},
        folder_id={"type": "string", "format": "uuid", "description": "The folder's id; the top unless given."},
        folder_path={"type": "string", "description": "Or its path, such as /a/b; made as needed."},
        name={"type": "string", "description": "A name in place of the file's own."},
        on_conflict={
            "type": "string",
            "enum": [each.value for each in wire.OnConflict],
            "default": wire.OnConflict.VERSION.value,
            "description": "What to do when the name is taken: a new version, another name, or nothing.",
        },
    ),
    responses={200: {"model": wire.Document, "description": "A new version of a document, or the same as it was."}},
)
async def upload_document(
    request: Request,
    response: Response,
    who: Writer,
    db: Db,
    blobs: transfer.BlobStore,
    settings: transfer.Settings,
    storing: transfer.OnStoring,
    sources: Origins,
) -> wire.Document:
    """Add a document: 201 when it is new, 200 when its name was there and got a new version, or the same content.

    The fields may come before or after the file. To repeat it is harmless, so it needs no Idempotency-Key.
    """
    form = Form(request.headers.get("Content-Type"), transfer.body(request))
    receiving = artifacts.receive(blobs, who.tenant_id, form.file(), limit_bytes=settings.upload_limit_bytes)
    async with receiving as received:
        arrival = _arrival(form)
        async with db.begin(who) as tx:
            added = await upload.add(tx, received, arrival, storing=storing)
            document = documents.answer(added.found, sources)
    response.status_code = 201 if added.is_new else 200
    response.headers["Location"] = f"{request.url.path}/{document.id}"
    response.headers["ETag"] = etag(document.version)
    return document


@router.put("/{document_id}/content", openapi_extra=_form({}))
async def replace_content(
    document_id: UUID,
    request: Request,
    response: Response,
    who: Writer,
    db: Db,
    blobs: transfer.BlobStore,
    settings: transfer.Settings,
    storing: transfer.OnStoring,
    sources: Origins,
    if_match: IfMatch = None,
) -> wire.Document:
    """Give a document new content, as its next version. Name and place stay."""
    form = Form(request.headers.get("Content-Type"), transfer.body(request))
    basis = Basis(if_match)
    async with db.begin(who) as tx:
        # Before the bytes arrive: nobody should wait for an upload that is refused afterwards.
        basis.check((await documents.get(tx, document_id)).document.version)
    receiving = artifacts.receive(blobs, who.tenant_id, form.file(), limit_bytes=settings.upload_limit_bytes)
    async with receiving as received, db.begin(who) as tx:
        kind = form.media_type
        replaced = await upload.replace(tx, document_id, received, media_type=kind, basis=basis, storing=storing)
        document = documents.answer(replaced, sources)
    response.headers["ETag"] = etag(document.version)
    return document


def _arrival(form: Form) -> Arrival:
    """What the fields say; known once the file has been read to its end."""
    folder_id, folder_path = form.text("folder_id"), form.text("folder_path")
    if folder_id and folder_path:
        raise InvalidUpload("Give either the field 'folder_id' or the field 'folder_path'.")
    return Arrival(
        filename=form.filename,
        media_type=form.media_type,
        name=form.text("name"),
        folder_id=_folder_id(folder_id),
        folder_path=folder_path,
        on_conflict=_on_conflict(form.text("on_conflict")),
    )


def _folder_id(text: str | None) -> UUID | None:
    if not text:
        return None
    try:
        return UUID(text)
    except ValueError as error:
        raise InvalidUpload("The field 'folder_id' is not an id.") from error


def _on_conflict(text: str | None) -> wire.OnConflict:
    try:
        return wire.OnConflict(text or wire.OnConflict.VERSION)
    except ValueError as error:
        raise InvalidUpload(f"The field 'on_conflict' is one of: {', '.join(wire.OnConflict)}.") from error
