"""API keys."""

from datetime import UTC, datetime, timedelta

import httpx
import psycopg
import pytest
from tests.support.server import Person, Visit, join

from intelli.identity import credentials
from intelli.identity.credentials import CredentialKind


async def create(person: Person, **more: object) -> dict[str, str]:
    answer = await person.client.post("/api-keys", json={"name": "robot", **more})
    return answer.raise_for_status().json()


def using(client: httpx.AsyncClient, key: str) -> httpx.AsyncClient:
    client.headers["X-API-Key"] = key
    return client


async def test_a_key_is_shown_once_and_listed_by_its_prefix(owner: Person):
    created = await create(owner)
    assert created["key"].startswith("ik_")
    listed = (await owner.client.get("/api-keys")).json()["items"][0]
    assert "key" not in listed
    assert created["key"].startswith(listed["prefix"])
    assert listed["scopes"] == ["read"]
    assert listed["last_used_at"] is None


async def test_a_key_opens_the_door_and_its_use_is_remembered(owner: Person, client: httpx.AsyncClient):
    created = await create(owner)
    me = (await using(client, created["key"]).get("/auth/me")).json()
    assert (me["auth_method"], me["scopes"], me["session_id"]) == ("api_key", ["read"], None)
    assert (await owner.client.get("/api-keys")).json()["items"][0]["last_used_at"] is not None


async def test_a_revoked_key_fails_on_the_next_request(owner: Person, client: httpx.AsyncClient):
    created = await create(owner)
    using(client, created["key"])
    assert (await client.get("/auth/me")).status_code == 200
    assert (await owner.client.delete(f"/api-keys/{created['id']}")).status_code == 204
    answer = await client.get("/auth/me")
    assert (answer.status_code, answer.json()["code"]) == (401, "invalid_api_key")
    assert (await owner.client.delete(f"/api-keys/{created['id']}")).status_code == 404


async def test_an_expired_key_fails(owner: Person, client: httpx.AsyncClient, admin_url: str):
    created = await create(owner, expires_at=(datetime.now(UTC) + timedelta(days=1)).isoformat())
    assert (await using(client, created["key"]).get("/auth/me")).status_code == 200
    with psycopg.connect(admin_url) as connection:
        connection.execute("update api_keys set expires_at = now() - interval '1 second'")
    assert (await client.get("/auth/me")).status_code == 401


async def test_a_key_cannot_expire_in_the_past(owner: Person):
    answer = await owner.client.post("/api-keys", json={"name": "k", "expires_at": "2020-01-01T00:00:00Z"})
    assert (answer.status_code, answer.json()["code"]) == (422, "expiry_in_past")


async def test_a_key_cannot_live_for_ever_by_a_date(owner: Person):
    answer = await owner.client.post("/api-keys", json={"name": "k", "expires_at": "9999-12-31T23:59:59-14:00"})
    assert (answer.status_code, answer.json()["code"]) == (422, "expiry_too_far")


async def test_a_reading_key_does_not_write_whoever_owns_it(owner: Person, client: httpx.AsyncClient):
    created = await create(owner, scopes=["read"])
    answer = await using(client, created["key"]).patch("/workspace", json={"name": "Mine"})
    assert (answer.status_code, answer.json()["code"]) == (403, "scope_missing")


async def test_a_writing_key_of_an_owner_removes_nobody(owner: Person, member: Person, client: httpx.AsyncClient):
    created = await create(owner, scopes=["read", "write"])
    answer = await using(client, created["key"]).delete(f"/members/{(await member.me())['user']['id']}")
    assert (answer.status_code, answer.json()["code"]) == (403, "role_too_low")


async def test_a_key_makes_no_keys(owner: Person, client: httpx.AsyncClient):
    created = await create(owner, scopes=["read", "write", "admin"])
    answer = await using(client, created["key"]).post("/api-keys", json={"name": "more"})
    assert (answer.status_code, answer.json()["code"]) == (403, "person_required")


async def test_a_members_key_never_gets_admin(member: Person):
    answer = await member.client.post("/api-keys", json={"name": "more", "scopes": ["read", "admin"]})
    assert (answer.status_code, answer.json()["code"]) == (422, "scopes_too_wide")


async def test_a_key_shrinks_with_its_owners_role(owner: Person, visit: Visit):
    admin = await join(owner, visit(), "admin@example.org", role="admin")
    key = using(visit(), (await create(admin, scopes=["read", "admin"]))["key"])
    assert (await key.get("/invitations")).status_code == 200
    user_id = (await admin.me())["user"]["id"]
    assert (await owner.client.patch(f"/members/{user_id}", json={"role": "viewer"})).status_code == 200
    assert (await key.get("/invitations")).status_code == 403


async def test_a_key_goes_with_its_owners_membership(owner: Person, member: Person, client: httpx.AsyncClient):
    using(client, (await create(member))["key"])
    assert (await client.get("/auth/me")).status_code == 200
    await owner.client.delete(f"/members/{(await member.me())['user']['id']}")
    assert (await client.get("/auth/me")).status_code == 401


async def test_a_key_is_not_a_person(owner: Person, client: httpx.AsyncClient):
    created = await create(owner, scopes=["read", "write", "admin"])
    answer = await using(client, created["key"]).get("/auth/sessions")
    assert (answer.status_code, answer.json()["code"]) == (403, "person_required")


async def test_nobody_sees_or_revokes_the_keys_of_another(owner: Person, member: Person):
    created = await create(member)
    assert (await owner.client.get("/api-keys")).json()["items"] == []
    assert (await owner.client.delete(f"/api-keys/{created['id']}")).status_code == 404


async def test_a_token_and_a_key_together_are_refused(owner: Person):
    created = await create(owner)
    answer = await owner.client.get("/auth/me", headers={"X-API-Key": created["key"]})
    assert (answer.status_code, answer.json()["code"]) == (401, "two_credentials")


@pytest.mark.parametrize("key", ["ik_", "ik_short", "xx_" + "a" * 49, "ik_" + "a" * 49, "ik_" + "ä" * 49])
async def test_a_key_with_a_typo_is_refused_without_a_look_up(client: httpx.AsyncClient, key: str):
    assert not credentials.is_well_formed(key, CredentialKind.API_KEY)
    answer = await client.get("/auth/me", headers=[("X-API-Key", key.encode("latin-1"))])
    assert answer.status_code == 401


def test_every_single_wrong_character_breaks_the_checksum():
    key = credentials.mint(CredentialKind.API_KEY)
    assert credentials.is_well_formed(key, CredentialKind.API_KEY)
    for place in range(3, len(key)):
        wrong = key[:place] + ("a" if key[place] != "a" else "b") + key[place + 1 :]
        assert not credentials.is_well_formed(wrong, CredentialKind.API_KEY)


async def test_making_and_revoking_a_key_is_told_in_the_log(owner: Person):
    created = await create(owner)
    await owner.client.delete(f"/api-keys/{created['id']}")
    entries = (await owner.client.get("/audit")).json()["items"]
    assert [entry["event_type"] for entry in entries[:2]] == ["key_revoked", "key_created"]
    assert {entry["entity_id"] for entry in entries[:2]} == {created["id"]}


async def test_a_key_that_may_do_more_may_do_less_as_well(owner: Person, client: httpx.AsyncClient):
    created = await create(owner, scopes=["write"])
    assert created["scopes"] == ["read", "write"]
    assert (await using(client, created["key"]).get("/documents")).status_code == 200
