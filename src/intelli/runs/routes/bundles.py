"""HTTP routes of the evidence bundles of answers and deliverables."""

import shutil
from pathlib import Path
from tempfile import mkdtemp
from uuid import UUID

from fastapi import APIRouter
from fastapi.responses import FileResponse
from starlette.background import BackgroundTask

from intelli.audit.record import record
from intelli.audit.wire import EventType
from intelli.citations.routes import Keeping
from intelli.content import file_names
from intelli.content.routes.transfer import BlobStore
from intelli.deliverables import publish_gate
from intelli.kit.context import UserContext
from intelli.kit.db import Database
from intelli.kit.http import Db, Reader
from intelli.runs import evidence_bundle
from intelli.runs.evidence_bundle import BundleContents, BundleStore

of_messages = APIRouter(prefix="/messages", tags=["messages"])
of_deliverables = APIRouter(prefix="/deliverables", tags=["deliverables"])
_ZIP = "application/zip"
_BYTES: dict[int | str, dict[str, object]] = {200: {"content": {_ZIP: {}}}}


@of_messages.get("/{message_id}/bundle", response_class=FileResponse, responses=_BYTES)
async def bundle_message(message_id: UUID, who: Reader, db: Db, blobs: BlobStore, keeping: Keeping) -> FileResponse:
    """An answer with every source it cites, their texts, its citations and its run, as one zip. It is recorded."""
    async with db.begin(who) as tx:
        gathered = await evidence_bundle.collect_message(tx, message_id, keep_excerpts=keeping.keep_excerpts)
        await record(tx, EventType.EXPORT, entity=("message", message_id), what="bundle")
    return await _bundle(db, who, blobs, gathered)


@of_deliverables.get("/{deliverable_id}/bundle", response_class=FileResponse, responses=_BYTES)
async def bundle_deliverable(deliverable_id: UUID, who: Reader, db: Db, blobs: BlobStore) -> FileResponse:
    """A deliverable with every source it cites, its manifests and its run, as one zip. It is recorded."""
    async with db.begin(who) as tx:
        await publish_gate.check(tx, deliverable_id)
        gathered = await evidence_bundle.collect_deliverable(tx, deliverable_id)
        await record(tx, EventType.EXPORT, entity=("deliverable", deliverable_id), what="bundle")
    return await _bundle(db, who, blobs, gathered)


async def _bundle(db: Database, who: UserContext, blobs: BlobStore, gathered: BundleContents) -> FileResponse:
    brief = await evidence_bundle.load_brief(blobs, who.tenant_id, gathered)
    async with db.begin(who) as tx:
        texts = await evidence_bundle.find_readable(tx, brief)
    folder = Path(mkdtemp(prefix="intelli-bundle-"))
    try:
        path = await evidence_bundle.write_bundle(BundleStore(blobs, who.tenant_id, folder), gathered, brief, texts)
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    name = f"{file_names.slug(brief.title) or 'answer'}.evidence.zip"
    headers = {"Content-Disposition": file_names.disposition("attachment", name), "Cache-Control": "no-store"}
    tidy = BackgroundTask(shutil.rmtree, folder, ignore_errors=True)
    return FileResponse(path, media_type=_ZIP, headers=headers, background=tidy)
