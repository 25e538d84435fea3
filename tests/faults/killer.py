"""Workers that kill themselves somewhere in a run, and what a person can see of a run afterwards."""

import asyncio
import os
import random
import signal
import subprocess
import sys
from collections import Counter
from contextlib import suppress
from pathlib import Path
from typing import Any, Self

from tests.faults.run_process import STALL_S
from tests.support.jobs import PATIENCE_S
from tests.support.runs import log_of, show, text_of
from tests.support.server import Person

PROGRAM = Path(__file__).with_name("run_process.py")
# What differs from one execution to the next by its nature.
_FLEETING = {"timestamp", "plan_set", "plan"}


class Killer:
    """Has workers started that kill themselves. Used as a context: it ends with the process that starts them."""

    def __init__(self, url: str, data: Path, chance: random.Random) -> None:
        self.deaths = 0
        self._chance = chance
        command = [sys.executable, str(PROGRAM), url, str(data)]
        with (data / "worker.log").open("ab") as log:
            self._starter = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
                bufsize=1,
                env={**os.environ, "PYTHONPATH": str(Path.cwd())},
            )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._starter.kill()
        self._starter.communicate(timeout=10)

    def anywhere(self) -> tuple[str, int]:
        """A point of chance."""
        mode = self._chance.choice(["commit", "commit", "call"])
        return mode, self._chance.randint(1, 5) if mode == "call" else self._chance.randint(10, 60)

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
        worker = await asyncio.to_thread(self._start, f"{mode} {count} {stall_s}")
        try:
            async with asyncio.timeout(2 * PATIENCE_S):
                while _is_alive(worker) and await are_open(owner, runs, wanted):  # noqa: ASYNC110  # another process
                    await asyncio.sleep(0.05)
            self.deaths += not _is_alive(worker)
        finally:
            with suppress(ProcessLookupError):
                os.kill(worker, signal.SIGKILL)

    async def let_one_die(self, mode: str, count: int, *, patience_s: float) -> None:
        """Let a worker work until it kills itself, which it does sooner or later."""
        worker = await asyncio.to_thread(self._start, f"{mode} {count} {STALL_S}")
        try:
            async with asyncio.timeout(patience_s):
                while _is_alive(worker):  # noqa: ASYNC110  # another process
                    await asyncio.sleep(0.1)
        finally:
            with suppress(ProcessLookupError):
                os.kill(worker, signal.SIGKILL)

    def _start(self, order: str) -> int:
        assert self._starter.stdin is not None
        assert self._starter.stdout is not None
        self._starter.stdin.write(f"{order}\n")
        return int(self._starter.stdout.readline())


def _is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


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
    """The same without what is named by the run's own ids, however deep."""
    if isinstance(value, list):
        return [_without_ids(each) for each in value]
    if isinstance(value, dict):
        return {name: _without_ids(each) for name, each in value.items() if not name.endswith("_id")}
    return value
