"""Routes for reading, cancelling, retrying, exporting and previewing deliverables."""

import asyncio
from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Depends, Path, Query, Request, Response
from fastapi.responses import HTMLResponse, StreamingResponse

from intelli.audit.record import record
from intelli.audit.wire import EventType
from intelli.citations.routes import Keeping
from intelli.content.routes import transfer
from intelli.deliverables import compare, control, preview_url, publish_gate, revise, show, store, trash, wire
from intelli.deliverables import export as deliverables_export
from intelli.deliverables.brief import DataBrief
from intelli.deliverables.errors import NotReady
from intelli.deliverables.store import DeliverableFilter
from intelli.identity.settings import IdentitySettings
from intelli.kit.db import SessionEnded
from intelli.kit.http import Computing, Cursor, Db, Limit, OnceOnly, Reader, Writer, part
from intelli.kit.wire import Page
from intelli.library.sources import Sources

router = APIRouter(prefix="/deliverables", tags=["deliverables"])
Secrets = Annotated[IdentitySettings, Depends(part(IdentitySettings))]
OtherId = Annotated[UUID, Query(alias="with", description="The deliverable to compare with.")]
FileName = Annotated[str, Path(max_length=100, pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]*$")]
InTrash = Annotated[bool, Query(description="Those in the trash instead of those that are not.")]
Token = Annotated[str, Path(max_length=300, pattern=r"^[0-9a-f][0-9a-z.-]*$")]
SitePath = Annotated[str, Path(max_length=100, pattern=r"^[A-Za-z0-9][A-Za-z0-9._/-]*$")]


def _revising(
    db: Db, blobs: transfer.BlobStore, compute: Computing, sources: Annotated[Sources, Depends(part(Sources))]
) -> revise.ReviseParts:
    return revise.ReviseParts(db, blobs, compute, sources)


Revising = Annotated[revise.ReviseParts, Depends(_revising)]


@router.get("")
async def list_deliverables(
    who: Reader,
    db: Db,
    conversation_id: UUID | None = None,
    run_id: UUID | None = None,
    kind: wire.Kind | None = None,
    status: wire.Status | None = None,
    is_deleted: InTrash = False,
    cursor: Cursor = None,
    limit: Limit = 50,
) -> Page[wire.Deliverable]:
    """Deliverables, newest first."""
    async with db.begin(who) as tx:
        which = DeliverableFilter(
            conversation_id=conversation_id, run_id=run_id, kind=kind, status=status, is_deleted=is_deleted
        )
        return await show.list_deliverables(tx, which, cursor=cursor, limit=limit)


@router.get("/{deliverable_id}")
async def show_deliverable(deliverable_id: UUID, who: Reader, db: Db) -> wire.Deliverable:
    """A deliverable and how far it is."""
    async with db.begin(who) as tx:
        return show.to_wire(await show.get(tx, deliverable_id))


@router.get("/{deliverable_id}/brief")
async def show_brief(deliverable_id: UUID, who: Reader, db: Db, blobs: transfer.BlobStore) -> DataBrief:
    """The brief that a deliverable was written from: every figure once, with its citation."""
    async with db.begin(who) as tx:
        row = await show.get(tx, deliverable_id)
    return await show.read_brief(blobs, row)


@router.get("/{deliverable_id}/content")
async def show_content(
    deliverable_id: UUID, who: Reader, db: Db, blobs: transfer.BlobStore, keeping: Keeping
) -> wire.Content:
    """What a deliverable says, as GML, with its citations in the order of the text and its sources."""
    async with db.begin(who) as tx:
        row = await show.get(tx, deliverable_id)
        cited = await show.list_citations(tx, deliverable_id, keep_excerpts=keeping.keep_excerpts)
    brief, text = await show.read_brief(blobs, row), await show.read_gml(blobs, row)
    return wire.Content(deliverable_id=row.id, title=row.title, gml=text, citations=cited, sources=list(brief.sources))


@router.get("/{deliverable_id}/versions")
async def list_deliverable_versions(deliverable_id: UUID, who: Reader, db: Db) -> list[wire.Deliverable]:
    """All versions of a deliverable: those of its kind in its conversation, newest first."""
    async with db.begin(who) as tx:
        return list(await show.list_versions(tx, deliverable_id))


@router.post("/{deliverable_id}/versions", status_code=201)
async def create_version(
    deliverable_id: UUID, body: wire.NewVersion, who: Writer, once: OnceOnly, db: Db, parts: Revising
) -> wire.Deliverable:
    """Make a new version: with an edited text or another title, or, with neither, what this version says."""
    revision = await revise.prepare(parts, who, deliverable_id, body)

    async def begin() -> wire.Deliverable:
        return show.to_wire(await revise.save_revision(tx, revision, sources=parts.sources))

    async with db.begin(who) as tx:
        return await once.answer(tx, wire.Deliverable, begin)


@router.post("/{deliverable_id}/check")
async def check_edited_text(
    deliverable_id: UUID, body: wire.EditedText, who: Writer, parts: Revising
) -> list[wire.CheckedSentence]:
    """Check the sentences of an edited text against what they cite. Nothing is saved."""
    return await revise.check(parts, who, deliverable_id, body.gml)


@router.delete("/{deliverable_id}", status_code=204)
async def delete_deliverable(deliverable_id: UUID, who: Writer, db: Db) -> None:
    """Move a deliverable to the trash, where it can be restored for 30 days."""
    async with db.begin(who) as tx:
        await trash.delete(tx, deliverable_id)


@router.post("/{deliverable_id}/restore")
async def restore_deliverable(deliverable_id: UUID, who: Writer, db: Db) -> wire.Deliverable:
    """Take a deliverable out of the trash."""
    async with db.begin(who) as tx:
        return show.to_wire(await trash.restore(tx, deliverable_id))


@router.get("/{deliverable_id}/compare")
async def compare_deliverables(
    deliverable_id: UUID, other_id: OtherId, who: Reader, db: Db, blobs: transfer.BlobStore, compute: Computing
) -> wire.Comparison:
    """How a deliverable differs from another one, block by block."""
    async with db.begin(who) as tx:
        row, other = await show.get(tx, deliverable_id), await show.get(tx, other_id)
    before, after = await show.read_gml(blobs, row), await show.read_gml(blobs, other)
    return await compute.run(compare.compare, row.id, before, other.id, after)


@router.post("/{deliverable_id}/cancel")
async def cancel_deliverable(deliverable_id: UUID, who: Writer, db: Db) -> wire.Deliverable:
    """Stop a deliverable that is being built."""
    async with db.begin(who) as tx:
        return show.to_wire(await control.cancel(tx, deliverable_id))


@router.post("/{deliverable_id}/retry", status_code=202)
async def retry_deliverable(deliverable_id: UUID, who: Writer, db: Db) -> wire.Deliverable:
    """Build a deliverable again that failed or was cancelled."""
    async with db.begin(who) as tx:
        return show.to_wire(await control.retry(tx, deliverable_id))


@router.post("/{deliverable_id}/exports", status_code=202)
async def export_deliverable(deliverable_id: UUID, body: wire.NewExport, who: Writer, db: Db) -> wire.Export:
    """Have a deliverable made in another form. A form is made once in each edition, however often it is asked for."""
    async with db.begin(who) as tx:
        await publish_gate.check(tx, deliverable_id)
        export = await deliverables_export.request_export(tx, deliverable_id, body.format, body.edition)
        await record(
            tx, EventType.EXPORT, entity=("deliverable", deliverable_id), what="deliverable", format=body.format
        )
        return show.export_to_wire(export)


@router.get("/{deliverable_id}/exports")
async def list_exports(deliverable_id: UUID, who: Reader, db: Db) -> list[wire.Export]:
    """The exports of a deliverable, oldest first."""
    async with db.begin(who) as tx:
        await show.get(tx, deliverable_id)
        return [show.export_to_wire(row) for row in await store.list_exports(tx, deliverable_id)]


@router.get("/{deliverable_id}/files/{name}", response_class=StreamingResponse, responses=transfer.BYTES)
async def download_file(
    deliverable_id: UUID, name: FileName, who: Reader, db: Db, blobs: transfer.BlobStore, asked: transfer.Asking
) -> Response:
    """A file of a deliverable or of one of its exports, or a part of it."""
    async with db.begin(who) as tx:
        found = await show.get_file(tx, deliverable_id, name)
        # The pages that the screen shows are what a person reads while reviewing.
        if found.name != await show.get_shown_name(tx, deliverable_id):
            await publish_gate.check(tx, deliverable_id)
        file = transfer.ServedFile(found.sha256, found.media_type, found.size_bytes, found.name)
        if asked.is_reading(file):
            await record(tx, EventType.FILE_READ, entity=("deliverable", deliverable_id), action="download")
    return await transfer.serve(blobs, who.tenant_id, file, asked)


@router.get("/{deliverable_id}/preview")
async def preview_site(deliverable_id: UUID, who: Reader, db: Db, secrets: Secrets) -> wire.Preview:
    """An address where a site or slides can be looked at for a quarter of an hour, in a frame without rights."""
    async with db.begin(who) as tx:
        row = await show.get(tx, deliverable_id)
        if row.status != wire.Status.COMPLETED:
            raise NotReady(f"This deliverable is {row.status}. Only one that is completed can be looked at.")
        await show.get_file(tx, deliverable_id, preview_url.get_archive_name(row.kind))
    token, expires_at = preview_url.create_token(secrets.signing_key, who, deliverable_id)
    path = f"/api/v1/deliverables/{deliverable_id}/site/{token}/{preview_url.INDEX}"
    return wire.Preview(url=path, expires_at=expires_at)


@router.get("/{deliverable_id}/site/{token}/{path:path}", response_class=Response)
async def open_site(
    deliverable_id: UUID,
    token: Token,
    path: SitePath,
    request: Request,
    db: Db,
    blobs: transfer.BlobStore,
    secrets: Secrets,
) -> Response:
    """A file of a site under preview. The token in the address opens it while its maker may; its page has no rights."""
    who = preview_url.verify_token(secrets.signing_key, token, deliverable_id)
    try:
        async with db.begin(who) as tx:
            row = await show.get(tx, deliverable_id)
            found = await show.get_file(tx, deliverable_id, preview_url.get_archive_name(row.kind))
    except SessionEnded as error:
        raise preview_url.expired_error() from error
    if preview_url.is_top_level(request.headers.get("Sec-Fetch-Dest")):
        page, headers = preview_url.build_frame_page(request.url.path)
        return HTMLResponse(page, headers=headers)
    archive = b"".join([piece async for piece in await blobs.get(who.tenant_id, found.sha256)])
    body, media_type = await asyncio.to_thread(preview_url.read_archive_file, archive, path)
    return Response(body, media_type=media_type, headers=preview_url.HEADERS)
