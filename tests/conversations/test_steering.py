"""Conversations whose runs do not simply answer: asking back, stopped, failed, deleted at work."""

import asyncio
from collections.abc import AsyncIterator

from tests.conversations.makers import Json, begin, history, say, show
from tests.support.jobs import until
from tests.support.reasoner import PlainReasoner
from tests.support.runs import log_of, researching, text_of, until_rests
from tests.support.server import Person

from intelli.app import App
from intelli.kit.errors import Invalid
from intelli.reasoning.verbs.answer import AnswerEnd, AnswerInput, Delta


class Halting(PlainReasoner):
    """Says half of its answer and then waits."""

    async def answer(self, asked: AnswerInput) -> AsyncIterator[Delta | AnswerEnd]:
        (finding,) = asked.brief.findings
        yield Delta(text=f'{finding.text} <gml-inlinecitation identifier="{finding.identifier}"/> And then')
        await asyncio.Event().wait()


class Breaking(PlainReasoner):
    """Says half of its answer and then fails."""

    async def answer(self, asked: AnswerInput) -> AsyncIterator[Delta | AnswerEnd]:
        (finding,) = asked.brief.findings
        yield Delta(text=f'{finding.text} <gml-inlinecitation identifier="{finding.identifier}"/> And then ')
        raise RuntimeError("a fault of ours")


async def test_a_reply_to_what_was_asked_back_goes_to_the_run_that_asked(app: App, owner: Person):
    conversation = await begin(owner)
    async with researching(app):
        asked = await say(owner, conversation, "unclear revenue")
        await until_rests(owner, asked["run"], "waiting")
        (_, back) = await history(owner, conversation)
        assert (back["role"], back["needs_clarification_message"]) == ("agent", "Which year do you mean?")
        replied = await say(owner, conversation, "2025")
        assert replied["run"]["id"] == asked["run"]["id"]
        await until_rests(owner, asked["run"], "completed")
    question, back, reply, answer = await history(owner, conversation)
    assert back["needs_clarification_message"] is None
    assert [each["parent_message_id"] for each in (back, reply, answer)] == [question["id"], back["id"], reply["id"]]
    assert (reply["id"], reply["content"]) == (replied["message"]["id"], "2025")
    assert (await show(owner, conversation))["request_count"] == 1


async def test_another_question_instead_of_a_reply_has_a_run_of_its_own(app: App, owner: Person):
    conversation = await begin(owner)
    async with researching(app):
        asked = await say(owner, conversation, "unclear revenue")
        await until_rests(owner, asked["run"], "waiting")
        edited = await say(owner, conversation, "What did revenue come to?", parent_message_id=None)
        assert edited["run"]["id"] != asked["run"]["id"]
        await until_rests(owner, edited["run"], "completed")
        (await owner.client.post(f"/runs/{asked['run']['id']}/cancel")).raise_for_status()
    assert [each["needs_clarification_message"] for each in await history(owner, conversation)] == [None] * 4


async def test_a_run_that_is_stopped_leaves_what_it_had_said(app: App, owner: Person):
    conversation = await begin(owner)
    async with researching(app, reasoner=Halting()):
        asked = await say(owner, conversation)

        async def has_begun() -> bool:
            return text_of(await log_of(owner, asked["run"])) != ""

        await until(has_begun)
        (await owner.client.post(f"/runs/{asked['run']['id']}/cancel")).raise_for_status()

        async def is_salvaged() -> bool:
            return (await history(owner, conversation))[-1]["citations"] != []

        await until(is_salvaged)
    question, answer = await history(owner, conversation)
    assert question["run_status"] == answer["run_status"] == "cancelled"
    assert answer["content"].startswith("Revenue came to 412.7 million euros in 2025. <gml-inlinecitation")
    assert [each["file_name"] for each in answer["citations"]] == ["revenue.txt"]
    assert answer["problems"] == ["The answer was stopped before it was finished."]
    async with researching(app):
        (await owner.client.post(f"/runs/{asked['run']['id']}/retry")).raise_for_status()
        await until_rests(owner, asked["run"], "completed")
    question, again = await history(owner, conversation)
    assert (again["id"], again["problems"]) == (answer["id"], [])
    assert "412.7" in again["content"]
    assert (await show(owner, conversation))["message_count"] == 2


async def test_an_answer_that_breaks_off_shows_what_it_rests_on_like_any_other(app: App, owner: Person):
    conversation = await begin(owner)
    async with researching(app, reasoner=Breaking()):
        asked = await say(owner, conversation)
        assert (await until_rests(owner, asked["run"], "failed"))["agent_response"]
        assert (await _evidence(owner, (await history(owner, conversation))[-1]))["found"] in {0, 1}

        async def is_salvaged() -> bool:
            return (await history(owner, conversation))[-1]["citations"] != []

        await until(is_salvaged)
    evidence = await _evidence(owner, (await history(owner, conversation))[-1])
    assert (evidence["found"], evidence["cited"]) == (1, 1)


async def _evidence(owner: Person, message: Json) -> Json:
    """The evidence of a message, all other parts of which are told as well."""
    told = {
        part: (await owner.client.get(f"/messages/{message['id']}/{part}")).raise_for_status().json()
        for part in ("citations", "figures", "entities", "evidence")
    }
    return told["evidence"]


async def test_a_run_that_fails_before_it_says_anything_leaves_only_the_question(app: App, owner: Person):
    conversation = await begin(owner)
    failing = PlainReasoner(on_call=_refuse)
    async with researching(app, reasoner=failing):
        asked = await say(owner, conversation)
        run = await until_rests(owner, asked["run"], "failed")
    (question,) = await history(owner, conversation)
    assert question["run_status"] == "failed"
    assert run["error"]["message"]


async def test_deleting_a_conversation_stops_its_run_and_leaves_nothing(app: App, owner: Person):
    conversation = await begin(owner)
    async with researching(app, reasoner=Halting()):
        asked = await say(owner, conversation)

        async def has_begun() -> bool:
            return text_of(await log_of(owner, asked["run"])) != ""

        await until(has_begun)
        assert (await owner.client.delete(f"/conversations/{conversation['id']}")).status_code == 204
    assert (await owner.client.get(f"/runs/{asked['run']['id']}")).status_code == 404
    assert (await owner.client.get("/runs")).json()["items"] == []


def _refuse(verb: str) -> None:
    if verb == "understand":
        raise Invalid("This cannot be planned.")
