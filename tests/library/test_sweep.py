"""What was read from content that no document has any more goes; what any document has stays."""

import os
import tempfile
from datetime import timedelta
from pathlib import Path
from uuid import UUID

import pytest
from sqlalchemy import text
from tests.library.makers import Reader, add, get, reading_worker, until_status
from tests.support.jobs import defer, jobs_of, until, until_settled
from tests.support.server import Person

from intelli.app import App
from intelli.kit.context import System
from intelli.kit.queue import JobStatus
from intelli.library import blob_copies, sweep


async def test_deleting_the_last_document_with_some_content_removes_what_was_read_of_it(owner: Person, app: App):
    first, second = await add(owner, "a.txt", b"the same"), await add(owner, "b.txt", b"the same")
    async with reading_worker(app, extractor=Reader()):
        await until_status(owner, first, "completed")
        await owner.client.delete(f"/documents/{first['id']}")
        await until_settled(app.db)
        assert await _counts(owner, app) == (1, 1)
        assert (await owner.client.get(f"/documents/{second['id']}/text")).text == "the same"
        await owner.client.delete(f"/documents/{second['id']}")
        await until_settled(app.db)
    assert await _counts(owner, app) == (0, 0)


async def test_an_earlier_version_keeps_what_was_read_of_it(owner: Person, app: App):
    document = await add(owner, "a.txt", b"one")
    await add(owner, "a.txt", b"two")
    other = await add(owner, "b.txt", b"three")
    async with reading_worker(app, extractor=Reader()):
        await until_settled(app.db)
        await owner.client.delete(f"/documents/{other['id']}")
        await until_settled(app.db)
    assert await _counts(owner, app) == (2, 2)
    assert (await owner.client.get(f"/documents/{document['id']}/text", params={"version": 1})).text == "one"


async def test_a_reading_that_no_job_will_finish_is_told_as_failed(owner: Person, app: App):
    document = await add(owner, "a.txt", b"one")
    who = System(UUID((await owner.me())["workspace"]["id"]))
    async with app.db.begin(who) as tx:
        await tx.session.execute(text("delete from procrastinate_jobs"))
        await tx.session.execute(text("update readings set updated_at = now() - interval '2 hours'"))
    await defer(app.db, who, sweep.SWEEP)
    async with reading_worker(app, extractor=Reader()):
        failed = await until_status(owner, document, "failed")
    assert failed["indexing_error"]["code"] == "crashed"


async def test_a_reading_that_waits_for_its_job_is_left_alone(owner: Person, app: App):
    document = await add(owner, "a.txt", b"one")
    who = System(UUID((await owner.me())["workspace"]["id"]))
    async with app.db.begin(who) as tx:
        await tx.session.execute(text("update readings set updated_at = now() - interval '2 hours'"))
        await tx.session.execute(
            text("update procrastinate_jobs set scheduled_at = now() + interval '1 day' where queue_name = 'index'")
        )
    await defer(app.db, who, sweep.SWEEP, key="once")
    async with reading_worker(app, extractor=Reader()):
        await _until_swept(app)
    assert (await get(owner, f"/documents/{document['id']}"))["indexing_status"] == "pending"


async def test_copies_that_a_killed_process_left_are_removed_when_they_are_old(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    old, new, other = (tmp_path / name for name in ("intelli-copy-old", "intelli-copy-new", "someone-elses"))
    for path in (old, new, other):
        path.touch()
    for path in (old, other):
        os.utime(path, (0, 0))
    assert await blob_copies.remove_stale(timedelta(days=1)) == 1
    assert [path.exists() for path in (old, new, other)] == [False, True, True]


async def _until_swept(app: App) -> None:
    async def is_swept() -> bool:
        found = [job for job in await jobs_of(app.db) if job.name == sweep.SWEEP.name]
        return bool(found) and all(job.status is JobStatus.SUCCEEDED for job in found)

    await until(is_swept)


async def _counts(owner: Person, app: App) -> tuple[int, int]:
    """How many readings and how many chunks there are."""
    async with app.db.begin(System(UUID((await owner.me())["workspace"]["id"]))) as tx:
        readings = await tx.session.scalar(text("select count(*) from readings"))
        chunks = await tx.session.scalar(text("select count(*) from chunks"))
    return int(readings or 0), int(chunks or 0)
