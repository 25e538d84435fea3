"""What somebody can do who has the database, or the places beside it, but not the secret: each is found, twice."""

import json
import shutil
from collections.abc import Callable
from uuid import UUID

import pytest
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
    told_to_the_operator,
    verify_by_command,
)
from tests.support.server import Person

from intelli.app import App
from intelli.audit import keys, statements
from intelli.audit.statements import LogHead

Tampering = Callable[[App, UUID], None]
_CHANGE = 'update audit_log_entries set details = \'{"change": "nothing"}\' where seq = 3'


def sql(*statements: str) -> Tampering:
    return lambda app, _: tamper(app.engine.admin_url, *statements)


def rewrite(app: App, tenant_id: UUID) -> None:
    tamper(app.engine.admin_url, _CHANGE)
    recompute(app.engine.admin_url, tenant_id)


def cut_and_close_the_gap(app: App, tenant_id: UUID) -> None:
    tamper(
        app.engine.admin_url,
        "delete from audit_log_entries where seq = 3",
        "update audit_log_entries set seq = -seq where seq > 3",
        "update audit_log_entries set seq = -seq - 1 where seq < 0",
    )
    recompute(app.engine.admin_url, tenant_id)


def swap(app: App, tenant_id: UUID) -> None:
    tamper(
        app.engine.admin_url,
        "update audit_log_entries set seq = -1 where seq = 3",
        "update audit_log_entries set seq = 3 where seq = 4",
        "update audit_log_entries set seq = 4 where seq = -1",
    )
    recompute(app.engine.admin_url, tenant_id)


def strip_seals(app: App, tenant_id: UUID) -> None:
    """Make the log look like one from before entries were sealed, with a change in it."""
    tamper(
        app.engine.admin_url,
        "delete from audit_log_entries where details ->> 'change' = 'log_anchored'",
        "update audit_log_entries set seal = null, seal_key = null",
        _CHANGE,
    )
    recompute(app.engine.admin_url, tenant_id)


def strip_seals_and_drop_anchors(app: App, tenant_id: UUID) -> None:
    strip_seals(app, tenant_id)
    for place in PLACES:
        shutil.rmtree(app.settings.data / place / str(tenant_id))


def forge_head(app: App, tenant_id: UUID) -> None:
    """Cut the log, and put a head of its new end in both places, signed with a key of one's own."""
    tamper(app.engine.admin_url, "delete from audit_log_entries where seq > 2")
    for place in PLACES:
        for path in head_files(app, place, tenant_id):
            head = LogHead.model_validate_json(path.read_bytes()).model_copy(update={"seq": 2})
            forged = statements.sign(head, keys.derive(b"another secret of at least 32 bytes"))
            path.unlink()
            path.with_name("000001-0000000000000000002.json").write_text(forged.model_dump_json())


def edit_head(app: App, tenant_id: UUID) -> None:
    for place in PLACES:
        for path in head_files(app, place, tenant_id):
            path.write_text(json.dumps({**json.loads(path.read_text()), "accepted_until": 99}))


def delete_everything(app: App, _tenant_id: UUID) -> None:
    tamper(app.engine.admin_url, "delete from audit_log_entries")
    drop_anchors(app, *PLACES)


TAMPERINGS: dict[str, tuple[Tampering, set[str]]] = {
    "the last entries are deleted": (sql("delete from audit_log_entries where seq > 3"), {"cut"}),
    "all entries are deleted": (sql("delete from audit_log_entries"), {"emptied"}),
    "an entry in the middle is deleted": (sql("delete from audit_log_entries where seq = 3"), {"missing"}),
    "an entry is deleted and the gap closed": (cut_and_close_the_gap, {"rewritten", "cut"}),
    "an entry is changed": (sql(_CHANGE), {"changed"}),
    "an entry is made at no time at all": (
        sql("update audit_log_entries set created_at = 'infinity' where seq = 3"), {"changed"}
    ),
    "the details are made a list": (sql("update audit_log_entries set details = '[]' where seq = 3"), {"changed"}),
    "an entry is changed and all hashes computed anew": (rewrite, {"rewritten", "diverged"}),
    "two entries are swapped and all hashes computed anew": (swap, {"rewritten", "diverged"}),
    "all seals are taken away": (strip_seals, {"unsealed", "cut"}),
    "the log and its anchors are made to look old": (strip_seals_and_drop_anchors, {"unsealed"}),
    "a row is added below the first": (
        sql(
            "insert into audit_log_entries select tenant_id, gen_random_uuid(), created_at, 0, event_type, user_id, "
            "conversation_id, run_id, entity_type, entity_id, success, details, previous_hash, hash, seal_key, seal "
            "from audit_log_entries where seq = 1"
        ),
        {"added"},
    ),
    "all entries and all anchors are deleted": (delete_everything, {"beginning_missing"}),
    "the anchors in the data directory are deleted": (
        lambda app, _: drop_anchors(app, PLACES[0]), {"anchor_missing"}
    ),
    "the anchors in the blob store are deleted": (lambda app, _: drop_anchors(app, PLACES[1]), {"anchor_missing"}),
    "all anchors are deleted": (lambda app, _: drop_anchors(app, *PLACES), {"anchor_missing"}),
    "the log is cut and all anchors forged with another key": (forge_head, {"anchor_forged"}),
    "the anchors are edited": (edit_head, {"anchor_forged"}),
}  # fmt: skip


@pytest.mark.parametrize("how", TAMPERINGS)
async def test_it_is_found_and_stays_found_when_the_product_goes_on(app: App, owner: Person, how: str):
    do, expected = TAMPERINGS[how]
    await tell_something(owner)
    await anchor(app, owner)
    assert (await report(owner))["ok"] is True
    tenant_id = await tenant_of(owner)
    do(app, tenant_id)
    assert expected <= await kinds(owner)
    assert await told_to_the_operator(app, tenant_id)
    for _ in range(3):
        await tell_something(owner)
        await app.anchoring.round({str(tenant_id)})
    await app.anchoring.round(None)
    assert (await report(owner))["ok"] is False


@pytest.mark.parametrize("how", ["the last entries are deleted", "all entries and all anchors are deleted"])
async def test_the_command_tells_of_it_and_ends_with_1(app: App, owner: Person, how: str):
    await tell_something(owner)
    await anchor(app, owner)
    TAMPERINGS[how][0](app, await tenant_of(owner))
    outcome = verify_by_command(app)
    assert outcome.code == 1
    assert {broken["room"] for broken in outcome.json["broken"]} == {"audit"}


async def test_rows_of_another_workspace_are_not_taken_for_ones_own(app: App, owner: Person):
    await tell_something(owner)
    await anchor(app, owner)
    tenant_id = await tenant_of(owner)
    other = (await owner.client.post("/workspaces", json={"name": "Second"})).json()["id"]
    tamper(
        app.engine.admin_url,
        f"delete from audit_log_entries where tenant_id = '{other}'",
        f"update audit_log_entries set tenant_id = '{other}' where tenant_id = '{tenant_id}'",
    )
    assert "emptied" in await kinds(owner)
    owner.adopt((await owner.client.post("/auth/switch", json={"workspace_id": other})).json())
    assert "changed" in await kinds(owner)


async def test_a_workspace_that_vanished_is_found_by_the_command(app: App, owner: Person):
    await anchor(app, owner)
    other = (await owner.client.post("/workspaces", json={"name": "Second"})).json()["id"]
    await app.anchoring.round({other})
    tamper(app.engine.admin_url, f"delete from workspaces where id = '{other}'")
    outcome = verify_by_command(app)
    assert outcome.code == 1
    assert "The workspace is missing" in outcome.json["broken"][0]["finding"]
    assert verify_by_command(app, "--accept", "closed by hand").code == 0
    assert verify_by_command(app).code == 0
