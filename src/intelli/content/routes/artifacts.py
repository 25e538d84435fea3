"""Routes that list, show and download artifacts. The library has the upload: it may create a document as well."""

from fastapi import APIRouter, Response
from fastapi.responses import StreamingResponse

from intelli.audit.record import record
from intelli.audit.wire import EventType
from intelli.content import artifacts, wire
from intelli.content.routes import transfer
from intelli.kit.http import Cursor, Db, Limit, Reader
from intelli.kit.wire import Page

router = APIRouter(prefix="/artifacts", tags=["artifacts"])


@router.get("")
async def list_artifacts(
    who: Reader, db: Db, entity_type: wire.PlatformType | None = None, cursor: Cursor = None, limit: Limit = 50
) -> Page[wire.Artifact]:
    """The workspace's artifacts and the caller's own, newest first."""
    async with db.begin(who) as tx:
        return await artifacts.list_artifacts(tx, entity_type=entity_type, cursor=cursor, limit=limit)


@router.get("/{sha256}")
async def show_artifact(sha256: wire.Sha256, who: Reader, db: Db) -> wire.Artifact:
    """What is known of an artifact."""
    async with db.begin(who) as tx:
        return wire.Artifact.model_validate(await artifacts.get(tx, sha256))


@router.head("/{sha256}/content", include_in_schema=False)
@router.get("/{sha256}/content", response_class=StreamingResponse, responses=transfer.BYTES)
async def download_artifact(
    sha256: wire.Sha256, who: Reader, db: Db, blobs: transfer.BlobStore, asked: transfer.Asking
) -> Response:
    """The bytes of an artifact, or a part of them. What a browser could run is only ever offered for saving."""
    async with db.begin(who) as tx:
        artifact = await artifacts.get(tx, sha256)
        name = artifact.filename or sha256[:16]
        file = transfer.ServedFile(sha256, artifact.media_type, artifact.size_bytes, name)
        if asked.is_reading(file):
            # A hash of private text would let readers of the log confirm guesses at it.
            logged_hash = sha256 if artifact.user_id is None else None
            await record(tx, EventType.FILE_READ, action="download", sha256=logged_hash)
    return await transfer.serve(blobs, who.tenant_id, file, asked)
