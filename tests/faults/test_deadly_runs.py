"""A run whose worker dies under it twice at one point is given up and says why; no other run is."""

import asyncio
import random
from pathlib import Path
from typing import Any
from uuid import UUID

from tests.faults.killer import Killer
from tests.faults.run_process import DEADLY, HEARTBEAT_S, STALL_S, work
from tests.support.forks import Fork
from tests.support.jobs import PATIENCE_S
from tests.support.reasoner import PlainReasoner
from tests.support.runs import ask, log_of, researching, until_rests
from tests.support.server import Person

from intelli.app import App
from intelli.kit.context import System
from intelli.reasoning.usage import Usage
from intelli.reasoning.verbs.understand import ResearchPlan, UnderstandInput
from intelli.runs.store import runs as store
from intelli.runs.tables import Run


async def test_a_run_that_kills_its_worker_twice_is_given_up_and_others_go_on(app: App, owner: Person, tmp_path: Path):
    deadly, other = await ask(owner, DEADLY), await ask(owner)
    killer = Killer(app.engine.app_url, tmp_path, random.Random(0))
    for _ in range(2):
        await killer.let_one_die("deadly", 1, patience_s=2 * PATIENCE_S)
    third = Fork(work, app.engine.app_url, tmp_path, ("deadly", 1), STALL_S, log=tmp_path / "third.log")
    try:
        ended, gone_on = await until_rests(owner, deadly), await until_rests(owner, other)
        assert third.is_alive
    finally:
        third.end()
    assert (ended["status"], ended["error"]["code"]) == ("failed", "run_worker_died")
    assert "died again at the same point" in ended["error"]["message"]
    assert gone_on["status"] == "completed"
    assert [line["event"]["type"] for line in await log_of(owner, ended)][-1] == "ERROR"
    await _answered_when_tried_again(app, owner, ended)


async def _answered_when_tried_again(app: App, owner: Person, run: dict[str, Any]) -> None:
    """By workers that it does not kill."""
    (await owner.client.post(f"/runs/{run['id']}/retry")).raise_for_status()
    async with researching(app, heartbeat_s=HEARTBEAT_S, stall_s=STALL_S):
        assert (await until_rests(owner, run))["status"] == "completed"


async def test_a_run_that_gets_further_each_time_is_not_given_up(app: App, owner: Person, tmp_path: Path):
    run = await ask(owner, "What did revenue come to?")
    killer = Killer(app.engine.app_url, tmp_path, random.Random(0))
    for _ in range(3):
        await killer.let_one_die("call", 2, patience_s=2 * PATIENCE_S)
    async with researching(app, heartbeat_s=HEARTBEAT_S, stall_s=STALL_S):
        assert (await until_rests(owner, run))["status"] == "completed"


class Stuck(PlainReasoner):
    """Never comes to an end with a plan."""

    def __init__(self) -> None:
        super().__init__()
        self.has_begun = asyncio.Event()

    async def plan(self, asked: UnderstandInput) -> tuple[ResearchPlan, Usage]:
        self.has_begun.set()
        await asyncio.Event().wait()
        raise AssertionError


async def test_a_worker_that_stops_and_gives_the_run_back_has_not_died(app: App, owner: Person):
    run = await ask(owner)
    for _ in range(3):
        stuck = Stuck()
        async with researching(app, reasoner=stuck), asyncio.timeout(PATIENCE_S):
            await stuck.has_begun.wait()
    assert (await _row(app, owner, run)).deaths == 0
    async with researching(app):
        assert (await until_rests(owner, run))["status"] == "completed"


class Unreachable(PlainReasoner):
    """Does not answer at first."""

    def __init__(self, times: int) -> None:
        super().__init__()
        self._times = times

    async def plan(self, asked: UnderstandInput) -> tuple[ResearchPlan, Usage]:
        self._times -= 1
        if self._times >= 0:
            raise ConnectionError
        return await super().plan(asked)


async def test_an_outage_that_is_tried_again_is_no_death(app: App, owner: Person):
    run = await ask(owner)
    async with researching(app, reasoner=Unreachable(2)):
        assert (await until_rests(owner, run))["status"] == "completed"
    row = await _row(app, owner, run)
    assert (row.epoch, row.deaths) == (3, 0)


async def test_a_worker_that_was_only_silent_takes_back_that_it_died(app: App, owner: Person):
    run = await ask(owner)
    who, run_id = await _who(owner), UUID(run["id"])
    for expected in (0, 1):
        async with app.db.begin(who) as tx:
            await store.claim(tx, run_id, job_id=expected, lease_s=-1)
        assert (await _row(app, owner, run)).deaths == expected
    async with app.db.begin(who) as tx:
        await store.undo_death(tx, run_id, epoch=1)
    assert (await _row(app, owner, run)).deaths == 0


async def _who(owner: Person) -> System:
    me = await owner.me()
    return System(UUID(me["workspace"]["id"]), UUID(me["user"]["id"]))


async def _row(app: App, owner: Person, run: dict[str, Any]) -> Run:
    async with app.db.begin(await _who(owner)) as tx:
        row = await store.find(tx, UUID(run["id"]))
    assert row is not None
    return row
