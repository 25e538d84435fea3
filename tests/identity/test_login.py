"""Signing in with e-mail and password."""

import asyncio

import httpx
import pytest
from tests.support.server import PASSWORD, Person, Visit, join, running

from intelli.app import App, Engine
from intelli.settings import Settings


async def test_a_login_answers_tokens_and_keeps_the_refresh_token_in_a_strict_cookie(owner: Person):
    answer = await owner.sign_in()
    assert set(answer.json()) == {"access_token", "refresh_token", "token_type", "expires_in"}
    assert answer.json()["expires_in"] == 900
    cookie = answer.headers["Set-Cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=strict" in cookie
    assert "path=/api/v1/auth" in cookie


async def test_a_browser_gets_the_refresh_token_in_the_cookie_alone(owner: Person):
    answer = await owner.sign_in(cookie_only=True)
    assert answer.json()["refresh_token"] is None
    renewed = await owner.client.post("/auth/refresh")
    assert renewed.status_code == 200
    assert renewed.json()["refresh_token"] is None


async def test_a_page_of_another_origin_cannot_use_the_cookie(owner: Person):
    await owner.sign_in(cookie_only=True)
    foreign = {"Origin": "http://127.0.0.1:9998"}
    assert (await owner.client.post("/auth/refresh", headers=foreign)).status_code == 401
    await owner.client.post("/auth/logout", headers=foreign)
    own = {"Origin": str(owner.client.base_url).removesuffix("/api/v1/")}
    assert (await owner.client.post("/auth/refresh", headers=own)).status_code == 200


_OPAQUE = (
    "null",
    "file://",
    "data:",
    "about:blank",
    "",
    "http://",
    "https://",
    "blob:null/x",
    "chrome-extension://abc",
)


@pytest.mark.parametrize("public_url", [None, "https://intelli.example.org"])
async def test_a_page_of_no_origin_cannot_use_the_cookie(
    settings: Settings, engine: Engine, owner: Person, public_url: str | None
):
    app = App(settings.model_copy(update={"public_url": public_url}), engine)
    async with running(app) as address:
        owner.client.base_url = f"{address}/api/v1"
        cookie = (await owner.sign_in(cookie_only=True)).headers["Set-Cookie"].partition(";")[0]
        for origin in _OPAQUE:
            foreign = {"Origin": origin, "Cookie": cookie}
            assert (await owner.client.post("/auth/refresh", headers=foreign)).status_code == 401, origin
            answer = await owner.client.post("/auth/logout", headers=foreign)
            assert "Set-Cookie" not in answer.headers, origin
        own = {"Origin": public_url or address, "Cookie": cookie}
        assert (await owner.client.post("/auth/refresh", headers=own)).status_code == 200
    await app.close()


@pytest.mark.parametrize(
    "headers", [{"Origin": "null"}, {"Origin": "http://evil.example"}, {"Sec-Fetch-Site": "cross-site"}]
)
async def test_a_page_of_another_origin_signs_nobody_in(owner: Person, headers: dict[str, str]):
    body = {"email": owner.email, "password": PASSWORD}
    answer = await owner.client.post("/auth/login", json=body, headers=headers)
    assert "Set-Cookie" not in answer.headers


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
async def test_what_a_browser_says_of_the_page_counts_where_no_origin_is_sent(owner: Person, site: str):
    await owner.sign_in(cookie_only=True)
    assert (await owner.client.post("/auth/refresh", headers={"Sec-Fetch-Site": site})).status_code == 401
    assert (await owner.client.post("/auth/refresh", headers={"Sec-Fetch-Site": "same-origin"})).status_code == 200


async def test_installations_on_one_host_do_not_overwrite_each_others_cookie(owner: Person):
    await owner.sign_in(cookie_only=True)
    own = owner.client.base_url.port
    (name,) = {cookie.name for cookie in owner.client.cookies.jar}
    assert name == f"intelli_refresh_{own}"
    for odd in ("example.org:9998", "example.org", "[::1]", "example.org:port", ":"):
        assert (await owner.client.post("/auth/refresh", headers={"Host": odd})).status_code == 401
    assert (await owner.client.post("/auth/refresh")).status_code == 200


async def test_behind_tls_the_cookie_is_marked_secure(settings: Settings, engine: Engine, owner: Person):
    app = App(settings.model_copy(update={"public_url": "https://intelli.example.org"}), engine)
    async with running(app) as address:
        owner.client.base_url = f"{address}/api/v1"
        answer = await owner.sign_in()
    await app.close()
    assert "; secure" in answer.headers["Set-Cookie"].lower()


async def test_the_address_is_taken_in_any_spelling_of_its_case(owner: Person):
    assert (await owner.sign_in(" Owner@Example.ORG ")).status_code == 200


@pytest.mark.parametrize("email", ["owner@example.org", "nobody@example.org", "not an address", "", "x" * 320])
async def test_a_wrong_password_and_an_unknown_address_answer_alike(
    owner: Person, client: httpx.AsyncClient, email: str
):
    answer = await client.post("/auth/login", json={"email": email, "password": "wrong password"})
    assert answer.status_code == 401
    problem = answer.json()
    assert problem["code"] == "wrong_credentials"
    assert problem["detail"] == "The e-mail address or the password is wrong."


@pytest.mark.parametrize("email", ["owner@example.org", "nobody@example.org"])
async def test_ten_wrong_passwords_throttle_the_account_whether_it_exists_or_not(
    owner: Person, client: httpx.AsyncClient, email: str
):
    for _ in range(10):
        answer = await client.post("/auth/login", json={"email": email, "password": "wrong password"})
        assert answer.status_code == 401
    answer = await client.post("/auth/login", json={"email": email, "password": PASSWORD})
    assert (answer.status_code, answer.json()["code"]) == (429, "too_many_attempts")
    assert 0 < int(answer.headers["Retry-After"]) <= 30


async def test_guesses_at_once_do_not_slip_past_the_throttle(owner: Person, visit: Visit):
    async def guess() -> int:
        body = {"email": owner.email, "password": "wrong password"}
        return (await visit().post("/auth/login", json=body)).status_code

    codes = await asyncio.gather(*(guess() for _ in range(40)))
    assert codes.count(401) == 10
    assert codes.count(429) == 30


async def test_a_right_password_clears_the_count(owner: Person, client: httpx.AsyncClient):
    for _ in range(2):
        for _ in range(9):
            await client.post("/auth/login", json={"email": owner.email, "password": "wrong password"})
        assert (await owner.sign_in()).status_code == 200


async def test_logging_out_ends_the_session_and_its_access_tokens_at_once(owner: Person):
    await owner.sign_in()
    answer = await owner.client.post("/auth/logout", json={"refresh_token": owner.tokens["refresh_token"]})
    assert answer.status_code == 204
    assert (await owner.client.get("/auth/me")).status_code == 401
    refreshed = await owner.client.post("/auth/refresh", json={"refresh_token": owner.tokens["refresh_token"]})
    assert refreshed.status_code == 401


async def test_a_new_password_ends_every_other_session(owner: Person, visit: Visit):
    elsewhere = Person(visit(), owner.email, {})
    await elsewhere.sign_in()
    change = {"current_password": PASSWORD, "new_password": "another battery staple"}
    assert (await owner.client.post("/auth/password", json=change)).status_code == 204
    assert (await owner.client.get("/auth/me")).status_code == 200
    assert (await elsewhere.client.get("/auth/me")).status_code == 401
    assert (await elsewhere.sign_in()).status_code == 401
    assert (await elsewhere.sign_in(password="another battery staple")).status_code == 200


async def test_a_new_password_leaves_api_keys_alone_unless_they_are_to_end(owner: Person, client: httpx.AsyncClient):
    other = (await owner.client.post("/workspaces", json={"name": "Other"})).raise_for_status().json()["id"]
    here = (await owner.client.post("/api-keys", json={"name": "here"})).json()["key"]
    (await owner.client.post("/auth/switch", json={"workspace_id": other})).raise_for_status()
    await owner.sign_in()
    there = (await owner.client.post("/api-keys", json={"name": "there"})).json()["key"]

    async def statuses() -> list[int]:
        return [(await client.get("/auth/me", headers={"X-API-Key": key})).status_code for key in (here, there)]

    change = {"current_password": PASSWORD, "new_password": "another battery staple"}
    assert (await owner.client.post("/auth/password", json=change)).status_code == 204
    assert await statuses() == [200, 200]
    back = {"current_password": "another battery staple", "new_password": PASSWORD, "end_api_keys": True}
    assert (await owner.client.post("/auth/password", json=back)).status_code == 204
    assert await statuses() == [401, 401]
    entries = (await owner.client.get("/audit")).json()["items"]
    assert [entry["event_type"] for entry in entries[:2]] == ["settings_change", "key_revoked"]
    assert entries[1]["details"] == {"reason": "password_change"}


async def test_all_other_sessions_end_at_once(owner: Person, visit: Visit):
    others = [Person(visit(), owner.email, {}) for _ in range(2)]
    for other in others:
        await other.sign_in()
    assert (await owner.client.delete("/auth/sessions")).status_code == 204
    assert [(await other.client.get("/auth/me")).status_code for other in others] == [401, 401]
    assert [session["current"] for session in (await owner.client.get("/auth/sessions")).json()["items"]] == [True]


async def test_a_new_password_needs_the_old_one(owner: Person):
    change = {"current_password": "wrong password", "new_password": "another battery staple"}
    answer = await owner.client.post("/auth/password", json=change)
    assert (answer.status_code, answer.json()["code"]) == (422, "wrong_password")


@pytest.mark.parametrize(("password", "code"), [("short", "invalid"), ("aaaaaaaaaaaa", "weak_password")])
async def test_a_password_that_is_guessed_first_is_refused(owner: Person, password: str, code: str):
    change = {"current_password": PASSWORD, "new_password": password}
    answer = await owner.client.post("/auth/password", json=change)
    assert (answer.status_code, answer.json()["code"]) == (422, code)
    assert password not in answer.text


async def test_the_sessions_of_an_account_are_listed_and_can_be_ended_one_by_one(owner: Person, visit: Visit):
    elsewhere = Person(visit(), owner.email, {})
    await elsewhere.sign_in()
    sessions = (await owner.client.get("/auth/sessions")).json()["items"]
    assert [session["current"] for session in sessions] == [False, True]
    assert sessions[0]["client"] == "a test"
    assert (await owner.client.delete(f"/auth/sessions/{sessions[0]['id']}")).status_code == 204
    assert (await elsewhere.client.get("/auth/me")).status_code == 401
    assert (await owner.client.delete(f"/auth/sessions/{sessions[0]['id']}")).status_code == 404


async def test_nobody_ends_the_session_of_another(owner: Person, member: Person):
    theirs = (await member.client.get("/auth/sessions")).json()["items"][0]["id"]
    assert (await owner.client.delete(f"/auth/sessions/{theirs}")).status_code == 404
    assert (await member.client.get("/auth/me")).status_code == 200


async def test_a_login_can_accept_an_invitation_on_the_way_in(owner: Person, member: Person):
    assert (await owner.client.delete(f"/members/{(await member.me())['user']['id']}")).status_code == 204
    answer = await member.sign_in()
    assert (answer.status_code, answer.json()["code"]) == (403, "no_workspace")
    invitation = (await owner.client.post("/invitations", json={"role": "viewer"})).json()
    assert (await member.sign_in(invitation_token=invitation["token"])).status_code == 200
    assert (await member.me())["role"] == "viewer"


async def test_failed_and_good_logins_are_told_in_the_log(owner: Person, client: httpx.AsyncClient):
    await client.post("/auth/login", json={"email": owner.email, "password": "wrong password"})
    await owner.sign_in()
    entries = (await owner.client.get("/audit")).json()["items"]
    assert [entry["event_type"] for entry in entries[:2]] == ["login", "login_failed"]
    assert entries[1]["success"] is False


async def test_a_viewer_signs_in_with_reading_rights_only(owner: Person, visit: Visit):
    viewer = await join(owner, visit(), "viewer@example.org", role="viewer")
    await viewer.sign_in()
    answer = await viewer.client.post("/invitations", json={})
    assert (answer.status_code, answer.json()["code"]) == (403, "scope_missing")
