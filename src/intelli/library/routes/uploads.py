"""Routes to upload documents; the body is streamed in constant memory."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from fastapi import APIRouter, Request, Response

from intelli.content import artifacts
from intelli.content.errors import InvalidUpload
from intelli.content.routes import transfer
from intelli.kit.errors import IntelliError
from intelli.kit.etag import etag
from intelli.kit.http import Db, IfMatch, Writer, as_problem
from intelli.kit.multipart import MultipartFiles, MultipartForm, SmallFile
from intelli.library import batch, documents, upload, wire
from intelli.library.optimistic_lock import BaseVersion
from intelli.library.routes.dependencies import Origins
from intelli.library.sources import Sources
from intelli.library.upload import AddedDocument, UploadedFile

router = APIRouter(prefix="/documents", tags=["documents"])

_FILE = {"type": "string", "format": "binary", "description": "The bytes, with their name."}


def _form(example: dict[str, str], **fields: dict[str, Any]) -> dict[str, Any]:
    """Build the OpenAPI schema of a form by hand: we stream the form, where the framework would store it first."""
    schema = {
        "type": "object",
        "required": ["file"],
        "properties": {"file": _FILE} | fields,
        "examples": [{"file": "Hello", **example}],
    }
    return {"requestBody": {"required": True, "content": {"multipart/form-data": {"schema": schema}}}}


def _choice(*choices: wire.OnConflict, doing: str) -> dict[str, object]:
    return {
        "type": "string",
        "enum": [each.value for each in choices],
        "default": wire.OnConflict.VERSION.value,
        "description": f"What to do when a name is taken: {doing}.",
    }


@router.post(
    "",
    status_code=201,
    openapi_extra=_form(
        {"on_conflict": "version"},
        folder_id={"type": "string", "format": "uuid", "description": "The folder's id; the top unless given."},
        folder_path={"type": "string", "description": "Or its path, such as /a/b; made as needed."},
        name={"type": "string", "description": "A name in place of the file's own."},
        on_conflict=_choice(*wire.OnConflict, doing="a new version, another name, or nothing"),
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
    form = MultipartForm(request.headers.get("Content-Type"), transfer.stream_body(request))
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


@router.post(
    "/batch",
    openapi_extra=_form(
        {"on_conflict": "version"},
        file={"type": "array", "items": _FILE, "description": "The files; a name may be a path such as a/b.txt."},
        folder_path={"type": "string", "description": "The folder they go into, such as /a/b; made as needed."},
        on_conflict=_choice(wire.OnConflict.VERSION, wire.OnConflict.REFUSE, doing="a new version, or nothing"),
    ),
)
async def upload_batch(
    request: Request,
    who: Writer,
    db: Db,
    blobs: transfer.BlobStore,
    settings: transfer.Settings,
    storing: transfer.OnStoring,
    sources: Origins,
) -> wire.Batch:
    """Add small files together, many times quicker than one by one: up to 100 of them, and 16 MiB in all.

    Each is added or refused for itself, and the answer tells so of each. To repeat it is harmless.
    """
    limit_bytes = min(batch.LIMIT_BYTES, settings.upload_limit_bytes)
    content_type = request.headers.get("Content-Type")
    form = MultipartFiles(
        content_type, transfer.stream_body(request), most_files=batch.MOST_FILES, limit_bytes=limit_bytes
    )
    files = await form.read()
    arrivals = _arrivals(form, files)
    received = [artifacts.draft_generated(blobs, who.tenant_id, file.content) for file in files]
    await artifacts.place_all(received)
    async with db.begin(who) as tx:
        outcomes = await batch.add(tx, list(zip(received, arrivals, strict=True)), storing=storing)
        named = zip(files, outcomes, strict=True)
        return wire.Batch(items=[_item(file.filename, outcome, sources) for file, outcome in named])


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
    form = MultipartForm(request.headers.get("Content-Type"), transfer.stream_body(request))
    basis = BaseVersion(if_match)
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


def _arrivals(form: MultipartFiles, files: Sequence[SmallFile]) -> list[UploadedFile]:
    """Return each file with its target folder, from the folder field and the path in its file name."""
    on_conflict = _on_conflict(form.text("on_conflict"))
    if on_conflict is wire.OnConflict.RENAME:
        raise InvalidUpload("Files that come together keep their names. Send one at a time to have it renamed.")
    base = (form.text("folder_path") or "").rstrip("/")
    arrivals = []
    for file in files:
        folder, _, name = file.filename.rpartition("/")
        place = f"{base}/{folder}" if folder else base
        arrivals.append(UploadedFile(name, file.media_type, folder_path=place or None, on_conflict=on_conflict))
    return arrivals


def _item(filename: str, outcome: AddedDocument | IntelliError, sources: Sources) -> wire.BatchItem:
    if isinstance(outcome, IntelliError):
        return wire.BatchItem(filename=filename, is_new=False, document=None, problem=as_problem(outcome))
    document = documents.answer(outcome.found, sources)
    return wire.BatchItem(filename=filename, is_new=outcome.is_new, document=document, problem=None)


def _arrival(form: MultipartForm) -> UploadedFile:
    """Parse the form fields; they are complete once the file has been read to its end."""
    folder_id, folder_path = form.text("folder_id"), form.text("folder_path")
    if folder_id and folder_path:
        raise InvalidUpload("Give either the field 'folder_id' or the field 'folder_path'.")
    return UploadedFile(
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
