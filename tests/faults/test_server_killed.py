"""`kill -9` of the server, and of its database under it, while people write: nothing acknowledged is lost."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
from tests.cli.process import Process, intelli, postmaster_pid, serving
from tests.support.installation import Install
from tests.support.server import PASSWORD
from tests.support.soak import often

OWNER = {"email": "owner@example.org", "password": PASSWORD, "name": "Owner"}
ROUNDS = often(2, soaking=10)
WRITES_A_ROUND = 40
HEALED_S = 60


class Writers:
    """People who make keys and accounts, and remember what they were told is done."""

    def __init__(self, url: str, name: str) -> None:
        self._client = httpx.AsyncClient(base_url=f"{url}/api/v1", timeout=60)
        self._name = name
        self.keys: set[str] = set()
        self.accounts: set[str] = set()
        self.refusals: list[httpx.Response] = []

    @property
    def acknowledged(self) -> int:
        return len(self.keys) + len(self.accounts)

    async def sign_in(self) -> None:
        body = {"email": OWNER["email"], "password": PASSWORD}
        tokens = (await self._client.post("/auth/login", json=body)).raise_for_status().json()
        self._client.headers["Authorization"] = f"Bearer {tokens['access_token']}"

    async def make_keys(self) -> None:
        while True:
            answer = await self._send("/api-keys", {"name": "a key"})
            if answer is not None:
                self.keys.add(answer["id"])

    async def make_accounts(self) -> None:
        # A few only: sign-ups from one address are throttled.
        for number in range(25):
            email = f"{self._name}-{number}@example.org"
            if await self._send("/auth/register", {**OWNER, "email": email}) is not None:
                self.accounts.add(email)

    async def all_keys(self) -> set[str]:
        found: set[str] = set()
        cursor: str | None = None
        while True:
            query = f"limit=200&cursor={cursor}" if cursor else "limit=200"
            page = (await self._client.get(f"/api-keys?{query}")).raise_for_status().json()
            found |= {key["id"] for key in page["items"]}
            cursor = page["next_cursor"]
            if cursor is None:
                return found

    async def _send(self, path: str, body: dict[str, str]) -> dict[str, Any] | None:
        """The answer to a write that was acknowledged; None when it was not, or when nobody answered."""
        try:
            answer = await self._client.post(path, json=body)
        except httpx.TransportError:
            await asyncio.sleep(0.02)
            return None
        if answer.status_code == 201:
            created: dict[str, Any] = answer.json()
            return created
        self.refusals.append(answer)
        await asyncio.sleep(0.02)
        return None

    @asynccontextmanager
    async def at_work(self) -> AsyncIterator[None]:
        work = (self.make_keys(), self.make_keys(), self.make_keys(), self.make_accounts())
        async with asyncio.timeout(120), asyncio.TaskGroup() as group:
            tasks = [group.create_task(each) for each in work]
            yield
            for task in tasks:
                task.cancel()

    async def close(self) -> None:
        await self._client.aclose()


async def until(is_so: Callable[[], bool]) -> None:
    async with asyncio.timeout(HEALED_S):
        while not is_so():  # noqa: ASYNC110  # what is awaited happens in another process
            await asyncio.sleep(0.02)


def claim(server: Process) -> None:
    httpx.post(f"{server.url}/api/v1/auth/register", json=OWNER, timeout=60).raise_for_status()


def open_to_all() -> dict[str, str]:
    return {"INTELLI_REGISTRATION": "open"}


async def check(writers: list[Writers], data: Path, server: Process) -> None:
    """Everything that any of the writers was told is done is there, and the log of it is whole."""
    reader = Writers(server.url, "reader")
    await reader.sign_in()
    keys: set[str] = set().union(*(each.keys for each in writers))
    assert keys - await reader.all_keys() == set()
    await reader.close()
    members = await asyncio.to_thread(intelli, "users", "list", "--json", "--data", data)
    accounts: set[str] = set().union(*(each.accounts for each in writers))
    assert accounts - {member["email"] for member in members.json} == set()
    verified = await asyncio.to_thread(intelli, "verify", "--json", "--data", data)
    assert verified.code == 0, verified.out


async def test_nothing_acknowledged_is_lost_when_the_server_is_killed_again_and_again(
    tmp_path: Path, install: Install
) -> None:
    data = install(tmp_path / "data")
    past: list[Writers] = []
    for number in range(ROUNDS):
        with serving(data, env=open_to_all()) as server:
            if number == 0:
                claim(server)
            writers = Writers(server.url, f"round-{number}")
            await writers.sign_in()
            async with writers.at_work():
                await until(lambda writers=writers: writers.acknowledged >= WRITES_A_ROUND)  # type: ignore[misc]
                server.kill()
            await writers.close()
            past.append(writers)
    with serving(data, env=open_to_all()) as server:
        await check(past, data, server)
    assert all(each.accounts for each in past)


async def test_the_server_heals_its_killed_database_and_refuses_with_503_meanwhile(
    tmp_path: Path, install: Install
) -> None:
    data = install(tmp_path / "data")
    with serving(data, env=open_to_all()) as server:
        claim(server)
        writers = Writers(server.url, "writer")
        await writers.sign_in()
        async with writers.at_work():
            for _ in range(ROUNDS):
                before = writers.acknowledged
                await until(lambda before=before: writers.acknowledged >= before + 20)  # type: ignore[misc]
                os.kill(postmaster_pid(data), signal.SIGKILL)
                refused = len(writers.refusals)
                await until(lambda refused=refused: len(writers.refusals) > refused)  # type: ignore[misc]
                after = writers.acknowledged
                await until(lambda after=after: writers.acknowledged >= after + 20)  # type: ignore[misc]
        assert {answer.status_code for answer in writers.refusals} == {503}
        assert all(int(answer.headers["Retry-After"]) > 0 for answer in writers.refusals)
        assert {answer.json()["code"] for answer in writers.refusals} == {"database_unavailable"}
        await check([writers], data, server)
        await writers.close()
