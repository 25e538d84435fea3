"""Idempotency-Key: a repeated request gets the first answer and creates nothing again."""

import asyncio

from tests.support.server import Person, Visit, join, running

from intelli.app import App, Engine
from intelli.settings import Settings

KEY = {"Idempotency-Key": "a-key"}


async def keys_of(person: Person) -> int:
    return len((await person.client.get("/api-keys")).json()["items"])


async def test_a_repeated_request_gets_the_same_answer_with_its_secret(owner: Person):
    first = await owner.client.post("/api-keys", json={"name": "k"}, headers=KEY)
    again = await owner.client.post("/api-keys", json={"name": "k"}, headers=KEY)
    assert (first.status_code, again.status_code) == (201, 201)
    assert first.json() == again.json()
    assert await keys_of(owner) == 1


async def test_requests_with_one_key_at_once_do_the_work_once(owner: Person):
    answers = await asyncio.gather(*(owner.client.post("/api-keys", json={"name": "k"}, headers=KEY) for _ in range(8)))
    assert len({answer.json()["key"] for answer in answers}) == 1
    assert await keys_of(owner) == 1


async def test_a_key_used_for_another_request_is_refused(owner: Person):
    await owner.client.post("/api-keys", json={"name": "k"}, headers=KEY)
    other = await owner.client.post("/api-keys", json={"name": "other"}, headers=KEY)
    assert (other.status_code, other.json()["code"]) == (422, "idempotency_key_reused")
    elsewhere = await owner.client.post("/invitations", json={"name": "k"}, headers=KEY)
    assert elsewhere.status_code == 422


async def test_a_request_that_failed_may_be_tried_again_with_its_key(owner: Person):
    bad = await owner.client.post("/api-keys", json={"name": "k", "expires_at": "2020-01-01T00:00:00Z"}, headers=KEY)
    good = await owner.client.post("/api-keys", json={"name": "k"}, headers=KEY)
    assert (bad.status_code, good.status_code) == (422, 201)


async def test_two_people_may_use_the_same_key(owner: Person, visit: Visit):
    other = await join(owner, visit(), "other@example.org")
    for person in (owner, other):
        answer = await person.client.post("/api-keys", json={"name": "k"}, headers=KEY)
        assert answer.status_code == 201
        assert await keys_of(person) == 1


async def test_a_founded_workspace_is_answered_again_too(owner: Person):
    first = (await owner.client.post("/workspaces", json={"name": "Second"}, headers=KEY)).raise_for_status()
    again = await owner.client.post("/workspaces", json={"name": "Second"}, headers=KEY)
    assert first.json() == again.json()
    assert len((await owner.me())["workspaces"]) == 2


async def test_an_answer_kept_under_a_lost_secret_is_told_as_done(owner: Person, settings: Settings, engine: Engine):
    await owner.client.post("/api-keys", json={"name": "k"}, headers=KEY)
    changed = App(settings.model_copy(update={"secret_key": type(settings.secret_key)("n" * 48)}), engine)
    async with running(changed) as address:
        owner.client.base_url = f"{address}/api/v1"
        await owner.sign_in()
        answer = await owner.client.post("/api-keys", json={"name": "k"}, headers=KEY)
    await changed.close()
    assert (answer.status_code, answer.json()["code"]) == (409, "answer_unreadable")
