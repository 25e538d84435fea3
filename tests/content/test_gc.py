"""Reference counts and garbage: nothing that is referenced is ever lost, nothing that is not stays for good."""

import asyncio
import os
import random
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta
from functools import partial
from pathlib import Path
from uuid import UUID

import psycopg
import pytest
from sqlalchemy import exc, text
from tests.content.makers import NO_GRACE, commit_tree, counts, kept_blobs, point, recount, sha256_of, store
from tests.support.jobs import defer, jobs_of, make_workspace, until, until_settled, working
from tests.support.soak import often

from intelli.content import gc, verify
from intelli.content.errors import ManifestNotFound, UnknownArtifacts
from intelli.content.jobs import COLLECT
from intelli.content.settings import ContentSettings
from intelli.kit.blobs import Blobs, open_blobs
from intelli.kit.context import System, WorkspaceLister
from intelli.kit.db import Database
from intelli.kit.queue import JobStatus
from intelli.kit.room import WorkspaceAccess

DAY = timedelta(days=1)


async def chunks(content: bytes) -> AsyncIterator[bytes]:
    yield content


async def test_what_nothing_references_goes_after_its_grace_and_not_before(premises: WorkspaceAccess):
    sha256 = await store(premises, b"loose")
    assert await gc.collect(premises, DAY) == gc.GarbageReport()
    assert await kept_blobs(premises) == {sha256}
    assert await gc.count_garbage(premises, NO_GRACE) == gc.GarbageReport(artifacts=1, size_bytes=5)
    assert await gc.collect(premises, NO_GRACE) == gc.GarbageReport(artifacts=1, size_bytes=5)
    assert (await kept_blobs(premises), await counts(premises)) == (set(), {})


async def test_a_look_removes_nothing(premises: WorkspaceAccess):
    sha256 = await store(premises, b"loose")
    await gc.count_garbage(premises, NO_GRACE)
    assert await counts(premises) == {sha256: 0}


async def test_uploading_again_renews_the_grace(premises: WorkspaceAccess):
    sha256 = await store(premises, b"loose")
    async with premises.begin() as tx:
        await tx.session.execute(text("update artifacts set unreferenced_since = now() - interval '2 days'"))
    await store(premises, b"loose")
    await gc.collect(premises, DAY)
    assert await counts(premises) == {sha256: 0}


async def test_a_manifest_that_no_pointer_was_ever_at_goes_with_what_it_held(premises: WorkspaceAccess):
    kept, loose = await store(premises, b"kept"), await store(premises, b"loose")
    base = await commit_tree(premises, {"a": kept})
    await commit_tree(premises, {"a": kept, "b": loose}, message="never named")
    child = await commit_tree(premises, {"c": kept}, parent=base)
    await point(premises, "current", child)
    assert await counts(premises) == {kept: 3, loose: 1}
    assert await gc.collect(premises, NO_GRACE) == gc.GarbageReport(manifests=1, artifacts=1, size_bytes=5)
    assert await counts(premises) == {kept: 2}


async def test_a_line_of_unreachable_manifests_goes_whole(premises: WorkspaceAccess):
    parent = None
    for number in range(5):
        parent = await commit_tree(premises, {}, message=str(number), parent=parent)
    assert (await gc.collect(premises, NO_GRACE)).manifests == 5


async def test_blobs_without_a_row_are_found_and_removed(premises: WorkspaceAccess):
    await premises.blobs.put(premises.tenant_id, chunks(b"orphan"))
    assert (await gc.collect(premises, DAY)).orphans == 0
    assert await gc.count_garbage(premises, NO_GRACE) == gc.GarbageReport(orphans=1, size_bytes=6)
    assert await gc.collect(premises, NO_GRACE) == gc.GarbageReport(orphans=1, size_bytes=6)
    assert await kept_blobs(premises) == set()


async def test_what_killed_uploads_left_is_counted_and_removed_and_what_is_being_written_is_not(tmp_path: Path):
    blobs = open_blobs(tmp_path.as_uri())
    left = tmp_path / "tmp"
    left.mkdir()
    for name in ("old", "young"):
        left.joinpath(name).write_bytes(b"half")
    two_days_ago = time.time() - 2 * 24 * 3600
    os.utime(left / "old", (two_days_ago, two_days_ago))
    assert await gc.count_drafts(blobs) == gc.GarbageReport(drafts=1, size_bytes=4)
    assert await gc.collect_drafts(blobs) == gc.GarbageReport(drafts=1, size_bytes=4)
    assert [each.name for each in left.iterdir()] == ["young"]


async def test_collecting_is_told_in_the_audit_log(premises: WorkspaceAccess):
    await store(premises, b"loose")
    await gc.collect(premises, NO_GRACE)
    async with premises.begin() as tx:
        told = (
            await tx.session.execute(text("select details from audit_log_entries where event_type = 'erase'"))
        ).all()
    assert [row.details for row in told] == [{"what": "artifacts", "count": 1, "size_bytes": 5}]


async def test_the_worker_collects_in_every_workspace(database: Database, who: System, premises: WorkspaceAccess):
    await store(premises, b"loose")
    await defer(database, who, COLLECT)
    parts = {Blobs: premises.blobs, ContentSettings: ContentSettings(grace_hours=0)}
    async with working(database, COLLECT, parts=parts):
        await until_settled(database)
    assert await kept_blobs(premises) == set()


async def test_no_code_can_change_a_count_by_hand(premises: WorkspaceAccess):
    await store(premises, b"x")
    with pytest.raises(exc.IntegrityError):
        async with premises.begin() as tx:
            await tx.session.execute(text("update artifacts set reference_count = 7"))
    assert set((await counts(premises)).values()) == {0}


async def test_a_referenced_artifact_cannot_be_removed_even_by_hand(premises: WorkspaceAccess):
    await commit_tree(premises, {"a": await store(premises, b"x")})
    with pytest.raises(exc.IntegrityError):
        async with premises.begin() as tx:
            await tx.session.execute(text("delete from artifacts"))


async def test_counts_follow_every_kind_of_change(premises: WorkspaceAccess, admin_url: str):
    """Later holders may change and remove their rows one by one; the triggers are the same for all."""
    one, two = await store(premises, b"1"), await store(premises, b"2")
    await commit_tree(premises, {"a": one, "b": one, "c": two})
    with psycopg.connect(admin_url, autocommit=True) as admin:
        admin.execute("update manifest_entries set artifact_sha256 = %s where path in ('a', 'c')", [two])
        assert await counts(premises) == {one: 1, two: 2}
        admin.execute("delete from manifest_entries where path in ('a', 'b')")
    assert await counts(premises) == {one: 0, two: 1}


async def test_erasing_a_workspace_takes_all_rows_of_its_content(premises: WorkspaceAccess, admin_url: str):
    manifest = await commit_tree(premises, {"a": await store(premises, b"x")})
    await point(premises, "p", await commit_tree(premises, {}, parent=manifest))
    with psycopg.connect(admin_url, autocommit=True) as admin:
        admin.execute("delete from workspaces")
        for table in ("artifacts", "manifests", "manifest_entries", "pointers", "pointer_history"):
            assert admin.execute(f"select count(*) from {table}").fetchone() == (0,)


@pytest.fixture
async def erased(database: Database, premises: WorkspaceAccess, admin_url: str) -> UUID:
    """A workspace that is gone and left a blob behind."""
    gone = await make_workspace(database)
    await store(WorkspaceAccess(gone.tenant_id, premises.blobs, partial(database.begin, gone)), b"gone")
    with psycopg.connect(admin_url, autocommit=True) as admin:
        admin.execute("delete from workspaces where id = %s", [gone.tenant_id])
    return gone.tenant_id


async def test_what_an_erased_workspace_left_is_found_and_removed(
    database: Database, premises: WorkspaceAccess, erased: UUID
):
    kept = await store(premises, b"kept")
    assert await gc.list_erased_workspaces(premises.blobs, partial(database.begin, WorkspaceLister())) == [erased]
    assert await gc.collect_erased(premises.blobs, erased, DAY) == gc.GarbageReport()
    assert await gc.count_erased(premises.blobs, erased, NO_GRACE) == gc.GarbageReport(orphans=1, size_bytes=4)
    assert await gc.collect_erased(premises.blobs, erased, NO_GRACE) == gc.GarbageReport(orphans=1, size_bytes=4)
    assert await gc.count_erased(premises.blobs, erased, NO_GRACE) == gc.GarbageReport()
    assert await kept_blobs(premises) == {kept}


async def test_the_clock_has_erased_workspaces_collected(database: Database, premises: WorkspaceAccess, erased: UUID):
    parts = {Blobs: premises.blobs, ContentSettings: ContentSettings(grace_hours=0)}

    async def is_gone() -> bool:
        return [stat async for stat in premises.blobs.list(erased)] == []

    async with working(database, replace(COLLECT, every="* * * * * *"), parts=parts):
        await until(is_gone)


async def test_a_job_of_one_workspace_takes_no_other_for_erased(
    database: Database, who: System, premises: WorkspaceAccess
):
    other = await make_workspace(database)
    theirs = WorkspaceAccess(other.tenant_id, premises.blobs, partial(database.begin, other))
    kept = await store(theirs, b"theirs")
    with pytest.raises(TypeError, match="WorkspaceLister"):
        await gc.list_erased_workspaces(premises.blobs, premises.begin)
    await defer(database, who, COLLECT)
    parts = {Blobs: premises.blobs, ContentSettings: ContentSettings(grace_hours=0)}
    async with working(database, COLLECT, parts=parts):
        await until_settled(database)
    assert {job.status for job in await jobs_of(database)} == {JobStatus.SUCCEEDED}
    assert await kept_blobs(theirs) == {kept}


async def test_counts_are_exact_after_many_commits_and_collections_at_once(premises: WorkspaceAccess):
    chance = random.Random(7)
    hashes = [await store(premises, bytes([number])) for number in range(6)]

    async def commit(number: int) -> None:
        tree = {f"{step}": sha256 for step, sha256 in enumerate(chance.choices(hashes, k=chance.randint(1, 6)))}
        manifest = await commit_tree(premises, tree, message=str(number))
        if number % 3 == 0:
            await point(premises, f"p{number}", manifest)

    async def sometimes(work: Callable[[], Awaitable[object]]) -> None:
        with suppress(UnknownArtifacts, ManifestNotFound):  # collected before it was referenced, and refused
            await work()

    for start in range(0, often(40, soaking=4000), 8):
        steps: list[Callable[[], Awaitable[object]]] = [
            *(lambda number=number: commit(number) for number in range(start, start + 8)),
            lambda: gc.collect(premises, NO_GRACE),
        ]
        chance.shuffle(steps)
        await asyncio.gather(*(sometimes(step) for step in steps))
        assert await counts(premises) == await recount(premises)


async def test_collecting_without_pause_never_loses_what_was_uploaded_and_referenced(premises: WorkspaceAccess):
    """Uploads of the same few contents race with a collection that gives no grace at all."""
    contents = [bytes([number]) * 50 for number in range(4)]
    done = asyncio.Event()
    promised: dict[str, str] = {}

    async def client(name: str) -> None:
        for number in range(often(12, soaking=600)):
            content = contents[(number + len(name)) % len(contents)]
            try:
                manifest = await commit_tree(premises, {"a": await store(premises, content)}, message=f"{name}{number}")
                if number % 2:
                    await point(premises, f"{name}-{number}", manifest)
                    promised[f"{name}-{number}"] = sha256_of(content)
            except (UnknownArtifacts, ManifestNotFound):
                continue

    async def collector() -> int:
        rounds = 0
        while not done.is_set():
            await gc.collect(premises, NO_GRACE)
            rounds += 1
        return rounds

    async with asyncio.TaskGroup() as group:
        collecting = group.create_task(collector())
        async with asyncio.TaskGroup() as clients:
            for name in ("a", "bb", "ccc"):
                clients.create_task(client(name))
        done.set()
    assert collecting.result() > 1
    assert promised
    assert [finding async for finding in verify.findings(premises)] == []
    await gc.collect(premises, NO_GRACE)
    assert await kept_blobs(premises) == set(promised.values()) == set(await counts(premises))


async def test_an_upload_whose_blob_is_collected_under_it_places_it_again(premises: WorkspaceAccess):
    """The one moment that only the lock makes safe: after the bytes are filed, before their row is there."""
    from intelli.content import artifacts
    from intelli.content.artifacts import ArtifactInfo
    from intelli.content.ports import ArtifactStored
    from intelli.content.wire import PlatformType

    received = artifacts.receive(premises.blobs, premises.tenant_id, chunks(b"late"), limit_bytes=10)
    async with received as whole:
        assert (await gc.collect(premises, NO_GRACE)).orphans == 1
        async with premises.begin() as tx:
            await artifacts.save(tx, whole, ArtifactInfo(PlatformType.DOCUMENT, {}), storing=ArtifactStored())
    assert await premises.blobs.verify(premises.tenant_id, sha256_of(b"late"))
