"""Workers killed while a text is checked: every statement is there once, in order."""

import random
from pathlib import Path

import pytest
from tests.checks.makers import REPORT, add, show, start, until_ended, until_read
from tests.faults.killer import Killer
from tests.faults.run_process import HEARTBEAT_S, STALL_S
from tests.support.jobs import working
from tests.support.server import Person

from intelli.app import JOBS, App

_SENTENCES = 100
_TEXT = " ".join(f"In {1900 + number} the lake had {100 + number} herons." for number in range(_SENTENCES))
_PATIENCE_S = 120


@pytest.mark.slow
async def test_what_a_killed_worker_left_is_checked_to_its_end(app: App, owner: Person, tmp_path: Path):
    await add(owner, "report.md", REPORT)
    async with working(app.db, *JOBS, parts=app.parts):
        await until_read(owner)
    check = await start(owner, text=_TEXT)
    killer = Killer(app.engine.app_url, tmp_path, random.Random(0))
    for commits in (4, 40):
        await killer.let_one_die("commit", commits, patience_s=_PATIENCE_S)
    before = await show(owner, check)
    async with working(app.db, *JOBS, parts=app.parts, heartbeat_s=HEARTBEAT_S, stall_s=STALL_S):
        done = await until_ended(owner, check)
    assert done["status"] == "completed"
    assert [each["number"] for each in done["statements"]] == list(range(_SENTENCES))
    assert done["statements"][: len(before["statements"])] == before["statements"]
