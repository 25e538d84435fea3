"""HTTP edges of the audit log."""

from functools import partial
from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Depends, Header, Query
from fastapi.responses import StreamingResponse
from pydantic import AwareDatetime

from intelli.audit import export, read, store, verify, wire
from intelli.audit.anchors import Anchors
from intelli.audit.chain import GENESIS
from intelli.audit.read import AuditFeeds
from intelli.audit.record import record
from intelli.audit.store import AuditFilter
from intelli.kit.feeds import FeedKey
from intelli.kit.http import Admin, Cursor, Db, EventStream, Limit, Reader, Streams, part
from intelli.kit.wire import Page

router = APIRouter(prefix="/audit", tags=["audit"])


def _filter(
    event_type: wire.EventType | None = None,
    user_id: UUID | None = None,
    run_id: UUID | None = None,
    conversation_id: UUID | None = None,
    entity_type: Annotated[str | None, Query(max_length=60)] = None,
    entity_id: UUID | None = None,
    success: bool | None = None,
    since: AwareDatetime | None = None,
    until: AwareDatetime | None = None,
) -> AuditFilter:
    return AuditFilter(event_type, user_id, run_id, conversation_id, entity_type, entity_id, success, since, until)


Filters = Annotated[AuditFilter, Depends(_filter)]
Feeds = Annotated[AuditFeeds, Depends(part(AuditFeeds))]
LogAnchors = Annotated[Anchors, Depends(part(Anchors))]
LastEventId = Annotated[int | None, Header(ge=0, lt=1 << 63, description="Continue after this entry's `seq`.")]


@router.get("")
async def list_entries(
    who: Reader, db: Db, filters: Filters, cursor: Cursor = None, limit: Limit = 50
) -> Page[wire.AuditEntry]:
    """What happened, newest first. Members see their own entries, admins the workspace's."""
    async with db.begin(who) as tx:
        return await read.list_entries(tx, read.restrict_filter(who, filters), cursor=cursor, limit=limit)


@router.get(
    "/export",
    response_class=StreamingResponse,
    responses={200: {"content": {"text/csv": {}, "application/x-ndjson": {}}}},
)
async def export_entries(
    who: Reader, db: Db, anchors: LogAnchors, filters: Filters, format: wire.ExportFormat = wire.ExportFormat.CSV
) -> StreamingResponse:
    """All entries that match, oldest first, as a file. The export is itself recorded.

    JSON lines end with a signed proof: `intelli verify` tells with the public key alone that nothing was changed since.
    """
    which = read.restrict_filter(who, filters)
    known = await anchors.load_heads(who.tenant_id)
    async with db.begin(who) as tx:
        seq, log_hash = await store.find_tail(tx) or (0, GENESIS)
        await record(tx, wire.EventType.EXPORT, what="audit", format=format)
    entries = read.iter_entries(db, who, which, upto=seq)
    extent = export.ExportRange(who.tenant_id, seq, log_hash, export.describe_filter(which))
    is_csv = format is wire.ExportFormat.CSV
    content = export.csv_lines(entries) if is_csv else export.json_lines(entries, extent, anchors, known)
    disposition = {"Content-Disposition": f'attachment; filename="intelli-audit.{format}"'}
    return StreamingResponse(content, media_type=export.MEDIA_TYPES[format], headers=disposition)


@router.get("/stream", response_class=EventStream, responses={200: {"content": {"text/event-stream": {}}}})
async def stream_entries(who: Reader, feeds: Feeds, limit: Streams, last_event_id: LastEventId = None) -> EventStream:
    """Entries as they are written: server-sent events `entry`, whose id is `seq`."""
    return EventStream(await feeds.open(who, FeedKey(who.tenant_id, who.tenant_id), after=last_event_id), limit)


@router.get("/verify")
async def verify_chain(who: Admin, db: Db, anchors: LogAnchors) -> wire.ChainReport:
    """Check that no entry of the workspace was changed, added or lost, and that the log reaches its signed end."""
    begin = partial(db.begin, who, timeout_s=verify.CHECK_TIMEOUT_S)
    return await verify.check_log(begin, anchors, who.tenant_id)


@router.get("/key")
async def read_key(_who: Reader, anchors: LogAnchors) -> wire.LogKey:
    """The public key that proofs of exports are signed with. Keep it elsewhere, to check exports against it."""
    return wire.LogKey(seal_key=anchors.key.name, public_key=anchors.key.public_key)
