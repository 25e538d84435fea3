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


def grow_old(admin_url: str) -> None:
    """Let half a minute pass for all refresh tokens that were used."""
    with psycopg.connect(admin_url) as connection:
        connection.execute("update refresh_tokens set used_at = used_at - interval '31 seconds'")


async def refresh(client: httpx.AsyncClient, token: str) -> httpx.Response:
    return await client.post("/auth/refresh", json={"refresh_token": token})


async def test_a_rotated_refresh_token_shown_again_later_kills_its_whole_family(owner: Person, admin_url: str):
    first = owner.tokens["refresh_token"]
    second = (await refresh(owner.client, first)).json()
    grow_old(admin_url)
    again = await refresh(owner.client, first)
    assert (again.status_code, again.json()["code"]) == (401, "refresh_token_reused")
    assert (await refresh(owner.client, second["refresh_token"])).status_code == 401
    owner.adopt(second)
    assert (await owner.client.get("/auth/me")).status_code == 401


async def test_a_family_that_dies_leaves_the_persons_other_sessions_alone(owner: Person, visit: Visit, admin_url: str):
    elsewhere = Person(visit(), owner.email, {})
    await elsewhere.sign_in()
    for _ in range(2):
        await refresh(owner.client, owner.tokens["refresh_token"])
        grow_old(admin_url)
    assert (await owner.client.get("/auth/me")).status_code == 401
    assert (await elsewhere.client.get("/auth/me")).status_code == 200


async def test_tabs_that_use_one_token_at_the_same_moment_all_go_on_with_the_same_successor(
    owner: Person, visit: Visit, admin_url: str
):
    clients = [visit() for _ in range(10)]
    answers = await asyncio.gather(*(refresh(client, owner.tokens["refresh_token"]) for client in clients))
    assert {answer.status_code for answer in answers} == {200}
    (successor,) = {answer.json()["refresh_token"] for answer in answers}
    for answer in answers:
        owner.adopt(answer.json())
        assert (await owner.client.get("/auth/me")).status_code == 200
    grow_old(admin_url)
    assert (await refresh(owner.client, successor)).status_code == 200


async def test_an_answer_that_was_lost_on_the_way_keeps_the_session(owner: Person, address: str, admin_url: str):
    first, url = owner.tokens["refresh_token"], httpx.URL(address)
    body = json.dumps({"refresh_token": first}).encode()
    head = f"POST /api/v1/auth/refresh HTTP/1.1\r\nHost: {url.netloc.decode()}\r\nContent-Length: {len(body)}\r\n"
    reader, writer = await asyncio.open_connection(url.host, url.port)
    writer.write(head.encode() + b"Content-Type: application/json\r\n\r\n" + body)
    await reader.readexactly(1)
    writer.transport.abort()
    kept = (await refresh(owner.client, first)).raise_for_status().json()
    grow_old(admin_url)
    assert (await refresh(owner.client, kept["refresh_token"])).status_code == 200


async def test_a_late_tab_gets_the_newest_token_and_no_used_one(owner: Person, admin_url: str):
    first = owner.tokens["refresh_token"]
    second = (await refresh(owner.client, first)).json()["refresh_token"]
    third = (await refresh(owner.client, second)).json()["refresh_token"]
    assert (await refresh(owner.client, first)).json()["refresh_token"] == third
    grow_old(admin_url)
    assert (await refresh(owner.client, third)).status_code == 200


async def test_a_token_of_an_ended_session_is_refused_within_the_grace_too(owner: Person):
    first = owner.tokens["refresh_token"]
    second = (await refresh(owner.client, first)).json()
    await owner.client.post("/auth/logout", json={"refresh_token": second["refresh_token"]})
    assert [(await refresh(owner.client, token)).status_code for token in (first, second["refresh_token"])] == [401] * 2


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
