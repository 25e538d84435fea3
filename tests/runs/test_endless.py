"""Thinking that never ends: the server answers all the while, the run fails with its reason, and no process is left."""

import os
from contextlib import suppress
from pathlib import Path

import httpx
import pytest
from tests.cli.process import serving
from tests.kit import computations
from tests.support.installation import Install
from tests.support.jobs import until
from tests.support.reasoner import PlainReasoner
from tests.support.runs import ask, log_of, researching, show, until_rests
from tests.support.server import Person, register, settings_for

from intelli.app import App
from intelli.kit.compute import Compute, ComputeSettings
from intelli.reasoning.usage import Usage
from intelli.reasoning.verbs.understand import Intent, UnderstandInput
from intelli.settings import Settings


class Endless(PlainReasoner):
    """Never knows what is wanted; who thinks so is written down in a folder."""

    def __init__(self, compute: Compute, folder: Path) -> None:
        super().__init__()
        self._compute = compute
        self._folder = folder
        self.begun = 0

    async def intent(self, asked: UnderstandInput) -> tuple[Intent, Usage]:
        self.begun += 1
        await self._compute.run(computations.spin_as, str(self._folder / f"pid-{self.begun}"))
        raise AssertionError("it has come to an end")

    def pids(self) -> list[int]:
        """Who has begun to think."""
        return [int(said) for path in self._folder.glob("pid-*") if (said := path.read_text())]


@pytest.fixture
def endless(app: App, tmp_path: Path) -> Endless:
    return Endless(app.compute, tmp_path)


async def test_health_answers_while_every_process_thinks_without_end(
    app: App, address: str, owner: Person, endless: Endless
):
    runs = [await ask(owner) for _ in range(app.settings.compute.processes + 1)]
    async with researching(app, reasoner=endless, concurrency=len(runs)):
        await _thinking(endless, app.settings.compute.processes)
        async with httpx.AsyncClient(base_url=address, timeout=60) as client:
            for _ in range(5):
                assert (await client.get("/healthz")).status_code == 200
                assert (await client.get("/readyz")).json()["checks"]["database"]["ok"]
        assert {(await show(owner, run))["status"] for run in runs} == {"processing"}
        for run in runs:
            (await owner.client.post(f"/runs/{run['id']}/cancel")).raise_for_status()
        for pid in endless.pids():
            await _gone(pid)


class TestWithLittleTime:
    """Where a step may take half a second."""

    @pytest.fixture
    def settings(self, tmp_path: Path) -> Settings:
        return settings_for(tmp_path, compute=ComputeSettings(time_s=0.5))

    async def test_a_run_that_never_ends_fails_with_its_reason_and_is_begun_once(
        self, app: App, owner: Person, endless: Endless
    ):
        run = await ask(owner)
        async with researching(app, reasoner=endless):
            ended = await until_rests(owner, run)
        assert (ended["status"], ended["error"]["code"]) == ("failed", "computation_out_of_time")
        assert "Ask for less at once" in ended["error"]["message"]
        assert (await log_of(owner, ended))[-1]["event"]["type"] == "ERROR"
        assert endless.begun == 1
        for pid in endless.pids():
            await _gone(pid)

    async def test_the_conversation_shows_that_it_failed_and_goes_on(self, app: App, owner: Person, endless: Endless):
        place = (await owner.client.post("/conversations", json={})).raise_for_status().json()
        messages = f"/conversations/{place['id']}/messages"
        async with researching(app, reasoner=endless):
            sent = (await owner.client.post(messages, json={"content": "What never ends?"})).raise_for_status().json()
            await until_rests(owner, sent["run"])
        async with researching(app):
            again = (await owner.client.post(messages, json={"content": "And revenue?"})).raise_for_status().json()
            assert (await until_rests(owner, again["run"]))["status"] == "completed"
        said = (await owner.client.get(messages)).raise_for_status().json()["items"]
        assert [each["run_status"] for each in said if each["role"] == "user"] == ["failed", "completed"]


async def test_a_server_of_its_own_fails_such_a_run_and_stays_healthy(tmp_path: Path, install: Install):
    # No step can be done in so little time.
    env = {"INTELLI_COMPUTE__TIME_S": "0.000001"}
    with serving(install(tmp_path / "data"), env=env) as server:
        async with httpx.AsyncClient(base_url=f"{server.url}/api/v1", timeout=60) as client:
            ada = await register(client, "ada@example.org", workspace_name="Engines")
            ended = await until_rests(ada, await ask(ada, f"{'-' * 19_960} revenue"))
            assert ended["error"]["code"] == "computation_out_of_time"
            assert (await client.get(f"{server.url}/healthz")).json() == {"status": "alive"}


async def _thinking(endless: Endless, count: int) -> None:
    async def think() -> bool:
        return len(endless.pids()) >= count

    await until(think)


async def _gone(pid: int) -> None:
    async def gone() -> bool:
        with suppress(ProcessLookupError):
            os.kill(pid, 0)
            return False
        return True

    await until(gone)
