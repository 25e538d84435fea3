"""The chain of entries: whole, append-only, and broken by any change."""

import asyncio

import psycopg
import pytest
from psycopg import errors
from tests.audit.makers import report, tell_something
from tests.support.server import Person, Visit, register

from intelli.app import Engine


async def test_a_chain_that_nobody_touched_is_whole(owner: Person):
    await tell_something(owner)
    found = await report(owner)
    assert found["ok"] is True
    assert found["checked"] == (await owner.client.get("/audit")).json()["items"][0]["seq"]


async def test_entries_written_at_once_still_form_one_chain(owner: Person, member: Person):
    await asyncio.gather(*(tell_something(person, 10) for person in (owner, member)))
    assert (await report(owner))["ok"] is True


@pytest.mark.parametrize(
    ("tampering", "reason"),
    [
        ("update audit_log_entries set success = not success where seq = 2", "Entry 2 is not as first written"),
        ("update audit_log_entries set details = '{\"x\": 1}' where seq = 2", "Entry 2 is not as first written"),
        (
            "update audit_log_entries set created_at = created_at + interval '1 microsecond' where seq = 2",
            "Entry 2 is not as first written",
        ),
        ("update audit_log_entries set user_id = gen_random_uuid() where seq = 2", "Entry 2 is not as first written"),
        ("update audit_log_entries set hash = repeat('0', 64) where seq = 2", "Entry 2 is not as first written"),
        ("update audit_log_entries set previous_hash = repeat('0', 64) where seq = 2", "Entry 2 is not the one"),
        ("delete from audit_log_entries where seq = 2", "Entry 2 is missing"),
    ],
)
async def test_any_change_behind_our_back_is_found(owner: Person, admin_url: str, tampering: str, reason: str):
    await tell_something(owner)
    with psycopg.connect(admin_url) as connection:
        connection.execute(tampering)
    found = await report(owner)
    assert (found["ok"], found["first_broken_seq"]) == (False, 2)
    assert str(found["reason"]).startswith(reason)


@pytest.mark.parametrize(
    "statement",
    ["update audit_log_entries set success = false", "delete from audit_log_entries", "truncate audit_log_entries"],
)
async def test_the_application_role_cannot_change_what_was_written(owner: Person, engine: Engine, statement: str):
    with psycopg.connect(engine.app_url) as connection, pytest.raises(errors.InsufficientPrivilege):
        connection.execute(statement)


async def test_each_workspace_has_a_chain_of_its_own(owner: Person):
    await tell_something(owner)
    other = (await owner.client.post("/workspaces", json={"name": "Second"})).json()["id"]
    owner.adopt((await owner.client.post("/auth/switch", json={"workspace_id": other})).json())
    entries = (await owner.client.get("/audit")).json()["items"]
    assert [entry["seq"] for entry in entries] == [2, 1]
    assert entries[-1]["previous_hash"] == "0" * 64


async def test_only_an_admin_verifies(member: Person):
    assert (await member.client.get("/audit/verify")).status_code == 403


async def test_a_sign_up_that_fails_leaves_no_entry(owner: Person, visit: Visit):
    before = (await owner.client.get("/audit")).json()["items"][0]["seq"]
    body = {"email": "x@example.org", "password": "correct horse", "name": "X"}
    assert (await visit().post("/auth/register", json=body)).status_code == 403
    token = (await owner.client.post("/invitations", json={})).json()["token"]
    await register(visit(), "y@example.org", invitation_token=token)
    assert (await owner.client.get("/audit")).json()["items"][0]["seq"] == before + 2
