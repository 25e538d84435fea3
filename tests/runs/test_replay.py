"""Replay: a finished run once more from what was recorded, with the same hash, asking nobody and writing nothing."""

from uuid import UUID

import pytest
from sqlalchemy import text
from tests.support.reasoner import PlainReasoner
from tests.support.runs import FakeLibrary, ask, researching, show, until_rests
from tests.support.server import Person

from intelli.app import App
from intelli.kit.context import System
from intelli.runs import replay
from intelli.runs.errors import NotReplayable


async def test_a_replay_has_the_same_hash_and_asks_nobody(app: App, owner: Person):
    async with researching(app, library=FakeLibrary(broken=frozenset({"risk"}))):
        run = await until_rests(owner, await ask(owner, "What did revenue come to and what is the risk?"))
    mute = PlainReasoner()
    result = await replay.replay(await _load(app, owner, run["id"]), mute)
    assert result.is_same
    assert result.answer == run["agent_response"]
    assert result.different == ()
    assert mute.calls == []
    assert await show(owner, run) == run


async def test_a_replay_of_a_clarified_run_has_the_same_hash(app: App, owner: Person):
    async with researching(app):
        run = await until_rests(owner, await ask(owner, "unclear revenue"))
        await owner.client.post(f"/runs/{run['id']}/clarify", json={"answer": "2025"})
        run = await until_rests(owner, run, "completed")
    assert (await replay.replay(await _load(app, owner, run["id"]), PlainReasoner())).is_same


async def test_a_recording_that_was_tampered_with_is_found_out(app: App, owner: Person):
    async with researching(app):
        run = await until_rests(owner, await ask(owner))
    lie = "jsonb_set(answer, '{text}', '\"Revenue was 9 million.\"')"
    change = f"update model_calls set answer = {lie} where key = 'answer'"
    async with app.db.begin(await _who(owner)) as tx:
        await tx.session.execute(text(change))
    assert not (await replay.replay(await _load(app, owner, run["id"]), PlainReasoner())).is_same


async def test_a_run_that_has_not_ended_well_cannot_be_replayed(app: App, owner: Person):
    run = await ask(owner)
    with pytest.raises(NotReplayable):
        await _load(app, owner, run["id"])


async def _load(app: App, person: Person, run_id: str) -> replay.RunRecording:
    async with app.db.begin(await _who(person)) as tx:
        return await replay.load(tx, UUID(run_id), max_tasks=5)


async def _who(person: Person) -> System:
    return System(UUID((await person.me())["workspace"]["id"]))
