"""Workers that kill themselves somewhere in a run, and what a person can see of a run afterwards."""

import asyncio
import random
from collections import Counter
from pathlib import Path
from typing import Any

from tests.faults.run_process import STALL_S, work
from tests.support.forks import Fork
from tests.support.jobs import PATIENCE_S
from tests.support.runs import log_of, show, text_of
from tests.support.server import Person

# What differs from one execution to the next by its nature.
_FLEETING = {"timestamp", "plan_set", "plan"}
_TIMES = {"created_at"}


class Killer:
    """Has workers started that kill themselves."""

    def __init__(self, url: str, data: Path, chance: random.Random) -> None:
        self.deaths = 0
        self._url = url
        self._data = data
        self._chance = chance

    def anywhere(self) -> tuple[str, int]:
        """A point of chance, before which a run gets further: one whose worker dies twice at one point is given up."""
        mode = self._chance.choice(["commit", "commit", "call"])
        return mode, self._chance.randint(3, 6) if mode == "call" else self._chance.randint(20, 60)

    async def kill_one(
        self,
        owner: Person,
        runs: list[dict[str, Any]],
        mode: str,
        count: int,
        *,
        wanted: str = "completed",
        stall_s: float = STALL_S,
    ) -> None:
        """Let a worker work until it kills itself, or until there is nothing left to do."""
        worker = await asyncio.to_thread(self._start, mode, count, stall_s)
        try:
            async with asyncio.timeout(2 * PATIENCE_S):
                while worker.is_alive and await are_open(owner, runs, wanted):  # noqa: ASYNC110  # another process
                    await asyncio.sleep(0.05)
            self.deaths += not worker.is_alive
        finally:
            worker.end()

    async def let_one_die(self, mode: str, count: int, *, patience_s: float) -> None:
        """Let a worker work until it kills itself, which it does sooner or later."""
        worker = await asyncio.to_thread(self._start, mode, count, STALL_S)
        try:
            async with asyncio.timeout(patience_s):
                while worker.is_alive:  # noqa: ASYNC110  # another process
                    await asyncio.sleep(0.05)
        finally:
            worker.end()

    def _start(self, mode: str, count: int, stall_s: float) -> Fork:
        return Fork(work, self._url, self._data, (mode, count), stall_s, log=self._data / "worker.log")


async def stay_signed_in(owner: Person, point: int) -> None:
    """Sign in again from time to time: a sweep lasts longer than a token does."""
    if point % 10 == 0:
        (await owner.sign_in()).raise_for_status()


async def are_open(owner: Person, runs: list[dict[str, Any]], wanted: str) -> bool:
    """True until all runs are in the wanted state."""
    return {(await show(owner, run))["status"] for run in runs} != {wanted}


async def told(owner: Person, run: dict[str, Any]) -> dict[str, Any]:
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
        "tools": sorted(str((call["tool_name"], _without_ids(call["tool_input"]), call["status"])) for call in calls),
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
    """The same without what is named by the run's own ids, and without times, however deep."""
    if isinstance(value, list):
        return [_without_ids(each) for each in value]
    if isinstance(value, dict):
        kept = {name: each for name, each in value.items() if not name.endswith("_id") and name not in _TIMES}
        return {name: _without_ids(each) for name, each in kept.items()}
    return value
