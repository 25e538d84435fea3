"""Anchoring: a few seconds behind the log, through crashes and restarts, and never a false alarm."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace

import psycopg
import pytest
from pydantic import SecretStr
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError
from tests.audit.makers import (
    PLACES,
    anchor,
    drop_anchors,
    head_files,
    kinds,
    recompute,
    report,
    tamper,
    tell_something,
    tenant_of,
    verify_by_command,
)
from tests.support.jobs import until
from tests.support.server import Person

from intelli.app import App
from intelli.audit import verify
from intelli.audit.accept import accept
from intelli.audit.anchor_task import anchor_log
from intelli.audit.record import record
from intelli.audit.statements import LogHead
from intelli.audit.wire import EventType
from intelli.kit.context import System
from intelli.kit.db import Database, SecretMissing, Tx

_UNSEAL = "update audit_log_entries set seal = null, seal_key = null"


@asynccontextmanager
async def anchoring(*apps: App) -> AsyncIterator[None]:
    stop = asyncio.Event()
    async with asyncio.TaskGroup() as group:
        for app in apps:
            group.create_task(app.anchoring.leader.run(stop))
        try:
            yield
        finally:
            stop.set()


async def is_anchored(person: Person) -> bool:
    found = await report(person)
    return found["ok"] and found["anchored_seq"] == found["checked"]


async def test_the_end_of_the_log_follows_what_is_written_by_itself(app: App, owner: Person):
    async with anchoring(app):
        await until(lambda: is_anchored(owner))
        await tell_something(owner)
        await until(lambda: is_anchored(owner))
    tenant_id = await tenant_of(owner)
    newest = [LogHead.model_validate_json(head_files(app, place, tenant_id)[-1].read_bytes()) for place in PLACES]
    assert newest[0] == newest[1]


async def test_words_on_the_channel_that_name_no_workspace_are_left_aside(app: App, owner: Person):
    gone = "01990000-0000-7000-8000-000000000001"
    assert await app.anchoring.round({"nonsense", gone, str(await tenant_of(owner))}) == set()
    assert (await report(owner))["anchored_seq"] > 0


async def test_a_stranger_who_holds_the_lock_keeps_nothing_from_being_anchored(app: App, owner: Person):
    stop = asyncio.Event()
    async with await psycopg.AsyncConnection.connect(app.engine.admin_url, autocommit=True) as stranger:
        await stranger.execute("select pg_advisory_lock(hashtextextended('audit anchoring', 0))")
        async with asyncio.TaskGroup() as group:
            group.create_task(replace(app.anchoring.leader, standby_s=0.1).run(stop))
            await tell_something(owner)
            await until(lambda: is_anchored(owner))
            stop.set()


async def test_what_was_written_while_nobody_listened_is_anchored_at_the_next_start(app: App, owner: Person):
    await tell_something(owner)
    async with anchoring(app):
        await until(lambda: is_anchored(owner))


async def test_a_process_that_is_asked_to_stop_anchors_what_it_heard_of(app: App, owner: Person):
    async with anchoring(app):
        await until(lambda: is_anchored(owner))
        await tell_something(owner)
    found = await report(owner)
    assert found["checked"] - found["anchored_seq"] <= 1


async def test_two_processes_at_once_agree(app: App, owner: Person):
    other = App(app.settings, app.engine)
    tenant_id = await tenant_of(owner)
    try:
        for _ in range(5):
            await tell_something(owner)
            await asyncio.gather(*(anchor_log(each.db, each.anchors, tenant_id) for each in (app, other)))
        assert (await report(owner))["findings"] == []
        async with anchoring(app, other):
            await tell_something(owner)
            await until(lambda: is_anchored(owner))
    finally:
        await other.close()


async def test_a_log_that_is_longer_than_its_anchor_is_whole(app: App, owner: Person):
    head = await anchor(app, owner)
    await tell_something(owner)
    found = await report(owner)
    assert (found["ok"], found["anchored_seq"]) == (True, head.seq)
    assert found["checked"] > head.seq


async def test_writing_and_anchoring_while_the_log_is_checked_is_no_alarm(app: App, owner: Person, member: Person):
    await anchor(app, owner)

    async def look() -> list[object]:
        return [finding for _ in range(15) for finding in (await report(owner))["findings"]]

    tenant_id = str(await tenant_of(owner))
    told = await asyncio.gather(look(), look(), tell_something(member, 30), app.anchoring.round({tenant_id}))
    assert told[:2] == [[], []]


async def test_a_first_anchor_while_the_log_is_checked_is_no_alarm(app: App, owner: Person):
    tenant_id = await tenant_of(owner)
    begun = 0

    @asynccontextmanager
    async def begin() -> AsyncIterator[Tx]:
        nonlocal begun
        begun += 1
        if begun == 1:
            await anchor_log(app.db, app.anchors, tenant_id)
        async with app.db.begin(System(tenant_id)) as tx:
            yield tx

    assert (await verify.check_log(begin, app.anchors, tenant_id)).ok
    assert begun == 2


async def test_a_log_that_was_never_anchored_is_whole(owner: Person):
    assert (await report(owner))["findings"] == []


@pytest.mark.parametrize("place", PLACES)
async def test_a_crash_between_the_two_places_is_no_alarm_and_is_mended(app: App, owner: Person, place: str):
    tenant_id = await tenant_of(owner)
    sighting = await app.anchors.load_heads(tenant_id)
    first = await anchor_log(app.db, app.anchors, tenant_id)
    assert sighting.newest is None
    assert first is not None
    tamper(app.engine.admin_url, f"delete from audit_log_entries where seq > {first.seq}")
    drop_anchors(app, place)
    assert (await report(owner))["findings"] == []
    await anchor(app, owner)
    assert (await report(owner))["findings"] == []
    assert all(head_files(app, each, tenant_id) for each in PLACES)


async def test_a_place_that_lags_behind_is_no_alarm(app: App, owner: Person):
    await anchor(app, owner)
    tenant_id = await tenant_of(owner)
    await tell_something(owner)
    await anchor(app, owner)
    head_files(app, PLACES[1], tenant_id)[-1].unlink()
    assert (await report(owner))["findings"] == []


async def test_few_heads_are_kept(app: App, owner: Person):
    for _ in range(8):
        await tell_something(owner, 1)
        await anchor(app, owner)
    assert len(head_files(app, PLACES[0], await tenant_of(owner))) == 4


async def test_a_place_that_cannot_be_written_is_tried_again(app: App, owner: Person):
    tenant_id = await tenant_of(owner)
    (app.settings.data / PLACES[0]).write_text("in the way")
    assert await app.anchoring.round({str(tenant_id)}) == {str(tenant_id)}
    (app.settings.data / PLACES[0]).unlink()
    assert await app.anchoring.round({str(tenant_id)}) == set()
    await anchor(app, owner)
    assert (await report(owner))["findings"] == []


async def test_a_log_from_before_entries_were_sealed_is_whole_and_sealed_from_then_on(app: App, owner: Person):
    await tell_something(owner)
    tamper(app.engine.admin_url, _UNSEAL)
    assert (await report(owner))["findings"] == []
    head = await anchor(app, owner)
    assert head.accepted_until == head.seq - 1
    assert (await report(owner))["findings"] == []
    tamper(app.engine.admin_url, "update audit_log_entries set success = not success where seq = 2")
    recompute(app.engine.admin_url, await tenant_of(owner))
    assert {"diverged", "rewritten"} <= await kinds(owner)


async def test_the_database_takes_no_entry_without_a_seal(app: App, owner: Person):
    columns = "tenant_id, id, seq, event_type, success, details, previous_hash, hash"
    statement = f"insert into audit_log_entries ({columns}) values (:tenant_id, :id, 99, 'error', true, '{{}}', '', '')"
    tenant_id = await tenant_of(owner)
    with pytest.raises(DBAPIError, match="row-level security"):
        async with app.db.begin(System(tenant_id)) as tx:
            await tx.session.execute(text(statement), {"tenant_id": tenant_id, "id": tenant_id})


async def test_a_restored_backup_is_told_until_it_is_accepted_and_the_log_says_so(app: App, owner: Person):
    await tell_something(owner)
    await anchor(app, owner)
    tamper(app.engine.admin_url, "delete from audit_log_entries where seq > 3")
    await tell_something(owner, 1)
    assert verify_by_command(app).code == 1
    accepted = verify_by_command(app, "--accept", "restored the backup of Monday")
    assert (accepted.code, accepted.json["accepted"]) == (0, [str(await tenant_of(owner))])
    assert (await report(owner))["findings"] == []
    entry = (await owner.client.get("/audit")).json()["items"][0]
    assert entry["details"] == {
        "change": "log_accepted",
        "reason": "restored the backup of Monday",
        "found": "cut diverged",
    }
    await tell_something(owner)
    await anchor(app, owner)
    assert (await report(owner))["findings"] == []
    tamper(app.engine.admin_url, "delete from audit_log_entries where seq > 4")
    assert await kinds(owner) == {"cut"}


async def test_a_chain_that_does_not_fit_itself_is_not_accepted(app: App, owner: Person):
    await tell_something(owner)
    tamper(app.engine.admin_url, "delete from audit_log_entries where seq = 3")
    refused = verify_by_command(app, "--accept", "never mind")
    assert refused.code != 0
    assert "cannot be accepted" in refused.err
    assert await kinds(owner) == {"missing"}


async def test_another_secret_is_told_until_it_is_accepted(app: App, owner: Person):
    await tell_something(owner)
    await anchor(app, owner)
    other = App(app.settings.model_copy(update={"secret_key": SecretStr("n" * 48)}), app.engine)
    tenant_id = await tenant_of(owner)

    async def findings() -> set[str]:
        sighting = await other.anchors.load_heads(tenant_id)
        async with other.db.begin(System(tenant_id)) as tx:
            return {each.kind for each in (await verify.check(tx, other.anchors, sighting)).findings}

    try:
        await other.anchoring.round(None)
        assert await findings() == {"unknown_key", "anchor_forged", "anchor_missing"}
        await accept(other.db, other.anchors, tenant_id, reason="changed the secret")
        assert await findings() == set()
        await other.anchoring.round(None)
        assert await findings() == set()
    finally:
        await other.close()


async def test_a_process_without_the_secret_records_nothing(app: App, owner: Person):
    database = Database(app.engine.app_url)
    try:
        with pytest.raises(SecretMissing, match="INTELLI_SECRET_KEY"):
            async with database.begin(System(await tenant_of(owner))) as tx:
                await record(tx, EventType.ERROR)
    finally:
        await database.close()
