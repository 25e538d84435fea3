"""Members, roles, invitations and workspaces."""

import asyncio
from collections.abc import AsyncIterator

import httpx
import psycopg
import pytest
from tests.support.server import PASSWORD, Person, Visit, join, register, running

from intelli.app import App, Engine
from intelli.identity.wire import RegistrationMode
from intelli.settings import Settings


async def id_of(person: Person) -> str:
    return (await person.me())["user"]["id"]


async def test_everyone_sees_who_is_in_the_workspace(owner: Person, member: Person):
    people = (await member.client.get("/members")).json()["items"]
    assert [(person["email"], person["role"]) for person in people] == [
        ("owner@example.org", "owner"),
        ("member@example.org", "member"),
    ]


async def test_a_new_role_holds_at_once_and_after_the_next_refresh(owner: Person, member: Person):
    await owner.client.patch(f"/members/{await id_of(member)}", json={"role": "admin"})
    assert (await member.client.get("/workspace")).status_code == 401
    renewed = await member.client.post("/auth/refresh", json={"refresh_token": member.tokens["refresh_token"]})
    member.adopt(renewed.json())
    assert (await member.client.get("/invitations")).status_code == 200


async def test_a_removed_member_is_out_at_once(owner: Person, member: Person):
    assert (await owner.client.delete(f"/members/{await id_of(member)}")).status_code == 204
    assert (await member.client.get("/workspace")).status_code == 401
    renewed = await member.client.post("/auth/refresh", json={"refresh_token": member.tokens["refresh_token"]})
    assert renewed.status_code == 401


async def test_a_member_may_leave_but_removes_nobody(owner: Person, member: Person):
    answer = await member.client.delete(f"/members/{await id_of(owner)}")
    assert (answer.status_code, answer.json()["code"]) == (403, "role_too_low")
    assert (await member.client.delete(f"/members/{await id_of(member)}")).status_code == 204


async def test_an_admin_neither_makes_nor_changes_an_owner(owner: Person, member: Person, visit: Visit):
    admin = await join(owner, visit(), "admin@example.org", role="admin")
    promote = await admin.client.patch(f"/members/{await id_of(member)}", json={"role": "owner"})
    demote = await admin.client.patch(f"/members/{await id_of(owner)}", json={"role": "viewer"})
    remove = await admin.client.delete(f"/members/{await id_of(owner)}")
    assert {answer.json()["code"] for answer in (promote, demote, remove)} == {"role_too_low"}


async def test_the_last_owner_stays(owner: Person):
    me = await id_of(owner)
    leave = await owner.client.delete(f"/members/{me}")
    demote = await owner.client.patch(f"/members/{me}", json={"role": "admin"})
    assert [(answer.status_code, answer.json()["code"]) for answer in (leave, demote)] == [(409, "last_owner")] * 2


async def test_of_two_owners_who_leave_at_once_one_stays(owner: Person, member: Person):
    me, other = await id_of(owner), await id_of(member)
    await owner.client.patch(f"/members/{other}", json={"role": "owner"})
    await member.sign_in()
    answers = await asyncio.gather(owner.client.delete(f"/members/{me}"), member.client.delete(f"/members/{other}"))
    assert sorted(answer.status_code for answer in answers) == [204, 409]


async def test_an_invitation_tells_its_holder_where_it_leads_and_works_once(owner: Person, visit: Visit):
    invitation = (await owner.client.post("/invitations", json={"role": "viewer"})).json()
    preview = (await visit().post("/invitations/preview", json={"token": invitation["token"]})).json()
    assert (preview["workspace_name"], preview["role"]) == ("Research", "viewer")
    await register(visit(), "a@example.org", invitation_token=invitation["token"])
    body = {"email": "b@example.org", "password": PASSWORD, "name": "B", "invitation_token": invitation["token"]}
    answer = await visit().post("/auth/register", json=body)
    assert (answer.status_code, answer.json()["code"]) == (404, "invitation_not_found")


async def test_of_many_who_use_a_link_at_once_one_gets_in(owner: Person, visit: Visit):
    token = (await owner.client.post("/invitations", json={})).json()["token"]

    async def use(number: int) -> int:
        body = {"email": f"p{number}@example.org", "password": PASSWORD, "name": "P", "invitation_token": token}
        return (await visit().post("/auth/register", json=body)).status_code

    assert sorted(await asyncio.gather(*(use(number) for number in range(6)))) == [201] + [404] * 5


async def test_an_invitation_for_an_address_is_for_that_address(owner: Person, visit: Visit):
    body = {"email": "Wanted@example.org", "role": "member"}
    token = (await owner.client.post("/invitations", json=body)).json()["token"]
    other = {"email": "other@example.org", "password": PASSWORD, "name": "O", "invitation_token": token}
    answer = await visit().post("/auth/register", json=other)
    assert (answer.status_code, answer.json()["code"]) == (403, "invitation_for_another")
    await register(visit(), "wanted@example.org", invitation_token=token)


async def test_a_withdrawn_or_expired_invitation_is_worthless(owner: Person, visit: Visit, admin_url: str):
    withdrawn, expired = [(await owner.client.post("/invitations", json={})).json() for _ in range(2)]
    assert (await owner.client.delete(f"/invitations/{withdrawn['id']}")).status_code == 204
    with psycopg.connect(admin_url) as connection:
        connection.execute("update invitations set expires_at = now() where id = %s", [expired["id"]])
    for invitation in (withdrawn, expired):
        answer = await visit().post("/invitations/preview", json={"token": invitation["token"]})
        assert (answer.status_code, answer.json()["code"]) == (404, "invitation_not_found")
    assert (await owner.client.get("/invitations")).json()["items"] == []


@pytest.mark.parametrize("body", [{"role": "owner"}, {"role": "emperor"}, {"expires_in_days": 0}, {"extra": 1}])
async def test_an_invitation_that_makes_no_sense_is_refused(owner: Person, body: dict[str, object]):
    answer = await owner.client.post("/invitations", json=body)
    assert answer.status_code == 422
    assert answer.json()["errors"][0]["field"].startswith("body.")


async def test_a_signed_in_person_joins_a_second_workspace_and_switches(owner: Person, member: Person):
    other = (await owner.client.post("/workspaces", json={"name": "Second"})).raise_for_status().json()
    owner.adopt((await owner.client.post("/auth/switch", json={"workspace_id": other["id"]})).raise_for_status().json())
    token = (await owner.client.post("/invitations", json={"role": "viewer"})).json()["token"]
    joined = (await member.client.post("/invitations/accept", json={"token": token})).json()
    assert joined == {"workspace_id": other["id"], "name": "Second", "role": "viewer"}
    again = (await owner.client.post("/invitations", json={})).json()["token"]
    assert (await member.client.post("/invitations/accept", json={"token": again})).json()["code"] == "already_member"
    old = member.tokens["access_token"]
    member.adopt((await member.client.post("/auth/switch", json={"workspace_id": other["id"]})).json())
    me = await member.me()
    assert (me["workspace"]["name"], me["role"]) == ("Second", "viewer")
    assert [room["name"] for room in me["workspaces"]] == ["Second", "Research"]
    left = await member.client.get("/auth/me", headers={"Authorization": f"Bearer {old}"})
    assert left.status_code == 401


async def test_a_workspace_one_does_not_belong_to_is_not_found(owner: Person, member: Person):
    other = (await owner.client.post("/workspaces", json={"name": "Second"})).json()["id"]
    answer = await member.client.post("/auth/switch", json={"workspace_id": other})
    assert (answer.status_code, answer.json()["code"]) == (404, "workspace_not_found")


async def test_only_the_installations_owner_founds_further_workspaces(member: Person):
    answer = await member.client.post("/workspaces", json={"name": "Mine"})
    assert (answer.status_code, answer.json()["code"]) == (403, "registration_closed")


async def test_a_login_leads_to_the_workspace_entered_last(owner: Person):
    other = (await owner.client.post("/workspaces", json={"name": "Second"})).json()["id"]
    owner.adopt((await owner.client.post("/auth/switch", json={"workspace_id": other})).json())
    await owner.sign_in()
    assert (await owner.me())["workspace"]["name"] == "Second"


async def test_founding_a_workspace_is_not_entering_it(owner: Person):
    await owner.client.post("/workspaces", json={"name": "Second"})
    await owner.sign_in()
    assert (await owner.me())["workspace"]["name"] == "Research"


@pytest.mark.parametrize("name", ["\u202ekcaB", "a\u2066b", "line\nbreak", "bell\u0007", "\u200b", " \t "])
async def test_a_name_that_deceives_the_eye_is_refused(owner: Person, name: str):
    assert (await owner.client.patch("/workspace", json={"name": name})).status_code == 422


@pytest.mark.parametrize("name", ["مكتب البحوث", "研究室", "O'Neill & Søn", "👩‍🔬 Lab"])
async def test_names_of_all_scripts_are_welcome(owner: Person, name: str):
    assert (await owner.client.patch("/workspace", json={"name": name})).json()["name"] == name


async def test_a_rename_based_on_an_old_version_is_refused_and_loses_nothing(owner: Person):
    first = await owner.client.get("/workspace")
    stale = {"If-Match": first.headers["ETag"]}
    assert (await owner.client.patch("/workspace", json={"name": "New"}, headers=stale)).status_code == 200
    answer = await owner.client.patch("/workspace", json={"name": "Other"}, headers=stale)
    assert (answer.status_code, answer.json()["code"]) == (412, "precondition_failed")
    assert (await owner.client.get("/workspace")).json()["name"] == "New"


async def test_a_profile_is_changed_by_its_owner(owner: Person):
    answer = await owner.client.patch("/auth/me", json={"name": "  Ada  "})
    assert (answer.json()["name"], answer.headers["ETag"]) == ("Ada", '"2"')


async def test_people_are_listed_page_by_page(owner: Person, visit: Visit):
    for number in range(4):
        await join(owner, visit(), f"p{number}@example.org")
    seen: list[str] = []
    cursor: str | None = ""
    while cursor is not None:
        page = (await owner.client.get("/members", params={"limit": 2, "cursor": cursor or None})).json()
        seen += [person["email"] for person in page["items"]]
        cursor = page["next_cursor"]
    assert len(seen) == len(set(seen)) == 5


async def test_an_open_installation_gives_everyone_a_workspace_of_their_own(
    open_visit: httpx.AsyncClient, owner: Person
):
    newcomer = await register(open_visit, "new@example.org", workspace_name="Theirs")
    me = await newcomer.me()
    assert (me["role"], me["workspace"]["name"], me["owns_installation"]) == ("owner", "Theirs", False)


@pytest.fixture
async def open_visit(settings: Settings, engine: Engine) -> AsyncIterator[httpx.AsyncClient]:
    """A client of a second server on the same database, whose registration is open."""

    app = App(settings.model_copy(update={"registration": RegistrationMode.OPEN}), engine)
    async with running(app) as address, httpx.AsyncClient(base_url=f"{address}/api/v1", timeout=60) as client:
        yield client
    await app.close()


async def test_a_role_that_nobody_is_invited_to_is_refused_in_plain_words(owner: Person):
    refused = await owner.client.post("/invitations", json={"role": "emperor"})
    (error,) = refused.json()["errors"]
    assert (refused.status_code, "<" in error["message"], "'admin'" in error["message"]) == (422, False, True)
