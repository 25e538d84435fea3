"""What a conversation is about, whether it uses memory, and what its answers may cost."""

from tests.conversations.makers import begin, exchange, history, say, show
from tests.library.makers import add, make_folder
from tests.support.jobs import jobs_of
from tests.support.runs import ask, log_of, researching, until_rests
from tests.support.server import Person

from intelli.app import App
from intelli.memory.jobs import REMEMBER

_FACT = "Our plant in Basel has a capacity of 5200 tonnes."


async def test_a_conversation_begun_from_a_file_is_about_that_file(app: App, owner: Person):
    document = await add(owner, "report.txt", b"Revenue came to 412.7 million euros in 2025.")
    for named in ({"initialization_path": "/report.txt"}, {"initialization_document_id": document["id"]}):
        conversation = await begin(owner, initialization_context="file", **named)
        asked = await say(owner, conversation)
        assert asked["run"]["context"]["document_ids"] == [document["id"]]
        assert [each["document_id"] for each in asked["message"]["context_references"]] == [document["id"]]
    # Another focus, and everything, can be chosen for a question.
    asked = await say(owner, conversation, context_references=[])
    assert asked["run"]["context"]["document_ids"] == []


async def test_a_conversation_begun_from_a_folder_is_about_that_folder(app: App, owner: Person):
    await make_folder(owner, "reports")
    conversation = await begin(owner, initialization_context="folder", initialization_path="/reports")
    assert (await say(owner, conversation))["run"]["context"]["folders"] == ["/reports"]


async def test_a_conversation_about_what_is_not_there_is_refused(owner: Person):
    for body, status in (
        ({"initialization_context": "file", "initialization_path": "/nope.md"}, 404),
        ({"initialization_context": "folder", "initialization_path": "/nope"}, 404),
        ({"initialization_context": "file"}, 422),
        ({"initialization_context": "folder"}, 422),
    ):
        assert (await owner.client.post("/conversations", json=body)).status_code == status


async def test_a_run_in_a_place_that_is_not_there_is_refused(owner: Person):
    missing = "00000000-0000-4000-8000-000000000000"
    for context in ({"folders": ["/nope"]}, {"document_ids": [missing]}):
        answer = await owner.client.post("/runs", json={"question": "What?", "context": context})
        assert answer.status_code == 404


async def test_memory_can_be_left_aside_by_a_person_in_a_conversation_and_for_a_question(app: App, owner: Person):
    async def remembers(conversation: dict, **more: object) -> bool:
        before = len([job for job in await jobs_of(app.db) if job.name == REMEMBER.name])
        asked = await say(owner, conversation, _FACT, **more)
        await until_rests(owner, asked["run"])
        searched = any(line["event"].get("tool_type") == "search_memory" for line in await log_of(owner, asked["run"]))
        kept = len([job for job in await jobs_of(app.db) if job.name == REMEMBER.name]) > before
        assert searched == kept == asked["run"]["context"]["memory"]
        return kept

    usual, without = await begin(owner), await begin(owner, uses_memory=False)
    async with researching(app):
        assert await remembers(usual)
        assert not await remembers(usual, memory=False)
        assert not await remembers(without)
        (await owner.client.patch("/auth/me", json={"uses_memory": False})).raise_for_status()
        assert not await remembers(usual)
    assert (await show(owner, without))["uses_memory"] is False


async def test_a_run_costs_no_more_than_is_said_and_the_workspace_allows(owner: Person):
    assert (await ask(owner, budget_cents=5))["budget_cents"] == 5
    (await owner.client.patch("/workspace", json={"run_budget_cents": "20"})).raise_for_status()
    assert (await ask(owner))["budget_cents"] == 20
    refused = await owner.client.post("/runs", json={"question": "What?", "budget_cents": 21})
    assert (refused.status_code, refused.json()["code"]) == (422, "budget_too_large")
    conversation = await begin(owner)
    assert (await say(owner, conversation, budget_cents=3))["run"]["budget_cents"] == 3
    (await owner.client.patch("/workspace", json={"run_budget_cents": None})).raise_for_status()
    assert (await ask(owner))["budget_cents"] == 200


async def test_a_conversation_tells_how_long_it_has_lasted_and_its_tool_calls_their_question(app: App, owner: Person):
    conversation = await begin(owner)
    async with researching(app):
        answer = await exchange(owner, conversation)
    question = (await history(owner, conversation))[0]
    told = await show(owner, conversation)
    assert told["session_duration_seconds"] >= 0
    path = f"/runs/{answer['run_id']}/interactions"
    uses = (await owner.client.get(path)).raise_for_status().json()["items"]
    assert {(each["conversation_id"], each["message_id"]) for each in uses} == {(conversation["id"], question["id"])}
