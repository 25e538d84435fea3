"""Files that are sent together: as quick as one, and each for itself."""

import asyncio
import hashlib
from collections.abc import Sequence
from uuid import UUID

import httpx
from sqlalchemy import text
from tests.library.makers import Json, add, get, listed, make_folder, names, reading_worker, until_status
from tests.support.jobs import jobs_of, until_settled
from tests.support.server import Person

from intelli.app import App
from intelli.audit import verify
from intelli.content import store as content
from intelli.content.artifacts import draft_generated, place_all
from intelli.content.ports import ArtifactStored
from intelli.kit.context import System
from intelli.kit.db import Tx
from intelli.kit.errors import IntelliError, TooLarge
from intelli.kit.jobs import Queue
from intelli.library import batch
from intelli.library.upload import AddedDocument, UploadedFile


async def send(person: Person, files: Sequence[tuple[str, bytes]], **fields: str) -> httpx.Response:
    parts = [("file", (name, content, "text/plain")) for name, content in files]
    return await person.client.post("/documents/batch", files=parts, data=fields)


async def sent(person: Person, files: Sequence[tuple[str, bytes]], **fields: str) -> list[Json]:
    return (await send(person, files, **fields)).raise_for_status().json()["items"]


async def test_files_that_come_together_are_read_and_findable_by_one_job(owner: Person, app: App):
    items = await sent(owner, [(f"{n}.txt", f"Ship {n} sails at dawn.".encode()) for n in range(12)])
    assert [job.name for job in await jobs_of(app.db, queue=Queue.INDEX)] == ["library.extract_batch"]
    async with reading_worker(app):
        for item in items:
            await until_status(owner, item["document"], "completed")
        await until_settled(app.db)
    assert [job.name for job in await jobs_of(app.db, queue=Queue.INDEX)] == ["library.extract_batch"]
    found = (await owner.client.post("/search", json={"query": "ship dawn"})).raise_for_status().json()
    assert found["search_metadata"]["total_chunks_searched"] == 12


async def test_files_that_come_together_are_documents_in_their_folders(owner: Person, app: App):
    files = [(f"deep/{n % 3}/{n}.txt", f"Ship {n} sails.".encode()) for n in range(20)]
    items = await sent(owner, files, folder_path="/fleet")
    assert [item["document"]["path"] for item in items] == [f"/fleet/{name}" for name, _ in files]
    assert [item["document"]["sha256"] for item in items] == [hashlib.sha256(body).hexdigest() for _, body in files]
    assert all(item["is_new"] and item["document"]["version"] == 1 for item in items)
    assert items[0]["document"] == await get(owner, f"/documents/{items[0]['document']['id']}")
    async with reading_worker(app):
        for item in items:
            await until_status(owner, item["document"], "completed")
    await _insist_on_order(owner, app)


async def test_what_is_sent_again_is_left_alone_and_what_changed_is_a_version(owner: Person, app: App):
    await sent(owner, [("a.txt", b"one"), ("b.txt", b"two")])
    again = await sent(owner, [("a.txt", b"one"), ("b.txt", b"new"), ("c.txt", b"one")])
    assert [(item["is_new"], item["document"]["version"]) for item in again] == [(False, 1), (False, 2), (True, 1)]
    assert await names(owner) == ["a.txt", "b.txt", "c.txt"]
    await _insist_on_order(owner, app)


async def test_each_file_is_refused_for_itself(owner: Person, app: App):
    await add(owner, "taken.txt", b"first")
    await make_folder(owner, "folder.txt")
    deep = "x/" * 40 + "deep.txt"
    files = ["good.txt", "taken.txt", "folder.txt", "good.txt", deep, "../a.txt", "taken.txt/a.txt", "fine.txt"]
    items = await sent(owner, [(name, name.encode()) for name in files], on_conflict="refuse")
    codes = [item["problem"]["code"] if item["problem"] else None for item in items]
    expected = ["name_taken", "name_taken", "invalid_upload", "path_too_long", "invalid_name", "name_taken"]
    assert codes == [None, *expected, None]
    assert await names(owner) == ["fine.txt", "good.txt", "taken.txt"]
    await _insist_on_order(owner, app)


async def test_a_form_that_is_none_or_too_much_is_refused_as_a_whole(owner: Person):
    assert (await send(owner, [(f"{n}.txt", b"x") for n in range(101)])).status_code == 413
    assert (await send(owner, [(f"{n}.txt", b"x" * (1 << 20)) for n in range(17)])).status_code == 413
    assert (await send(owner, [("a.txt", b"x")], on_conflict="rename")).status_code == 422
    assert (await owner.client.post("/documents/batch", data={"folder_path": "/"})).status_code == 422
    head = b'--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nhalf'
    kind = {"Content-Type": "multipart/form-data; boundary=b"}
    assert (await owner.client.post("/documents/batch", content=head, headers=kind)).status_code == 422
    assert await names(owner) == []


async def test_what_the_quota_refuses_is_left_out_and_the_rest_gets_in(owner: Person, app: App):
    async def meter(tx: Tx, size_bytes: int) -> None:
        if size_bytes > 5:
            raise TooLarge("There is no room for this.")

    who = System(UUID((await get(owner, "/auth/me"))["workspace"]["id"]))
    outcomes = await _add(app, who, [b"small", b"much larger", b"tiny"], storing=ArtifactStored(meter))
    assert [isinstance(outcome, AddedDocument) for outcome in outcomes] == [True, False, True]
    assert await names(owner) == ["0.txt", "2.txt"]
    await _insist_on_order(owner, app)


async def test_batches_of_the_same_files_at_once_wait_for_each_other(owner: Person, app: App):
    files = [(f"{n}.txt", f"Ship {n}".encode()) for n in range(12)]
    orders = [files, files[::-1], files[6:] + files[:6], [(name, b"all the same") for name, _ in files]]
    answers = await asyncio.gather(*(sent(owner, order) for order in orders))
    assert all(item["document"] for items in answers for item in items)
    assert len(await listed(owner, "/documents")) == 12
    await _insist_on_order(owner, app)


async def _add(
    app: App, who: System, contents: Sequence[bytes], *, storing: ArtifactStored
) -> list[AddedDocument | IntelliError]:
    received = [draft_generated(app.blobs, who.tenant_id, each) for each in contents]
    await place_all(received)
    arrivals = [UploadedFile(f"{n}.txt") for n in range(len(contents))]
    async with app.db.begin(who) as tx:
        return await batch.add(tx, list(zip(received, arrivals, strict=True)), storing=storing)


async def _insist_on_order(owner: Person, app: App) -> None:
    """Counts are exact, the audit log is whole and tells of every document, and no version lacks its reading."""
    who = System(UUID((await get(owner, "/auth/me"))["workspace"]["id"]))
    sighting = await app.anchors.load_heads(who.tenant_id)
    async with app.db.begin(who) as tx:
        assert await content.list_miscounted(tx, limit=10) == []
        assert (await verify.check(tx, app.anchors, sighting)).ok
        untold = await tx.session.scalars(
            text("""
                select d.path from documents d where not exists (
                    select from audit_log_entries a where a.entity_id = d.id and a.details ->> 'action' = 'created')
                    or not exists (select from readings r where r.sha256 = d.artifact_sha256)
            """)
        )
        assert untold.all() == []
