"""Upload of artifacts; those of type KNOWLEDGE_BASE also become a document."""

from typing import Any

from fastapi import APIRouter, Request, Response

from intelli.content import artifacts, metadata
from intelli.content import wire as content_wire
from intelli.content.artifacts import ArtifactInfo
from intelli.content.errors import InvalidUpload
from intelli.content.routes import transfer
from intelli.content.wire import PlatformType
from intelli.kit.http import Db, Writer
from intelli.kit.multipart import MultipartForm
from intelli.library import upload
from intelli.library.upload import UploadedFile

router = APIRouter(prefix="/artifacts", tags=["artifacts"])

# Not a type of content but a wish: to be found among the documents.
_KNOWLEDGE_BASE = "KNOWLEDGE_BASE"
_DOCUMENT_HEADER = "Document-Id"

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
                            "enum": [*(kind.value for kind in PlatformType), _KNOWLEDGE_BASE],
                            "default": PlatformType.DOCUMENT.value,
                            "description": "KNOWLEDGE_BASE makes a document of it and has it indexed.",
                        },
                        "entity_metadata": {"type": "string", "description": "A JSON object that fits the type."},
                    },
                    "examples": [{"file": "Hello", "entity_type": "DOCUMENT", "entity_metadata": "{}"}],
                }
            }
        },
    }
}


@router.post(
    "",
    status_code=201,
    openapi_extra=_FORM,
    responses={200: {"model": content_wire.Artifact, "description": "The workspace had these bytes."}},
)
async def upload_artifact(
    request: Request,
    response: Response,
    who: Writer,
    db: Db,
    blobs: transfer.BlobStore,
    settings: transfer.Settings,
    storing: transfer.OnStoring,
) -> content_wire.Artifact:
    """Upload a file: 201 when it is new to the workspace, 200 with what is known when it is not.

    To repeat it is harmless, so it needs no Idempotency-Key. With the type KNOWLEDGE_BASE it becomes a document at the
    top of the library, or the next version of the one that has its name; the header Document-Id tells which.
    """
    form = MultipartForm(request.headers.get("Content-Type"), transfer.stream_body(request))
    receiving = artifacts.receive(blobs, who.tenant_id, form.file(), limit_bytes=settings.upload_limit_bytes)
    async with receiving as received:
        info = _artifact_info(form)
        async with db.begin(who) as tx:
            if _kind(form) == _KNOWLEDGE_BASE:
                arrival = UploadedFile(info.filename, info.media_type, metadata=info.entity_metadata)
                added = await upload.add(tx, received, arrival, storing=storing)
                is_new = added.content.is_new
                response.headers[_DOCUMENT_HEADER] = str(added.found.document.id)
            else:
                _, is_new = await artifacts.save(tx, received, info, storing=storing)
            answer = content_wire.Artifact.model_validate(await artifacts.get(tx, received.draft.sha256))
    response.status_code = 201 if is_new else 200
    response.headers["Location"] = f"{request.url.path}/{answer.sha256}"
    return answer


def _kind(form: MultipartForm) -> str:
    return form.text("entity_type") or PlatformType.DOCUMENT.value


def _artifact_info(form: MultipartForm) -> ArtifactInfo:
    """Parse the form fields; they are complete once the file has been read to its end."""
    kind = _kind(form)
    try:
        entity_type = PlatformType.KNOWLEDGE if kind == _KNOWLEDGE_BASE else PlatformType(kind)
    except ValueError as error:
        known = ", ".join((*PlatformType, _KNOWLEDGE_BASE))
        raise InvalidUpload(f"The field 'entity_type' is one of: {known}.") from error
    entity_metadata = metadata.parse(entity_type, form.text("entity_metadata"))
    return ArtifactInfo(entity_type, entity_metadata, filename=form.filename, media_type=form.media_type)
