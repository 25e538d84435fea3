"""Asking in a conversation: message, run and wake-up at once; the answer, its branch and what it cost."""

import asyncio

from tests.conversations.makers import REVENUE, STAFF, begin, exchange, history, say, show
from tests.support.reasoner import PlainReasoner
from tests.support.runs import log_of, researching, until_rests
from tests.support.server import Person

from intelli.app import App
from intelli.reasoning.usage import Usage
from intelli.reasoning.verbs.understand import ResearchPlan, UnderstandInput


class Listening(PlainReasoner):
    """Remembers what was said before each question that it planned for."""

    def __init__(self) -> None:
        super().__init__()
        self.heard: dict[str, list[str]] = {}

    async def plan(self, asked: UnderstandInput) -> tuple[ResearchPlan, Usage]:
        self.heard[asked.question] = [turn.text for turn in asked.conversation]
        return await super().plan(asked)


async def test_a_question_is_taken_at_once_and_its_answer_stands_below_it(app: App, owner: Person):
    conversation = await begin(owner)
    asked = await say(owner, conversation)
    message, run = asked["message"], asked["run"]
    assert (message["role"], message["run_id"], message["run_status"]) == ("user", run["id"], "pending")
    assert (run["conversation_id"], run["message_id"]) == (conversation["id"], message["id"])
    async with researching(app):
        run = await until_rests(owner, run)
    question, answer = await history(owner, conversation)
    assert (question["id"], question["run_status"]) == (message["id"], "completed")
    assert (answer["role"], answer["parent_message_id"], answer["run_id"]) == ("agent", question["id"], run["id"])
    assert answer["reasoner"] == run["reasoner"] == "plain"
    assert answer["content"] == run["agent_response"]
    assert (answer["input_tokens"], answer["output_tokens"]) == (run["input_tokens"], run["output_tokens"])
    log = await log_of(owner, run)
    assert log[0]["event"]["chat_id"] == conversation["id"]
    assert log[-1]["event"]["message"] == answer
    assert log[-2]["event"] == {"type": "chat_title_generated", "title": REVENUE}
    told = await show(owner, conversation)
    assert (told["message_count"], told["request_count"], told["title"]) == (2, 1, REVENUE)
    assert told["total_tokens_used"] == run["input_tokens"] + run["output_tokens"]
    assert "412.7" in told["last_message_preview"]
    assert "gml" not in told["last_message_preview"]


async def test_the_same_key_asks_once(owner: Person):
    conversation = await begin(owner)
    first, second = await asyncio.gather(say(owner, conversation, key="same"), say(owner, conversation, key="same"))
    assert first == second
    assert len(await history(owner, conversation)) == 1
    assert len((await owner.client.get("/runs")).json()["items"]) == 1


async def test_twenty_questions_at_once_all_have_their_place(owner: Person):
    conversation = await begin(owner)
    asked = await asyncio.gather(*(say(owner, conversation, f"Question {number}?") for number in range(20)))
    messages = await history(owner, conversation)
    assert {each["id"] for each in messages} == {each["message"]["id"] for each in asked}
    assert [each["parent_message_id"] for each in messages[1:]] == [each["id"] for each in messages[:-1]]
    told = await show(owner, conversation)
    assert (told["message_count"], told["request_count"]) == (20, 20)


async def test_a_follow_up_is_planned_in_the_light_of_its_branch_alone(app: App, owner: Person):
    conversation, reasoner = await begin(owner), Listening()
    async with researching(app, reasoner=reasoner):
        first = await exchange(owner, conversation)
        await exchange(owner, conversation, STAFF)
        await exchange(owner, conversation, "And in 2024?", parent_message_id=first["id"])
        await exchange(owner, conversation, "Something else?", parent_message_id=None)
    assert reasoner.heard[REVENUE] == []
    assert reasoner.heard[STAFF] == [REVENUE, "Revenue came to 412.7 million euros in 2025."]
    assert reasoner.heard["And in 2024?"] == reasoner.heard[STAFF]
    assert reasoner.heard["Something else?"] == []
    parents = {each["content"]: each["parent_message_id"] for each in await history(owner, conversation)}
    assert (parents["And in 2024?"], parents["Something else?"]) == (first["id"], None)


async def test_a_title_follows_the_first_question_until_the_person_gives_one(app: App, owner: Person):
    conversation = await begin(owner)
    async with researching(app):
        await exchange(owner, conversation, REVENUE)
        assert (await show(owner, conversation))["title"] == REVENUE
        await exchange(owner, conversation, "And in 2024?")
        assert (await show(owner, conversation))["title"] == REVENUE
        await exchange(owner, conversation, STAFF, parent_message_id=None)
        told = await show(owner, conversation)
        assert told["title"] == STAFF
        change = {"title": "Mine", "expected_version": told["version"]}
        (await owner.client.patch(f"/conversations/{conversation['id']}", json=change)).raise_for_status()
        await exchange(owner, conversation, REVENUE, parent_message_id=None)
    assert (await show(owner, conversation))["title"] == "Mine"


async def test_an_answer_tried_again_stands_beside_the_first(app: App, owner: Person):
    conversation = await begin(owner)
    async with researching(app):
        first = await exchange(owner, conversation)
        again = await owner.client.post(f"/messages/{first['id']}/retry")
        assert again.status_code == 202
        await until_rests(owner, again.json()["run"])
    question, one, other = await history(owner, conversation)
    assert one["id"] == first["id"]
    assert other["parent_message_id"] == one["parent_message_id"] == question["id"]
    assert other["run_id"] == question["run_id"] == again.json()["run"]["id"]
    assert (await show(owner, conversation))["request_count"] == 2


async def test_a_message_of_another_conversation_is_no_parent(owner: Person):
    here, there = await begin(owner), await begin(owner)
    elsewhere = (await say(owner, there))["message"]
    body = {"content": "And now?", "parent_message_id": elsewhere["id"]}
    answer = await owner.client.post(f"/conversations/{here['id']}/messages", json=body)
    assert (answer.status_code, answer.json()["code"]) == (404, "message_not_found")


async def test_what_is_in_focus_has_to_be_there_and_becomes_the_scope_of_the_run(owner: Person):
    conversation = await begin(owner)
    file = {"file": ("report.md", b"# Report")}
    place = {"folder_path": "/Reports"}
    document = (await owner.client.post("/documents", files=file, data=place)).raise_for_status().json()
    references = [
        {"reference_type": "file", "document_id": document["id"]},
        {"reference_type": "folder", "folder_path": "/Reports"},
    ]
    asked = await say(owner, conversation, context_references=references)
    assert [each["display_label"] for each in asked["message"]["context_references"]] == ["report.md", "Reports"]
    rest = {"memory": True, "outlines": True}
    assert asked["run"]["context"] == {"document_ids": [document["id"]], "folders": ["/Reports"], **rest}
    everything = [*references, {"reference_type": "all_filesystem"}]
    asked = await say(owner, conversation, context_references=everything)
    assert asked["run"]["context"] == {"document_ids": [], "folders": [], **rest}
    path = f"/conversations/{conversation['id']}/messages"
    for reference, status in (
        ({"reference_type": "file", "document_id": conversation["id"]}, 404),
        ({"reference_type": "folder", "folder_path": "/Nowhere"}, 404),
        ({"reference_type": "file"}, 422),
        ({"reference_type": "folder"}, 422),
    ):
        body = {"content": REVENUE, "context_references": [reference]}
        assert (await owner.client.post(path, json=body)).status_code == status, reference
    assert len(await history(owner, conversation)) == 2
