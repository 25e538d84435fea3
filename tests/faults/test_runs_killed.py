"""Workers killed with `kill -9` anywhere in a run: it ends as if nothing had happened, told once and paid once."""

import asyncio
import os
import random
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from tests.faults.run_process import CENTS, HEARTBEAT_S, STALL_S
from tests.support.reasoner import PlainReasoner
from tests.support.runs import ask, log_of, researching, show, text_of, until_rests
from tests.support.server import Person

from intelli.app import App

PROGRAM = Path(__file__).with_name("run_process.py")
IS_SOAK = "INTELLI_TEST_SOAK" in os.environ
SEEDS = range(20) if IS_SOAK else range(1)
RUNS_AT_ONCE = 2
MOST_DEATHS = 12 if IS_SOAK else 4
# About as many as a run has.
POINTS = {"commit": 70, "call": 7}
# What differs from one execution to the next by its nature.
_FLEETING = {"timestamp", "plan_set", "plan"}


@pytest.mark.slow
@pytest.mark.parametrize("seed", SEEDS)
async def test_runs_end_the_same_however_often_their_worker_is_killed(
    app: App, owner: Person, tmp_path: Path, seed: int
):
    calm = await _undisturbed(app, owner)
    runs = [await ask(owner) for _ in range(RUNS_AT_ONCE)]
    killer = Killer(app.engine.app_url, tmp_path, random.Random(seed))
    while killer.deaths < MOST_DEATHS and await _are_open(owner, runs):
        await killer.kill_one(owner, runs, *killer.anywhere())
    assert killer.deaths >= 2
    await _insist_on_the_same(app, owner, runs, calm)


@pytest.mark.slow
@pytest.mark.skipif(not IS_SOAK, reason="a point at a time, this takes minutes")
@pytest.mark.parametrize("mode", ["commit", "call"])
async def test_a_run_ends_the_same_wherever_its_worker_is_killed(app: App, owner: Person, tmp_path: Path, mode: str):
    points = POINTS[mode]
    calm = await _undisturbed(app, owner)
    killer = Killer(app.engine.app_url, tmp_path, random.Random(0))
    for point in range(1, points + 1):
        run = await ask(owner)
        await killer.kill_one(owner, [run], mode, point)
        await _insist_on_the_same(app, owner, [run], calm)
    assert killer.deaths > points / 2


class Killer:
    """Starts workers that kill themselves."""

    def __init__(self, url: str, data: Path, chance: random.Random) -> None:
        self.deaths = 0
        self._url = url
        self._data = data
        self._chance = chance

    def anywhere(self) -> tuple[str, int]:
        """A point of chance."""
        mode = self._chance.choice(["commit", "commit", "call"])
        return mode, self._chance.randint(1, 5) if mode == "call" else self._chance.randint(10, 60)

    async def kill_one(self, owner: Person, runs: list[dict[str, Any]], mode: str, count: int) -> None:
        """Let a worker work until it kills itself, or until there is nothing left to do."""
        worker = self._start(mode, count)
        try:
            async with asyncio.timeout(60):
                while worker.poll() is None and await _are_open(owner, runs):  # noqa: ASYNC110  # another process
                    await asyncio.sleep(0.1)
            self.deaths += worker.poll() is not None
        finally:
            worker.kill()
            worker.wait(10)

    def _start(self, mode: str, count: int) -> "subprocess.Popen[bytes]":
        command = [sys.executable, str(PROGRAM), self._url, str(self._data), mode, str(count)]
        with (self._data / "worker.log").open("ab") as log:
            return subprocess.Popen(command, stderr=log, env={**os.environ, "PYTHONPATH": str(Path.cwd())})


async def _undisturbed(app: App, owner: Person) -> dict[str, Any]:
    async with researching(app, reasoner=PlainReasoner(cents=CENTS)):
        return await _told(owner, await until_rests(owner, await ask(owner)))


async def _insist_on_the_same(app: App, owner: Person, runs: list[dict[str, Any]], calm: dict[str, Any]) -> None:
    async with researching(app, reasoner=PlainReasoner(cents=CENTS), heartbeat_s=HEARTBEAT_S, stall_s=STALL_S):
        for run in runs:
            assert await _told(owner, await until_rests(owner, run)) == calm


async def _are_open(owner: Person, runs: list[dict[str, Any]]) -> bool:
    return {(await show(owner, run))["status"] for run in runs} != {"completed"}


async def _told(owner: Person, run: dict[str, Any]) -> dict[str, Any]:
    """What a person can see of a run, without the times and the order of what happens side by side."""
    log = await log_of(owner, run)
    assert [line["seq"] for line in log] == list(range(1, run["last_seq"] + 1))
    calls = (await owner.client.get(f"/runs/{run['id']}/interactions")).raise_for_status().json()["items"]
    return {
        "status": run["status"],
        "answer": run["agent_response"],
        "told": text_of(log),
        "hash": run["answer_sha256"],
        "cost": run["cost"],
        "tokens": (run["input_tokens"], run["output_tokens"]),
        "problems": run["problems"],
        "tools": sorted(str((call["tool_name"], call["tool_input"], call["status"])) for call in calls),
        "events": Counter(_lasting(line["event"], run) for line in log if line["event"]["type"] != "message_delta"),
    }


def _lasting(event: dict[str, Any], run: dict[str, Any]) -> str:
    """The parts of an event that every execution of the same run tells alike; ids of the run itself do not count."""
    if event["type"] == "usage-update":
        return "usage-update"
    if event["type"] == "task_update":
        return f"task_update {event['title']} {event['status']}"
    kept = _without_ids({name: value for name, value in event.items() if name not in _FLEETING})
    if "message" in kept and isinstance(kept["message"], dict):
        kept["message"] = kept["message"]["content"]
    return str(kept)


def _without_ids(value: Any) -> Any:
    """The same without what is named by the run's own ids, however deep."""
    if isinstance(value, list):
        return [_without_ids(each) for each in value]
    if isinstance(value, dict):
        return {name: _without_ids(each) for name, each in value.items() if not name.endswith("_id")}
    return value
