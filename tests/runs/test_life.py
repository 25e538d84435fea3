"""The life of a run over HTTP: asked, researched, answered, told."""

from tests.support.runs import ask, log_of, researching, text_of, until_rests
from tests.support.server import Person

from intelli.app import App


async def test_a_question_is_answered_from_the_library(app: App, owner: Person):
    async with researching(app):
        run = await until_rests(owner, await ask(owner))
    assert run["status"] == "completed"
    assert "412.7 million euros" in run["agent_response"]
    assert "1204 people" in run["agent_response"]
    assert run["progress"] == 1
    assert run["problems"] == []
    assert run["title"]


async def test_the_log_counts_from_one_without_a_gap_and_ends_with_done(app: App, owner: Person):
    async with researching(app):
        run = await until_rests(owner, await ask(owner))
    log = await log_of(owner, run)
    assert [line["seq"] for line in log] == list(range(1, run["last_seq"] + 1))
    assert log[0]["event"]["type"] == "stream_start"
    assert log[-1]["event"]["type"] == "done"
    assert log[-1]["event"]["message"]["content"] == run["agent_response"]
    assert text_of(log) == run["agent_response"]
