"""Workers killed with `kill -9` around a change that a person agreed to: it is made once, and told once."""

import random
from pathlib import Path
from typing import Any

import pytest
from tests.faults.killer import Killer, stay_signed_in, told
from tests.faults.run_process import CENTS, HEARTBEAT_S, STALL_S
from tests.support.approvals import SAVE, decide, find, pending
from tests.support.reasoner import PlainReasoner
from tests.support.runs import ask, researching, until_rests
from tests.support.server import Person
from tests.support.soak import IS_SOAKING

from intelli.app import App

# Before the change is made, while it is being written, and when it is there and nothing says so yet.
POINTS = [("commit", 8), ("written", 1), ("written", 2)]
ALL_POINTS = [*POINTS, *(("commit", count) for count in range(1, 26))]


@pytest.mark.slow
async def test_a_change_is_made_once_wherever_its_worker_is_killed(app: App, owner: Person, tmp_path: Path):
    calm = await _undisturbed(app, owner)
    killer = Killer(app.engine.app_url, tmp_path, random.Random(0))
    for number, (mode, count) in enumerate(ALL_POINTS if IS_SOAKING else POINTS):
        await stay_signed_in(owner, number)
        run = await _approved(app, owner)
        await killer.kill_one(owner, [run], mode, count)
        assert await _finished(app, owner, run) == calm, (mode, count)
    assert killer.deaths >= len(POINTS)


@pytest.mark.slow
@pytest.mark.skipif(not IS_SOAKING, reason="a point at a time, this takes minutes")
async def test_a_change_is_asked_for_once_wherever_its_worker_is_killed(app: App, owner: Person, tmp_path: Path):
    calm = await _undisturbed(app, owner)
    killer = Killer(app.engine.app_url, tmp_path, random.Random(0))
    for count in range(30, 70):
        await stay_signed_in(owner, count)
        run = await ask(owner, SAVE)
        await killer.kill_one(owner, [run], "commit", count, wanted="waiting")
        async with _workers(app):
            run = await until_rests(owner, run, "waiting")
        (waiting,) = await pending(owner)
        (await decide(owner, waiting, "approve")).raise_for_status()
        assert await _finished(app, owner, run) == calm, count
    assert killer.deaths > 10


async def _undisturbed(app: App, owner: Person) -> dict[str, Any]:
    """What the second run tells: the first also stores what outlasts its document, and the log has that, too."""
    await _finished(app, owner, await _approved(app, owner))
    return await _finished(app, owner, await _approved(app, owner))


async def _approved(app: App, owner: Person) -> dict[str, Any]:
    """A run whose change was agreed to and is not made yet: nobody works on it."""
    async with _workers(app):
        run = await until_rests(owner, await ask(owner, SAVE), "waiting")
    (waiting,) = await pending(owner)
    (await decide(owner, waiting, "approve")).raise_for_status()
    return run


async def _finished(app: App, owner: Person, run: dict[str, Any]) -> dict[str, Any]:
    """What there is to see of a run and its document when all is done. The document then makes room for the next."""
    async with _workers(app):
        run = await until_rests(owner, run, "completed")
    document = await find(owner, "revenue.md")
    assert document is not None
    entries = (await owner.client.get("/audit", params={"limit": 200})).raise_for_status().json()["items"]
    (await owner.client.delete(f"/documents/{document['id']}")).raise_for_status()
    return {
        **await told(owner, run),
        "version": document["version"],
        "document": [each["details"]["action"] for each in entries if each["entity_id"] == document["id"]],
        "audit": sorted(each["event_type"] for each in entries if each["run_id"] == run["id"]),
    }


def _workers(app: App) -> Any:
    return researching(app, reasoner=PlainReasoner(cents=CENTS), heartbeat_s=HEARTBEAT_S, stall_s=STALL_S)
