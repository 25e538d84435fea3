"""Access tokens that were tampered with, and refresh tokens that were used twice."""

import asyncio
import base64
import json
import time
from typing import Any
from uuid import uuid4

import httpx
import jwt
import psycopg
import pytest
from tests.support.server import Person, Visit, join, register

from intelli.settings import Settings


def claims_of(person: Person) -> dict[str, Any]:
    return jwt.decode(person.tokens["access_token"], options={"verify_signature": False})


def unsigned(claims: dict[str, Any]) -> str:
    def part(value: dict[str, Any]) -> str:
        return base64.urlsafe_b64encode(json.dumps(value).encode()).decode().rstrip("=")

    return f"{part({'alg': 'none', 'typ': 'JWT'})}.{part(claims)}."


async def status_with(client: httpx.AsyncClient, token: str) -> int:
    return (await client.get("/auth/me", headers={"Authorization": f"Bearer {token}"})).status_code


async def test_a_token_without_a_signature_is_refused(owner: Person, client: httpx.AsyncClient):
    assert await status_with(client, unsigned(claims_of(owner))) == 401


@pytest.mark.parametrize("algorithm", ["HS256", "HS384", "HS512"])
async def test_a_token_of_another_key_is_refused(owner: Person, client: httpx.AsyncClient, algorithm: str):
    assert await status_with(client, jwt.encode(claims_of(owner), "z" * 64, algorithm=algorithm)) == 401


@pytest.mark.parametrize(
    "change",
    [
        {"exp": time.time() - 1},
        {"iat": time.time() + 86_400},
        {"aud": "someone else"},
        {"iss": "someone else"},
        {"role": "emperor"},
        {"sub": "not an id"},
        {"sub": str(uuid4())},
        {"tid": str(uuid4())},
        {"sid": str(uuid4())},
        {"sid": None},
        {"exp": "soon"},
    ],
    ids="-".join,
)
async def test_a_token_that_says_something_else_is_refused_even_when_signed(
    owner: Person, client: httpx.AsyncClient, settings: Settings, change: dict[str, Any]
):
    token = jwt.encode(claims_of(owner) | change, settings.signing_key, algorithm="HS256")
    assert await status_with(client, token) == 401


@pytest.mark.parametrize("missing", ["exp", "sub", "tid", "sid", "role", "aud", "iss"])
async def test_a_token_that_leaves_something_out_is_refused(
    owner: Person, client: httpx.AsyncClient, settings: Settings, missing: str
):
    claims = {name: value for name, value in claims_of(owner).items() if name != missing}
    assert await status_with(client, jwt.encode(claims, settings.signing_key, algorithm="HS256")) == 401


async def test_a_token_for_a_workspace_the_person_does_not_belong_to_is_refused(
    owner: Person, client: httpx.AsyncClient, settings: Settings
):
    other = (await owner.client.post("/workspaces", json={"name": "Other"})).json()["id"]
    stranger = await join(owner, client, "stranger@example.org")
    token = jwt.encode(claims_of(stranger) | {"tid": other}, settings.signing_key, algorithm="HS256")
    assert await status_with(client, token) == 401


async def test_a_claimed_higher_role_is_refused(member: Person, client: httpx.AsyncClient, settings: Settings):
    token = jwt.encode(claims_of(member) | {"role": "owner"}, settings.signing_key, algorithm="HS256")
    assert await status_with(client, token) == 401


@pytest.mark.parametrize("token", ["x", "a.b.c", "Bearer", "ik_" + "a" * 49, "é" * 20, "." * 9000])
async def test_junk_in_place_of_a_token_is_refused(client: httpx.AsyncClient, token: str):
    answer = await client.get("/auth/me", headers=[("Authorization", f"Bearer {token}".encode("latin-1"))])
    assert answer.status_code == 401
    assert answer.headers["WWW-Authenticate"] == "Bearer"


async def test_a_refresh_token_works_once_and_yields_the_next(owner: Person):
    first = owner.tokens["refresh_token"]
    second = (await owner.client.post("/auth/refresh", json={"refresh_token": first})).json()
    assert second["refresh_token"] != first
    owner.adopt(second)
    assert (await owner.client.get("/auth/me")).status_code == 200


async def test_a_rotated_refresh_token_shown_again_kills_its_whole_family(owner: Person):
    first = owner.tokens["refresh_token"]
    second = (await owner.client.post("/auth/refresh", json={"refresh_token": first})).json()
    again = await owner.client.post("/auth/refresh", json={"refresh_token": first})
    assert (again.status_code, again.json()["code"]) == (401, "refresh_token_reused")
    newest = await owner.client.post("/auth/refresh", json={"refresh_token": second["refresh_token"]})
    assert newest.status_code == 401
    owner.adopt(second)
    assert (await owner.client.get("/auth/me")).status_code == 401


async def test_a_family_that_dies_leaves_the_persons_other_sessions_alone(owner: Person, visit: Visit):
    elsewhere = Person(visit(), owner.email, {})
    await elsewhere.sign_in()
    for _ in range(2):
        await owner.client.post("/auth/refresh", json={"refresh_token": owner.tokens["refresh_token"]})
    assert (await elsewhere.client.get("/auth/me")).status_code == 200


async def test_of_many_uses_at_once_at_most_one_gets_tokens_and_the_family_dies(owner: Person, visit: Visit):
    async def use() -> httpx.Response:
        return await visit().post("/auth/refresh", json={"refresh_token": owner.tokens["refresh_token"]})

    answers = await asyncio.gather(*(use() for _ in range(8)))
    winners = [answer.json() for answer in answers if answer.status_code == 200]
    assert len(winners) == 1
    owner.adopt(winners[0])
    assert (await owner.client.get("/auth/me")).status_code == 401


@pytest.mark.parametrize("body", [None, {}, {"refresh_token": "ir_unknown"}, {"refresh_token": "x" * 512}])
async def test_an_unknown_refresh_token_is_refused(client: httpx.AsyncClient, body: dict[str, str] | None):
    answer = await client.post("/auth/refresh", json=body)
    assert (answer.status_code, answer.json()["code"]) == (401, "invalid_refresh_token")


async def test_no_secret_is_stored_in_clear(owner: Person, admin_url: str):
    key = (await owner.client.post("/api-keys", json={"name": "k"}, headers={"Idempotency-Key": "one"})).json()["key"]
    invitation = (await owner.client.post("/invitations", json={})).json()["token"]
    secrets = [key, invitation, owner.tokens["refresh_token"], owner.tokens["access_token"]]
    with psycopg.connect(admin_url) as connection:
        tables = connection.execute("select tablename from pg_tables where schemaname = 'public'").fetchall()
        dump = "".join(str(connection.execute(f"select t::text from {name} t").fetchall()) for (name,) in tables)
    assert owner.email in dump
    assert not [secret for secret in secrets if secret in dump]


async def test_an_account_of_another_workspace_stays_unknown(owner: Person, client: httpx.AsyncClient):
    answer = await client.post("/auth/login", json={"email": "nobody@example.org", "password": "some password"})
    assert answer.status_code == 401
    again = await register(
        client, "other@example.org", invitation_token=(await owner.client.post("/invitations", json={})).json()["token"]
    )
    assert (await again.me())["user"]["email"] == "other@example.org"
