"""The job of a check: what is done is kept, a cancel is noticed between batches, fifty pages go in the background."""

import asyncio
from collections.abc import Callable
from typing import Any

from tests.checks.makers import REPORT, add, long_text, show, start, until_ended, until_read
from tests.support.jobs import until, working
from tests.support.server import Person

from intelli.app import JOBS, App
from intelli.checks import select
from intelli.checks.jobs import BATCH
from intelli.citations import prove
from intelli.kit.compute import Compute, InProcess

_SENTENCES = 3 * BATCH
_TEXT = " ".join(f"In {1900 + number} the lake had {100 + number} herons." for number in range(_SENTENCES))


class Gate(InProcess):
    """Computes until a number of checks were begun, then waits for ever."""

    def __init__(self, open_for: int) -> None:
        self.left = open_for
        self.is_waiting = asyncio.Event()

    async def run(self, function: Callable[..., Any], *arguments: Any) -> Any:
        if function is prove.examine:
            self.left -= 1
            if self.left < 0:
                self.is_waiting.set()
                await asyncio.Event().wait()
        return await super().run(function, *arguments)


async def test_what_is_done_is_kept_when_the_worker_stops_and_another_goes_on(app: App, owner: Person):
    await add(owner, "report.md", REPORT)
    gate = Gate(1)
    async with working(app.db, *JOBS, parts={**app.parts, Compute: gate}):
        await until_read(owner)
        check = await start(owner, text=_TEXT)
        await gate.is_waiting.wait()
        halfway = await show(owner, check)
    assert (halfway["status"], len(halfway["statements"]), halfway["total"]) == ("processing", BATCH, _SENTENCES)
    assert halfway["message"] == f"{BATCH} of {_SENTENCES} statements"
    rest = Gate(2)
    async with working(app.db, *JOBS, parts={**app.parts, Compute: rest}):
        done = await until_ended(owner, check)
    assert done["status"] == "completed"
    assert [each["number"] for each in done["statements"]] == list(range(_SENTENCES))
    assert done["statements"][:BATCH] == halfway["statements"]
    assert rest.left == 0, "what was done is not done again"


async def test_a_cancel_is_noticed_between_batches_and_what_is_done_stays(app: App, owner: Person):
    await add(owner, "report.md", REPORT)
    gate = Gate(1)
    async with working(app.db, *JOBS, parts={**app.parts, Compute: gate}):
        await until_read(owner)
        check = await start(owner, text=_TEXT)
        await gate.is_waiting.wait()
        cancelled = (await owner.client.post(f"/checks/{check['id']}/cancel")).raise_for_status().json()
    assert cancelled["status"] == "cancelled"
    async with working(app.db, *JOBS, parts=app.parts):
        other = await until_ended(owner, await start(owner, text="A lake has herons."))
    assert other["status"] == "completed"
    after = await show(owner, check)
    assert (after["status"], len(after["statements"])) == ("cancelled", BATCH)


async def test_fifty_pages_are_checked_in_the_background_with_progress(app: App, owner: Person):
    await add(owner, "report.md", REPORT)
    text = long_text()[:150_000]
    total = len(select.select(text, []).statements)
    assert total > 2000
    async with working(app.db, *JOBS, parts=app.parts):
        await until_read(owner)
        check = await start(owner, text=text)

        async def has_begun() -> bool:
            return (await owner.client.get("/checks")).json()["items"][0]["progress"] > 0

        await until(has_begun)
        (listed,) = (await owner.client.get("/checks")).json()["items"]
        assert (listed["status"], listed["total"]) == ("processing", total)
        assert 0 < listed["progress"] < 1
        assert sum(listed["counts"].values()) >= BATCH
        assert listed["message"].endswith(f" of {total} statements")
        (await owner.client.post(f"/checks/{check['id']}/cancel")).raise_for_status()
