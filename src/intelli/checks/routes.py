"""Routes of checks."""

from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Depends, Header, Query, Request, Response
from pydantic import ValidationError

from intelli.audit.record import record
from intelli.audit.wire import EventType
from intelli.checks import control, show, start, wire
from intelli.checks.export import load, write
from intelli.checks.stream import CheckFeeds
from intelli.citations.routes import Keeping
from intelli.content import artifacts, file_names
from intelli.content.errors import InvalidUpload
from intelli.content.routes import transfer
from intelli.kit.feeds import FeedKey
from intelli.kit.http import Computing, Cursor, Db, EventStream, Limit, OnceOnly, Reader, Streams, Writer, part
from intelli.kit.multipart import MultipartForm
from intelli.kit.wire import Page

router = APIRouter(prefix="/checks", tags=["checks"])
Following = Annotated[CheckFeeds, Depends(part(CheckFeeds))]
_LARGEST = 1 << 63
After = Annotated[int | None, Query(ge=0, lt=_LARGEST, description="Only events after the one of this `id`.")]
LastEventId = Annotated[int | None, Header(ge=0, lt=_LARGEST, description="The last `id` that was seen.")]
_FORM = {
    "requestBody": {
        "required": True,
        "content": {
            "multipart/form-data": {
                "schema": {
                    "type": "object",
                    "required": ["file"],
                    "properties": {
                        "file": {"type": "string", "format": "binary", "description": "The bytes, with their name."},
                        "folder_id": {
                            "type": "string",
                            "format": "uuid",
                            "description": "Look for passages only below this folder.",
                        },
                        "title": {"type": "string", "description": "A title in place of the file's name."},
                    },
                    "examples": [{"file": "Hello", "title": "Memo"}],
                }
            }
        },
    }
}


@router.post("", status_code=202)
async def start_check(body: wire.NewTextCheck, who: Writer, once: OnceOnly, db: Db) -> wire.TextCheckSummary:
    """Check a text, a document or a deliverable: each of its statements against the library.

    The check is done in the background. Look at it again, or follow its events.
    """

    async def begin() -> wire.TextCheckSummary:
        return show.to_summary(await start.start(tx, body))

    async with db.begin(who) as tx:
        return await once.answer(tx, wire.TextCheckSummary, begin)


@router.post("/file", status_code=202, openapi_extra=_FORM)
async def start_check_of_file(
    request: Request,
    who: Writer,
    db: Db,
    blobs: transfer.BlobStore,
    settings: transfer.Settings,
    storing: transfer.OnStoring,
) -> wire.TextCheckSummary:
    """Check a file of any format that the library reads. It does not enter the library, and goes with the check."""
    form = MultipartForm(request.headers.get("Content-Type"), transfer.stream_body(request))
    receiving = artifacts.receive(blobs, who.tenant_id, form.file(), limit_bytes=settings.upload_limit_bytes)
    async with receiving as received:
        asked = _fields(form)
        sent = start.SentFile(
            received, form.filename, form.media_type, asked.title, asked.context or wire.CheckContext()
        )
        async with db.begin(who) as tx:
            return show.to_summary(await start.start_with_file(tx, sent, storing=storing))


@router.get("")
async def list_checks(who: Reader, db: Db, cursor: Cursor = None, limit: Limit = 50) -> Page[wire.TextCheckSummary]:
    """The caller's checks, newest first."""
    async with db.begin(who) as tx:
        return await show.list_checks(tx, cursor=cursor, limit=limit)


@router.get("/{check_id}")
async def show_check(check_id: UUID, who: Reader, db: Db, keeping: Keeping) -> wire.TextCheck:
    """A check, how far it is, and the statements that are done, with the passages for and against each."""
    async with db.begin(who) as tx:
        return await show.load(tx, check_id, keep_excerpts=keeping.keep_excerpts)


@router.post("/{check_id}/cancel")
async def cancel_check(check_id: UUID, who: Writer, db: Db) -> wire.TextCheckSummary:
    """Stop a check. What is done stays."""
    async with db.begin(who) as tx:
        return show.to_summary(await control.cancel(tx, check_id))


@router.delete("/{check_id}", status_code=204)
async def delete_check(check_id: UUID, who: Writer, db: Db) -> None:
    """Delete a check with its text and the file that came with it. One that is at work is stopped."""
    async with db.begin(who) as tx:
        await control.delete(tx, check_id)


@router.get(
    "/{check_id}/export",
    response_class=Response,
    responses={200: {"content": {media_type: {} for media_type in write.MEDIA_TYPES.values()}}},
)
async def export_check(
    check_id: UUID,
    who: Reader,
    db: Db,
    blobs: transfer.BlobStore,
    keeping: Keeping,
    compute: Computing,
    format: wire.CheckForm = wire.CheckForm.HTML,
) -> Response:
    """A check as a file: Word with comments, a page, or JSON. A Word file that was checked keeps its layout."""
    async with db.begin(who) as tx:
        found = await load.load(tx, check_id, keep_excerpts=keeping.keep_excerpts)
        await record(tx, EventType.EXPORT, entity=("text_check", check_id), what="text_check", format=format)
    original = await load.read_original(blobs, found) if format is wire.CheckForm.DOCX else None
    body = await write.write(found.check, format, original=original, compute=compute)
    name = f"{file_names.clean(found.check.title.replace('/', '-')) or 'check'}.{format}"
    headers = {"Content-Disposition": file_names.disposition("attachment", name), "Cache-Control": "no-store"}
    return Response(body, media_type=write.MEDIA_TYPES[format], headers=headers)


@router.get("/{check_id}/events", response_class=EventStream, responses={200: {"content": {"text/event-stream": {}}}})
async def stream_check(
    check_id: UUID,
    who: Reader,
    feeds: Following,
    limit: Streams,
    last_event_id: LastEventId = None,
    after: After = None,
) -> EventStream:
    """What a check tells, from its beginning or after an event: `status`, `statement`, `progress`, at last `done`."""
    begin = max(last_event_id or 0, after or 0)
    return EventStream(await feeds.open(who, FeedKey(who.tenant_id, check_id), after=begin), limit)


def _fields(form: MultipartForm) -> wire.NewTextCheck:
    """Parse the form fields; they are complete once the file has been read to its end."""
    folder_id, title = form.text("folder_id"), form.text("title")
    try:
        return wire.NewTextCheck.model_validate(
            {"context": {"folder_id": folder_id} if folder_id else None, "title": title or None}
        )
    except ValidationError as error:
        field = ".".join(str(step) for step in error.errors(include_input=False)[0]["loc"])
        raise InvalidUpload(f"The field '{field.rpartition('.')[2]}' is not valid.") from error
