"""Workers killed while a deliverable is written and built: it is there once, whole, and told once."""

import asyncio
import random
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from tests.deliverables.test_report_run import deliverables
from tests.faults.killer import Killer
from tests.faults.run_process import CENTS, HEARTBEAT_S, STALL_S
from tests.support.reasoner import PlainReasoner
from tests.support.runs import ask, log_of, researching, until_rests
from tests.support.server import Person

from intelli.app import App

# The first chapter is the third call of the run's model; the next worker has it made again, then goes on.
_IN_CHAPTER = ("call", 3)
_IN_NEXT_CHAPTER = ("call", 2)
# Forms are rendered in processes of their own, each of which has to begin.
_PATIENCE_S = 120
# Some commits after a fresh worker has taken the run up again: it has got further by then.
_IN_BUILD = ("commit", 40)


@pytest.mark.slow
async def test_what_a_killed_worker_left_is_delivered_once_and_whole(app: App, owner: Person, tmp_path: Path):
    async with researching(app, reasoner=PlainReasoner(cents=CENTS)):
        calm = await until_rests(owner, await ask(owner, deliverable_type="REPORT"))
    run = await ask(owner, deliverable_type="REPORT_WITH_WEBSITE")
    killer = Killer(app.engine.app_url, tmp_path, random.Random(0))
    await killer.let_one_die(*_IN_CHAPTER, patience_s=_PATIENCE_S)
    await killer.let_one_die(*_IN_NEXT_CHAPTER, patience_s=_PATIENCE_S)
    await killer.let_one_die(*_IN_BUILD, patience_s=_PATIENCE_S)
    async with researching(app, reasoner=PlainReasoner(cents=CENTS), heartbeat_s=HEARTBEAT_S, stall_s=STALL_S):
        run = await until_rests(owner, run)
        async with asyncio.timeout(_PATIENCE_S):
            while not await _are_completed(owner, run):  # noqa: ASYNC110  # another process renders
                await asyncio.sleep(0.2)
    made = {each["kind"]: each for each in await deliverables(owner, run_id=run["id"])}
    (before,) = await deliverables(owner, run_id=calm["id"])
    assert {kind: each["version"] for kind, each in made.items()} == {"REPORT": 1, "WEBSITE": 1}
    assert _hash_of(made["REPORT"], "report.gml") == _hash_of(before, "report.gml")
    log = [line["event"] for line in await log_of(owner, run)]
    told = "".join(event["delta"] for event in log if event["type"] == "node_report_preview_delta")
    content = (await owner.client.get(f"/deliverables/{made['REPORT']['id']}/content")).raise_for_status().json()
    assert told == content["gml"]
    count = Counter(event["type"] for event in log)
    assert (count["node_report_preview_start"], count["node_report_preview_done"], count["done"]) == (1, 1, 1)
    assert count["manifest_created"] == len(made)
    assert run["cost"] == {**calm["cost"]}


async def _are_completed(owner: Person, run: dict[str, Any]) -> bool:
    found = await deliverables(owner, run_id=run["id"])
    return len(found) == 2 and all(each["status"] == "completed" for each in found)


def _hash_of(made: dict[str, Any], name: str) -> str:
    return next(file["sha256"] for file in made["files"] if file["name"] == name)
