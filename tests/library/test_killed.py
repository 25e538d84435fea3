"""A worker that dies while it reads a document: nothing is half-written, and the next one finishes."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from uuid import UUID

import pytest
from sqlalchemy import text
from tests.content.makers import NO_GRACE
from tests.library.makers import Json, Reader, add, get, index_at_once, until_status
from tests.library.worker_process import work
from tests.support.forks import Fork
from tests.support.jobs import until, working
from tests.support.server import Person

from intelli.app import JOBS, App
from intelli.content import gc, verify
from intelli.kit.context import System
from intelli.kit.room import WorkspaceAccess
from intelli.library.ports import ExtractorPort, TextReady


@contextmanager
def stuck_worker(app: App, stage: str) -> Iterator[Fork]:
    """A worker that stops at a stage, and is killed when the block ends if not before."""
    process = Fork(work, app.engine.app_url, app.settings.data, stage, log=app.settings.data / "worker.log")
    try:
        yield process
    finally:
        process.end()


@pytest.mark.parametrize("stage", ["parse", "write"])
async def test_a_worker_killed_while_it_reads_leaves_nothing_half_done(owner: Person, app: App, stage: str):
    document = await add(owner, "a.pdf", b"The text of the document.")
    reached = app.settings.data / "reached"
    with stuck_worker(app, stage) as process:
        await until(partial(asyncio.to_thread, reached.exists))
        process.end()
    premises = await _premises(owner, app)
    assert (await get(owner, f"/documents/{document['id']}"))["indexing_status"] == "in_progress"
    assert (await owner.client.get(f"/documents/{document['id']}/text")).json()["code"] == "not_read_yet"
    assert await _count(premises, "select count(*) from chunks") == 0
    assert [finding async for finding in verify.findings(premises)] == []
    done = await _finish(owner, app, document)
    assert (done["progress"], done["indexing_error"]) == ({"done": 1, "total": 1}, None)
    await gc.collect(premises, NO_GRACE)
    kept = {stat.sha256 async for stat in app.blobs.list(premises.tenant_id)}
    assert len(kept) == await _count(premises, "select count(*) from artifacts where reference_count > 0")


@pytest.mark.parametrize("stage", ["parse", "write"])
async def test_a_worker_killed_over_an_armful_loses_no_file_of_it(owner: Person, app: App, stage: str):
    files = [("file", (f"{n}.pdf", f"Ship {n} sails at dawn.".encode(), "application/pdf")) for n in range(3)]
    items = (await owner.client.post("/documents/batch", files=files)).raise_for_status().json()["items"]
    reached = app.settings.data / "reached"
    with stuck_worker(app, stage) as process:
        await until(partial(asyncio.to_thread, reached.exists))
        process.end()
    premises = await _premises(owner, app)
    for table in ("chunks", "vectors", "postings", "indexed"):
        assert await _count(premises, f"select count(*) from {table}") == 0
    assert [finding async for finding in verify.findings(premises)] == []
    for item in items:
        done = await _finish(owner, app, item["document"])
        assert (done["indexing_status"], done["progress"]) == ("completed", {"done": 1, "total": 1})
    assert await _count(premises, "select count(*) from indexed") == len(items)


async def _finish(owner: Person, app: App, document: Json) -> Json:
    parts = {**app.parts, ExtractorPort: Reader(), TextReady: TextReady(index_at_once)}
    async with working(app.db, *JOBS, parts=parts):
        return await until_status(owner, document, "completed", "failed")


async def _premises(owner: Person, app: App) -> WorkspaceAccess:
    workspace_id = UUID((await owner.me())["workspace"]["id"])
    return WorkspaceAccess(workspace_id, app.blobs, partial(app.db.begin, System(workspace_id)))


async def _count(premises: WorkspaceAccess, query: str) -> int:
    async with premises.begin() as tx:
        return int((await tx.session.scalars(text(query))).one())
