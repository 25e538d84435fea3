"""Uploading and downloading."""

from collections.abc import AsyncIterator
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Header, Request, Response
from fastapi.responses import JSONResponse, StreamingResponse
from starlette.requests import ClientDisconnect

from intelli.content import artifacts, media, metadata, naming, wire
from intelli.content.artifacts import Said
from intelli.content.errors import InvalidUpload, UploadInterrupted
from intelli.content.ports import Storing
from intelli.content.settings import ContentSettings
from intelli.content.tables import Artifact
from intelli.kit import ranges
from intelli.kit.blobs import Blobs
from intelli.kit.errors import RangeNotSatisfiable
from intelli.kit.http import Db, Reader, Writer, part, problem
from intelli.kit.multipart import Form

router = APIRouter(prefix="/artifacts", tags=["artifacts"])

Settings = Annotated[ContentSettings, Depends(part(ContentSettings))]
BlobStore = Annotated[Blobs, Depends(part(Blobs))]
OnStoring = Annotated[Storing, Depends(part(Storing))]

# By hand, because the form is read while it arrives and not by the framework, which would store it first.
_FORM: dict[str, Any] = {
    "requestBody": {
        "required": True,
        "content": {
            "multipart/form-data": {
                "schema": {
                    "type": "object",
                    "required": ["file"],
                    "properties": {
                        "file": {"type": "string", "format": "binary", "description": "The bytes, with their name."},
                        "entity_type": {
                            "type": "string",
                            "enum": [kind.value for kind in wire.EntityType],
                            "default": wire.EntityType.DOCUMENT.value,
                        },
                        "entity_metadata": {"type": "string", "description": "A JSON object that fits the type."},
                    },
                    "examples": [{"file": "Hello", "entity_type": "DOCUMENT", "entity_metadata": "{}"}],
                }
            }
        },
    }
}
# Never run, framed or let loose: bytes of strangers are served from the address that people are signed in to.
_INERT = "default-src 'none'; sandbox"
_PLAIN = "default-src 'none'"


@router.post(
    "",
    status_code=201,
    openapi_extra=_FORM,
    responses={200: {"model": wire.Artifact, "description": "The workspace had these bytes."}},
)
async def upload_artifact(
    request: Request, response: Response, who: Writer, db: Db, blobs: BlobStore, settings: Settings, storing: OnStoring
) -> wire.Artifact:
    """Upload a file: 201 when it is new to the workspace, 200 with what is known when it is not.

    To repeat it is harmless, so it needs no Idempotency-Key.
    """
    form = Form(request.headers.get("Content-Type"), _body(request))
    received = artifacts.receive(blobs, who.tenant_id, form.file(), limit_bytes=settings.upload_limit_bytes)
    async with received as whole:
        said = _said(form)
        async with db.begin(who) as tx:
            row, is_new = await artifacts.keep(tx, whole, said, storing=storing)
            answer = wire.Artifact.model_validate(row)
    response.status_code = 201 if is_new else 200
    response.headers["Location"] = f"{request.url.path}/{answer.sha256}"
    return answer


@router.get("/{sha256}")
async def show_artifact(sha256: wire.Sha256, who: Reader, db: Db) -> wire.Artifact:
    """What is known of an artifact."""
    async with db.begin(who) as tx:
        return wire.Artifact.model_validate(await artifacts.get(tx, sha256))


@router.get(
    "/{sha256}/content",
    response_class=StreamingResponse,
    responses={
        200: {"content": {"application/octet-stream": {}}},
        206: {"description": "The part that was asked for.", "content": {"application/octet-stream": {}}},
        304: {"description": "The caller has it already."},
    },
)
async def download_artifact(
    sha256: wire.Sha256,
    who: Reader,
    db: Db,
    blobs: BlobStore,
    range: Annotated[str | None, Header(description="A part, as `bytes=0-99`.")] = None,
    if_none_match: Annotated[str | None, Header(description="The ETag of what the caller has.")] = None,
    if_range: Annotated[str | None, Header(description="The ETag that the part must be of.")] = None,
) -> Response:
    """The bytes of an artifact, or a part of them. What a browser could run is only ever offered for saving."""
    async with db.begin(who) as tx:
        artifact = await artifacts.get(tx, sha256)
    headers = _headers(artifact)
    if ranges.is_unchanged(if_none_match, headers["ETag"]):
        return Response(status_code=304, headers=headers)
    try:
        wanted = ranges.requested(range if ranges.is_same(if_range, headers["ETag"]) else None, artifact.size_bytes)
    except RangeNotSatisfiable as error:
        return _unsatisfiable(error, artifact.size_bytes)
    start, end = (wanted.start, wanted.end) if wanted else (0, artifact.size_bytes)
    content = await blobs.get(who.tenant_id, sha256, start=start, end=end)
    headers |= {"Content-Type": artifact.media_type, "Content-Length": str(end - start)}
    if wanted:
        headers["Content-Range"] = wanted.content_range(artifact.size_bytes)
    return StreamingResponse(content, status_code=206 if wanted else 200, headers=headers)


def _headers(artifact: Artifact) -> dict[str, str]:
    is_shown = media.is_shown(artifact.media_type)
    name = artifact.filename or artifact.sha256[:16]
    return {
        "ETag": f'"{artifact.sha256}"',
        "Accept-Ranges": "bytes",
        "Cache-Control": "private, no-cache",
        "Content-Disposition": naming.disposition("inline" if is_shown else "attachment", name),
        "Content-Security-Policy": _PLAIN if is_shown else _INERT,
        "Cross-Origin-Resource-Policy": "same-origin",
        "X-Content-Type-Options": "nosniff",
    }


def _unsatisfiable(error: RangeNotSatisfiable, size_bytes: int) -> JSONResponse:
    answer = problem(error)
    answer.headers["Content-Range"] = f"bytes */{size_bytes}"
    return answer


def _said(form: Form) -> Said:
    """What the fields say; known once the file has been read to its end."""
    kind = form.text("entity_type") or wire.EntityType.DOCUMENT.value
    try:
        entity_type = wire.EntityType(kind)
    except ValueError as error:
        known = ", ".join(wire.EntityType)
        raise InvalidUpload(f"The field 'entity_type' is one of: {known}.") from error
    entity_metadata = metadata.read(entity_type, form.text("entity_metadata"))
    return Said(entity_type, entity_metadata, filename=form.filename, media_type=form.media_type)


async def _body(request: Request) -> AsyncIterator[bytes]:
    try:
        async for chunk in request.stream():
            yield chunk
    except ClientDisconnect as error:
        raise UploadInterrupted("The upload was cut off. Send it again.") from error
