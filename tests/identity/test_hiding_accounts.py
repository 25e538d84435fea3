"""Who has an account is not told to strangers: not by an answer, and not by the work behind it."""

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from sqlalchemy import event
from tests.support.server import PASSWORD, Person, Visit, register, settings_for

from intelli.app import App
from intelli.engine import Engine
from intelli.identity.passwords import Passwords
from intelli.identity.wire import RegistrationMode
from intelli.settings import Settings

KNOWN, UNKNOWN = "owner@example.org", "nobody@example.org"


class CountingPasswords(Passwords):
    """Counts what it is asked for."""

    def __init__(self) -> None:
        super().__init__()
        self.hashes = 0

    async def hash(self, password: str) -> str:
        self.hashes += 1
        return await super().hash(password)

    async def verify(self, password: str, stored: str | None) -> bool:
        self.hashes += 1
        return await super().verify(password, stored)


class Work:
    """What the server did: its statements, its transactions and its hashes of passwords."""

    def __init__(self, app: App, passwords: CountingPasswords) -> None:
        self._done: list[str] = []
        self._passwords = passwords
        engine = app.db.engine.sync_engine
        event.listen(engine, "before_cursor_execute", lambda *given: self._done.append(given[2]))
        event.listen(engine, "begin", lambda _: self._done.append("begin"))
        event.listen(engine, "commit", lambda _: self._done.append("commit"))
        event.listen(engine, "rollback", lambda _: self._done.append("rollback"))

    def take(self) -> tuple[list[str], int]:
        """All since the last time."""
        done = self._done.copy(), self._passwords.hashes
        self._done.clear()
        self._passwords.hashes = 0
        return done


@pytest.fixture
def passwords() -> Iterator[CountingPasswords]:
    passwords = CountingPasswords()
    yield passwords
    passwords.close()


@pytest.fixture
async def app(settings: Settings, engine: Engine, passwords: CountingPasswords):
    app = App(settings, engine)
    app.passwords.close()
    app.passwords = passwords
    yield app
    await app.close()


@pytest.fixture
def work(app: App, passwords: CountingPasswords) -> Work:
    return Work(app, passwords)


async def seen(client: httpx.AsyncClient, work: Work, path: str, body: dict[str, str]) -> tuple[object, ...]:
    """All of an answer that may not depend on the account, and the work behind it."""
    await client.post(path, json=body)
    work.take()
    answer = await client.post(path, json=body)
    told = {name: value for name, value in answer.headers.items() if name not in {"date", "x-request-id"}}
    return answer.status_code, answer.json(), told, work.take()


async def test_a_failed_sign_in_takes_the_same_work_whether_there_is_an_account_or_not(
    owner: Person, client: httpx.AsyncClient, work: Work
):
    known, unknown = [
        await seen(client, work, "/auth/login", {"email": email, "password": "wrong password"})
        for email in (KNOWN, UNKNOWN)
    ]
    assert known == unknown
    statements, hashes = known[3]  # type: ignore[misc]  # the last of four
    assert (statements.count("begin"), statements.count("commit"), hashes) == (2, 2, 1)


async def test_an_account_without_a_workspace_takes_the_same_work_too(
    owner: Person, member: Person, client: httpx.AsyncClient, work: Work
):
    (await owner.client.delete(f"/members/{(await member.me())['user']['id']}")).raise_for_status()
    orphan, unknown = [
        await seen(client, work, "/auth/login", {"email": email, "password": "wrong password"})
        for email in (member.email, UNKNOWN)
    ]
    assert orphan == unknown


@pytest.mark.parametrize("token", ["iv_made_up", "iv_" + "a" * 49])
async def test_signing_up_with_a_made_up_invitation_tells_nothing_of_the_address(
    owner: Person, client: httpx.AsyncClient, work: Work, token: str
):
    known, unknown = [
        await seen(
            client,
            work,
            "/auth/register",
            {"email": email, "password": PASSWORD, "name": "X", "invitation_token": token},
        )
        for email in (KNOWN, UNKNOWN)
    ]
    assert known == unknown
    assert known[0] == 404
    assert known[3][1] == 1  # type: ignore[index]  # one hash


async def test_an_invitation_for_another_tells_nothing_of_the_address(
    owner: Person, client: httpx.AsyncClient, work: Work
):
    invited = {"email": "invited@example.org"}
    token = (await owner.client.post("/invitations", json=invited)).raise_for_status().json()["token"]
    known, unknown = [
        await seen(
            client,
            work,
            "/auth/register",
            {"email": email, "password": PASSWORD, "name": "X", "invitation_token": token},
        )
        for email in (KNOWN, UNKNOWN)
    ]
    assert known == unknown
    assert known[0] == 403


async def test_who_holds_an_invitation_is_told_to_sign_in_and_it_stays_good(owner: Person, visit: Visit):
    token = (await owner.client.post("/invitations", json={})).raise_for_status().json()["token"]
    body = {"email": KNOWN, "password": PASSWORD, "name": "X", "invitation_token": token}
    answer = await visit().post("/auth/register", json=body)
    assert (answer.status_code, answer.json()["code"]) == (409, "email_taken")
    await register(visit(), "new@example.org", invitation_token=token)


async def test_an_attempt_at_no_account_is_in_the_log_of_the_oldest_workspace_without_the_address(
    owner: Person, client: httpx.AsyncClient
):
    await client.post("/auth/login", json={"email": UNKNOWN, "password": "wrong password"})
    entry = (await owner.client.get("/audit")).json()["items"][0]
    assert (entry["event_type"], entry["details"]) == ("login_failed", {"reason": "unknown_account"})
    assert (entry["user_id"], entry["entity_id"]) == (None, None)
    assert UNKNOWN not in str(entry)


class TestWhereAnyoneMaySignUp:
    """A taken address has to be told there, so it is told a bounded number of times."""

    @pytest.fixture
    def settings(self, tmp_path: Path) -> Settings:
        return settings_for(tmp_path, registration=RegistrationMode.OPEN)

    async def test_asking_for_many_addresses_comes_to_an_end(self, owner: Person, client: httpx.AsyncClient):
        body = {"email": KNOWN, "password": PASSWORD, "name": "X"}
        codes = [(await client.post("/auth/register", json=body)).status_code for _ in range(31)]
        assert codes == [409] * 30 + [429]
        free = body | {"email": UNKNOWN}
        assert (await client.post("/auth/register", json=free)).status_code == 429

    async def test_accounts_that_were_made_do_not_count(self, owner: Person, visit: Visit):
        for number in range(31):
            await register(visit(), f"p{number}@example.org")
