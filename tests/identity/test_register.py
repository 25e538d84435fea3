"""Signing up."""

import asyncio

import httpx
from tests.support.server import PASSWORD, Person, Visit, join, register


async def test_the_first_account_owns_the_installation_and_its_workspace(owner: Person):
    me = await owner.me()
    assert me["role"] == "owner"
    assert me["owns_installation"] is True
    assert me["workspace"]["name"] == "Research"
    assert [room["name"] for room in me["workspaces"]] == ["Research"]


async def test_the_installation_tells_a_visitor_whether_it_has_an_owner(client: httpx.AsyncClient):
    assert (await client.get("/installation")).json()["claimed"] is False
    await register(client, "first@example.org")
    assert (await client.get("/installation")).json()["claimed"] is True


async def test_of_many_first_sign_ups_at_once_exactly_one_wins(visit: Visit):
    async def sign_up(number: int) -> int:
        body = {"email": f"p{number}@example.org", "password": PASSWORD, "name": "P"}
        return (await visit().post("/auth/register", json=body)).status_code

    codes = await asyncio.gather(*(sign_up(number) for number in range(30)))
    assert sorted(codes) == [201] + [403] * 29


async def test_without_an_invitation_a_second_account_is_refused(owner: Person, client: httpx.AsyncClient):
    body = {"email": "new@example.org", "password": PASSWORD, "name": "New"}
    answer = await client.post("/auth/register", json=body)
    assert (answer.status_code, answer.json()["code"]) == (403, "registration_closed")


async def test_an_invitation_leads_into_the_workspace_with_its_role(owner: Person, visit: Visit):
    viewer = await join(owner, visit(), "viewer@example.org", role="viewer")
    me = await viewer.me()
    assert (me["role"], me["workspace"]["name"], me["owns_installation"]) == ("viewer", "Research", False)
    assert me["scopes"] == ["read"]
