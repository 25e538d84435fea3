"""Workers killed with `kill -9` anywhere in a run: it ends as if nothing had happened, told once and paid once."""

import os
import random
from pathlib import Path
from typing import Any

import pytest
from tests.faults.killer import Killer, are_open, stay_signed_in, told
from tests.faults.run_process import CENTS, HEARTBEAT_S, STALL_S
from tests.support.reasoner import PlainReasoner
from tests.support.runs import ask, researching, until_rests
from tests.support.server import Person

from intelli.app import App

IS_SOAK = "INTELLI_TEST_SOAK" in os.environ
SEEDS = range(20) if IS_SOAK else range(1)
RUNS_AT_ONCE = 2
MOST_DEATHS = 12 if IS_SOAK else 4
_NEVER_S = 3600
# About as many as a run has.
POINTS = {"commit": 70, "call": 7}


@pytest.mark.slow
@pytest.mark.parametrize("seed", SEEDS)
async def test_runs_end_the_same_however_often_their_worker_is_killed(
    app: App, owner: Person, tmp_path: Path, seed: int
):
    calm = await _undisturbed(app, owner)
    runs = [await ask(owner) for _ in range(RUNS_AT_ONCE)]
    killer = Killer(app.engine.app_url, tmp_path, random.Random(seed))
    while killer.deaths < MOST_DEATHS and await are_open(owner, runs, "completed"):
        await killer.kill_one(owner, runs, *killer.anywhere())
    assert killer.deaths >= 2
    await _insist_on_the_same(app, owner, runs, calm)


@pytest.mark.slow
@pytest.mark.skipif(not IS_SOAK, reason="a point at a time, this takes minutes")
@pytest.mark.parametrize("mode", ["commit", "call"])
async def test_a_run_ends_the_same_wherever_its_worker_is_killed(app: App, owner: Person, tmp_path: Path, mode: str):
    points = POINTS[mode]
    calm = await _undisturbed(app, owner)
    runs = []
    killer = Killer(app.engine.app_url, tmp_path, random.Random(0))
    for point in range(1, points + 1):
        await stay_signed_in(owner, point)
        runs.append(await ask(owner))
        # None takes over what those before it left: each run is killed at its own point, and all are taken up then.
        await killer.kill_one(owner, runs[-1:], mode, point, stall_s=_NEVER_S)
    assert killer.deaths > points / 2
    await _insist_on_the_same(app, owner, runs, calm)


async def _undisturbed(app: App, owner: Person) -> dict[str, Any]:
    async with researching(app, reasoner=PlainReasoner(cents=CENTS)):
        return await told(owner, await until_rests(owner, await ask(owner)))


async def _insist_on_the_same(app: App, owner: Person, runs: list[dict[str, Any]], calm: dict[str, Any]) -> None:
    async with researching(app, reasoner=PlainReasoner(cents=CENTS), heartbeat_s=HEARTBEAT_S, stall_s=STALL_S):
        for run in runs:
            assert await told(owner, await until_rests(owner, run)) == calm
