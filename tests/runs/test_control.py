"""Steering a run while it is under way: cancelling it, and answering what it asks back."""

import asyncio
import time

from tests.support.jobs import until
from tests.support.reasoner import PlainReasoner
from tests.support.runs import ask, log_of, read_stream, researching, show, until_rests
from tests.support.server import Person

from intelli.app import App
from intelli.reasoning.usage import Usage
from intelli.reasoning.verbs.note import NoteInput, Notes


class Stuck(PlainReasoner):
    """Takes notes for ever, and tells when it was stopped."""

    def __init__(self) -> None:
        super().__init__()
        self.began = asyncio.Event()
        self.stopped = asyncio.Event()

    async def note(self, asked: NoteInput) -> tuple[Notes, Usage]:
        self.began.set()
        try:
            await asyncio.Event().wait()
        finally:
            self.stopped.set()
        raise AssertionError("nobody sets the event")


async def test_a_run_at_work_is_cancelled_within_two_seconds_and_keeps_what_it_found(app: App, owner: Person):
    reasoner = Stuck()
    async with researching(app, reasoner=reasoner, heartbeat_s=5, stall_s=30):
        run = await ask(owner)
        await reasoner.began.wait()
        begun = time.monotonic()
        cancelled = (await owner.client.post(f"/runs/{run['id']}/cancel")).raise_for_status().json()
        await reasoner.stopped.wait()
        assert time.monotonic() - begun < 2
    assert cancelled["status"] == "cancelled"
    run = await show(owner, run)
    log = await log_of(owner, run)
    assert run["status"] == "cancelled"
    assert log[-1]["event"] == {
        "type": "done",
        "status": "cancelled",
        "has_async_entities_pending": False,
        "message": None,
    }
    assert [line["seq"] for line in log] == list(range(1, run["last_seq"] + 1))
    assert (await owner.client.get(f"/runs/{run['id']}/interactions")).json()["items"]


async def test_a_cancelled_run_can_be_taken_up_again_and_pays_for_nothing_twice(app: App, owner: Person):
    stuck = Stuck()
    async with researching(app, reasoner=stuck):
        run = await ask(owner)
        await stuck.began.wait()
        await owner.client.post(f"/runs/{run['id']}/cancel")
    reasoner = PlainReasoner()
    async with researching(app, reasoner=reasoner):
        (await owner.client.post(f"/runs/{run['id']}/retry")).raise_for_status()
        run = await until_rests(owner, run, "completed")
    assert "understand" not in reasoner.calls
    assert "412.7" in run["agent_response"]


async def test_a_run_that_waits_in_the_queue_is_cancelled_at_once(app: App, owner: Person):
    run = await ask(owner)
    cancelled = (await owner.client.post(f"/runs/{run['id']}/cancel")).raise_for_status().json()
    assert cancelled["status"] == "cancelled"
    async with researching(app):
        assert [event["event"]["type"] for event in await read_stream(owner.client, run["id"])][-1] == "done"
    assert (await show(owner, run))["last_seq"] == cancelled["last_seq"]


async def test_a_run_asks_back_waits_and_goes_on(app: App, owner: Person):
    reasoner = PlainReasoner()
    async with researching(app, reasoner=reasoner):
        run = await until_rests(owner, await ask(owner, "unclear revenue"))
        assert run["status"] == "waiting"
        assert run["clarifications"] == [{"question": "Which year do you mean?", "answer": None}]
        assert (await log_of(owner, run))[-1]["event"]["type"] == "clarification_needed"
        answer = await owner.client.post(f"/runs/{run['id']}/clarify", json={"answer": "2025"})
        assert answer.raise_for_status().json()["status"] in {"pending", "processing", "completed"}
        run = await until_rests(owner, run, "completed")
    assert run["clarifications"] == [{"question": "Which year do you mean?", "answer": "2025"}]
    kinds = [line["event"]["type"] for line in await log_of(owner, run)]
    assert kinds.index("clarification_needed") < kinds.index("clarification_received") < kinds.index("plan_created")
    assert reasoner.calls.count("understand") == 2


async def test_a_run_that_asked_nothing_takes_no_answer(app: App, owner: Person):
    run = await ask(owner)
    answer = await owner.client.post(f"/runs/{run['id']}/clarify", json={"answer": "2025"})
    assert (answer.status_code, answer.json()["code"]) == (409, "run_not_waiting")


async def test_a_waiting_run_survives_the_end_of_its_worker(app: App, owner: Person):
    async with researching(app):
        run = await until_rests(owner, await ask(owner, "unclear revenue"))
    async with researching(app):
        await owner.client.post(f"/runs/{run['id']}/clarify", json={"answer": "2025"})
        assert (await until_rests(owner, run, "completed"))["status"] == "completed"


async def test_a_worker_that_shuts_down_hands_its_run_over(app: App, owner: Person):
    stuck = Stuck()
    async with researching(app, reasoner=stuck):
        run = await ask(owner)
        await stuck.began.wait()
    async with researching(app):

        async def is_done() -> bool:
            return (await show(owner, run))["status"] == "completed"

        await until(is_done)
