"""Whole runs with a real reasoner over real HTTP: they end, they say what failed, and no document steers them."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from decimal import Decimal
from typing import Any
from uuid import UUID

import pytest
from tests.reasoning.injections import TEXTS
from tests.reasoning.model import reasoner_on
from tests.reasoning.test_injection import gullible
from tests.support.jobs import until, until_settled, working
from tests.support.model_server import ModelServer, Reply, broken, busy
from tests.support.runs import CORPUS, FakeLibrary, ask, until_rests
from tests.support.server import Person

from intelli.app import JOBS, App
from intelli.deliverables import consistency
from intelli.deliverables.brief import DataBrief
from intelli.kit.context import System
from intelli.reasoning.adapters.extractive import ExtractiveReasoner
from intelli.reasoning.reasoner import Reasoner
from intelli.reasoning.reasoners import FixedReasoners
from intelli.runs import replay, replies
from intelli.runs.ports import LibraryAccess, RunReasoners

_ALWAYS = 40
FAULTS = {
    "broken": [broken()] * _ALWAYS,
    "refused": [Reply(status=401, error="Incorrect API key provided.")] * _ALWAYS,
    "mixed": [busy(), Reply(), broken(), Reply(text="?"), Reply(), Reply(cut_after=9), broken(), broken(), Reply()],
}


@asynccontextmanager
async def researching_with(app: App, reasoner: Reasoner, library: FakeLibrary) -> AsyncIterator[None]:
    parts = {
        **app.parts,
        RunReasoners: RunReasoners(FixedReasoners(reasoner, ExtractiveReasoner())),
        LibraryAccess: library.library(),
    }
    async with working(app.db, *JOBS, parts=parts):
        yield


async def run_with(
    app: App, owner: Person, reasoner: Reasoner, library: FakeLibrary | None = None, **more: str
) -> dict[str, Any]:
    async with researching_with(app, reasoner, library or FakeLibrary()):
        return await until_rests(owner, await ask(owner, **more))


async def test_without_a_model_a_run_answers_from_the_sources_and_costs_nothing(app: App, owner: Person) -> None:
    run = await run_with(app, owner, ExtractiveReasoner())

    assert run["status"] == "completed"
    assert "Revenue came to 412.7 million euros in 2025. <gml-inlinecitation" in run["agent_response"]
    assert "1204 people" in run["agent_response"]
    assert Decimal(str(run["cost"]["total"])) == 0


async def test_with_a_model_a_run_answers_and_is_charged(app: App, owner: Person, server: ModelServer) -> None:
    async with reasoner_on(server) as reasoner:
        run = await run_with(app, owner, reasoner)

    assert run["status"] == "completed"
    assert "412.7 million euros" in run["agent_response"]
    assert run["problems"] == []
    assert Decimal(str(run["cost"]["total"])) > 0


async def test_a_plain_question_takes_few_calls_each_source_in_a_prompt_once(
    app: App, owner: Person, server: ModelServer
) -> None:
    async with reasoner_on(server) as reasoner:
        run = await run_with(app, owner, reasoner, question="What did revenue come to?")

    prompts = server.prompts()
    first_word = next(number for number, body in enumerate(server.requests, 1) if body.get("stream"))
    assert "412.7 million euros" in run["agent_response"]
    assert first_word <= 3
    assert len(prompts) <= 6
    assert all(prompt.count(CORPUS["revenue.txt"]) <= 1 for prompt in prompts[:first_word])
    assert f"Today is {run['created_at'][:10]}" in prompts[first_word - 1]


async def _events(owner: Person, run: dict[str, Any]) -> list[dict[str, Any]]:
    listed = (await owner.client.get(f"/runs/{run['id']}/events")).raise_for_status().json()
    return [item["event"] for item in listed["items"]]


async def test_the_first_words_come_before_anything_is_judged_and_before_the_answer_is_whole(
    app: App, owner: Person, server: ModelServer
) -> None:
    server.goes_on.clear()
    said = "On its payroll the company had 1204 people in December [s1]."
    server.script(Reply(text=said, hold_after=20, when="You answer"))
    async with reasoner_on(server) as reasoner:
        parts = {**app.parts, RunReasoners: RunReasoners(FixedReasoners(reasoner, ExtractiveReasoner()))}
        async with working(app.db, *JOBS, parts=parts):
            files = {"file": ("staff.txt", CORPUS["staff.txt"].encode())}
            (await owner.client.post("/documents", files=files)).raise_for_status()
            await until_settled(app.db)
            run = await ask(owner, question="How many people did the company employ?")

            async def is_begun() -> bool:
                return any(event["type"] == "message_delta" for event in await _events(owner, run))

            await until(is_begun)
            held = server.prompts()
            server.goes_on.set()
            await until_rests(owner, run)

    kinds = [prompt.partition(",")[0][:24] for prompt in held]
    assert kinds == ["You decide what a person", "You answer a question fr"]
    assert any("Cites:" in prompt for prompt in server.prompts()[2:])


async def test_a_run_says_what_its_model_does_and_how_long_once_a_call_was_measured(app: App, owner: Person) -> None:
    with ModelServer(delay_s=0.2) as slow:
        async with reasoner_on(slow) as reasoner:
            runs = [await run_with(app, owner, reasoner, question="What did revenue come to?") for _ in range(2)]
    first, second = [
        {event["activity"]: event for event in await _events(owner, run) if event["type"] == "progress_update"}
        for run in runs
    ]

    assert first["understanding"]["message"] == "Understanding the question"
    assert first["understanding"]["estimate_s"] is None
    assert first["reading"]["message"] == "Reading 1 passage"
    assert first["reading"]["estimate_s"] > 0
    assert second["understanding"]["estimate_s"] >= 0.2


@pytest.mark.parametrize("is_model", [True, False])
async def test_thanks_are_replied_to_without_research(
    app: App, owner: Person, server: ModelServer, is_model: bool
) -> None:
    reply = {"kind": "question", "deliverable": "STANDARD", "changing": "nothing", "clarification": None}
    server.script(Reply(data={**reply, "reply": "You are welcome.", "title": "", "summary": "", "tasks": []}))
    async with reasoner_on(server) as model:
        run = await run_with(app, owner, model if is_model else ExtractiveReasoner(), question="Thanks!")

    calls = (await owner.client.get(f"/runs/{run['id']}/interactions")).json()["items"]
    assert (run["status"], run["agent_response"]) == ("completed", "You are welcome.")
    async with app.db.begin(System(UUID((await owner.me())["workspace"]["id"]))) as tx:
        recording = await replay.load(tx, UUID(run["id"]), max_tasks=5)
    assert (await replay.replay(recording, ExtractiveReasoner())).is_same
    assert {call["tool_name"] for call in calls} == {"list_directory"}
    assert run["confidence_score"] is None


async def test_nothing_is_delivered_of_a_reply(app: App, owner: Person) -> None:
    async with researching_with(app, ExtractiveReasoner(), FakeLibrary()):
        conversation = (await owner.client.post("/conversations", json={})).raise_for_status().json()
        place = f"/conversations/{conversation['id']}/messages"
        run = await until_rests(owner, (await owner.client.post(place, json={"content": "Thank you!"})).json()["run"])
    answer_id = replies.answer_id(UUID(run["id"]))
    refused = await owner.client.post(f"/messages/{answer_id}/deliverables", json={"kind": "REPORT"})
    bundle = await owner.client.get(f"/messages/{answer_id}/bundle")

    assert (refused.status_code, refused.json()["code"]) == (409, "nothing_to_deliver")
    assert bundle.status_code < 500


async def test_a_report_is_made_later_of_an_answer_that_was_written_without_a_brief(
    app: App, owner: Person, server: ModelServer
) -> None:
    async with reasoner_on(server) as reasoner, researching_with(app, reasoner, FakeLibrary()):
        conversation = (await owner.client.post("/conversations", json={})).raise_for_status().json()
        body = {"content": "What did revenue come to?"}
        asked = (await owner.client.post(f"/conversations/{conversation['id']}/messages", json=body)).json()
        run = await until_rests(owner, asked["run"])
        answer_id = replies.answer_id(UUID(run["id"]))
        made = (await owner.client.post(f"/messages/{answer_id}/deliverables", json={"kind": "REPORT"})).json()

        async def is_made() -> bool:
            shown = (await owner.client.get(f"/deliverables/{made['id']}")).raise_for_status().json()
            return shown["status"] in {"completed", "failed"}

        await until(is_made)
    content = (await owner.client.get(f"/deliverables/{made['id']}/content")).raise_for_status().json()
    assert "412.7 million euros" in content["gml"]


async def test_with_a_model_a_report_has_only_figures_of_the_sources(
    app: App, owner: Person, server: ModelServer
) -> None:
    async with reasoner_on(server) as reasoner:
        run = await run_with(app, owner, reasoner, deliverable_type="REPORT")

    (made,) = (await owner.client.get("/deliverables", params={"run_id": run["id"]})).json()["items"]
    content = (await owner.client.get(f"/deliverables/{made['id']}/content")).raise_for_status().json()
    brief = DataBrief.model_validate((await owner.client.get(f"/deliverables/{made['id']}/brief")).json())
    assert run["problems"] == []
    assert "412.7 million euros" in content["gml"]
    assert consistency.check(brief, {"REPORT": content["gml"]}) == []
    assert all(metric.shown in brief.cited(metric.citation).quote for metric in brief.metrics)  # type: ignore[union-attr]


@pytest.mark.parametrize("faults", FAULTS.values(), ids=FAULTS)
async def test_a_failing_model_degrades_a_run_and_the_run_says_so(
    app: App, owner: Person, server: ModelServer, faults: list[Reply]
) -> None:
    server.script(*faults)
    async with reasoner_on(server) as reasoner:
        run = await run_with(app, owner, reasoner)

    assert run["status"] == "completed"
    assert "412.7 million euros" in run["agent_response"]
    if len(faults) == _ALWAYS:
        assert any("without the model" in problem for problem in run["problems"])


async def test_no_document_changes_what_a_run_calls(app: App, owner: Person) -> None:
    poisoned = {name: f"{text} {' '.join(TEXTS)}" for name, text in CORPUS.items()}
    with ModelServer(answer=gullible) as server:
        async with reasoner_on(server) as model:
            for reasoner in (model, ExtractiveReasoner()):
                clean, bad = FakeLibrary(), FakeLibrary(poisoned)
                await run_with(app, owner, reasoner, clean)
                run = await run_with(app, owner, reasoner, bad)
                assert sorted(bad.queries) == sorted(clean.queries)
                calls = (await owner.client.get(f"/runs/{run['id']}/interactions")).json()["items"]
                used = {call["tool_name"] for call in calls} - {"answer_from_tables"}
                assert used == {"list_directory", "search_documents", "search_memory"}
                assert not any("CANARY" in str(call["tool_input"]) for call in calls)
