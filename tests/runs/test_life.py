"""The life of a run over HTTP: asked, researched, answered, told."""

from itertools import pairwise

from tests.support.reasoner import PlainReasoner
from tests.support.runs import QUESTION, FakeLibrary, ask, log_of, researching, text_of, until_rests
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


async def test_a_plan_shows_its_tasks_with_what_each_has_found(app: App, owner: Person):
    async with researching(app):
        run = await until_rests(owner, await ask(owner))
    (plan,) = (await owner.client.get(f"/runs/{run['id']}/plan")).raise_for_status().json()["plans"].values()
    tasks = list(plan["plan_tasks"].values())
    assert plan["status"] == "success"
    assert [task["status"] for task in tasks] == ["success", "success"]
    assert all(task["duration_ms"] >= 0 and task["notes"] and task["sources"] for task in tasks)


async def test_every_tool_call_is_an_interaction_with_input_output_and_times(app: App, owner: Person):
    async with researching(app):
        run = await until_rests(owner, await ask(owner))
    calls = (await owner.client.get(f"/runs/{run['id']}/interactions")).raise_for_status().json()["items"]
    assert calls[0]["tool_name"] == "list_directory"
    tools = ["answer_from_tables", "search_documents", "search_memory"]
    assert sorted(call["tool_name"] for call in calls[1:]) == [tool for tool in tools for _ in range(2)]
    assert [call["sequence_order"] for call in calls] == [1, 2, 3, 4, 5, 6, 7]
    assert all(call["status"] == "completed" for call in calls)
    assert all(call["tool_output"]["passages"] for call in calls if call["tool_name"] == "search_documents")
    assert all(call["started_at"] <= call["finished_at"] for call in calls)


async def test_a_task_that_fails_is_told_and_the_others_go_on(app: App, owner: Person):
    async with researching(app, library=FakeLibrary(broken=frozenset({"revenue"}))):
        run = await until_rests(owner, await ask(owner))
    log = await log_of(owner, run)
    assert run["status"] == "completed"
    assert "1204 people" in run["agent_response"]
    (problem,) = run["problems"]
    assert problem.startswith("Part 1 of the research could not be done")
    assert problem in run["agent_response"]
    assert [line["event"]["subagent_id"] for line in log if line["event"]["type"] == "subagent_failed"] == [
        "research:0"
    ]


async def test_a_model_that_fails_is_replaced_by_the_sources_own_words(app: App, owner: Person):
    async with researching(app, reasoner=PlainReasoner(fails=frozenset({"understand", "note", "brief", "answer"}))):
        run = await until_rests(owner, await ask(owner))
    assert run["status"] == "completed"
    assert "412.7 million euros" in run["agent_response"]
    assert run["problems"]
    assert "The model does not answer." in run["problems"][0]


async def test_a_run_that_cannot_go_on_says_so_and_can_be_tried_again(app: App, owner: Person):
    async with researching(app, reasoner=_Broken()):
        run = await until_rests(owner, await ask(owner))
    assert run["status"] == "failed"
    assert run["error"]["code"] == "internal"
    assert "deep inside" not in str(run)
    assert (await log_of(owner, run))[-1]["event"]["type"] == "ERROR"
    async with researching(app):
        again = (await owner.client.post(f"/runs/{run['id']}/retry")).raise_for_status().json()
        assert again["retry_count"] == 1
        run = await until_rests(owner, run, "completed")
    log = await log_of(owner, run)
    assert [line["seq"] for line in log] == list(range(1, run["last_seq"] + 1))
    assert [line["event"]["type"] for line in log].count("stream_start") == 1
    assert log[-1]["event"]["type"] == "done"
    assert run["error"] is None


async def test_a_run_that_ended_well_cannot_be_cancelled_or_tried_again(app: App, owner: Person):
    async with researching(app):
        run = await until_rests(owner, await ask(owner))
    cancelled = await owner.client.post(f"/runs/{run['id']}/cancel")
    retried = await owner.client.post(f"/runs/{run['id']}/retry")
    assert (cancelled.status_code, cancelled.json()["code"]) == (409, "run_not_cancellable")
    assert (retried.status_code, retried.json()["code"]) == (409, "run_not_retryable")


async def test_a_run_is_private_to_the_person_who_asked(app: App, owner: Person, member: Person):
    run = await ask(owner)
    for path in ("", "/plan", "/interactions", "/events", "/stream"):
        answer = await member.client.get(f"/runs/{run['id']}{path}")
        assert (answer.status_code, answer.json()["code"]) == (404, "run_not_found"), path
    assert (await member.client.get("/runs")).json()["items"] == []
    assert [item["id"] for item in (await owner.client.get("/runs")).json()["items"]] == [run["id"]]


async def test_the_same_request_made_twice_starts_one_run(owner: Person):
    headers = {"Idempotency-Key": "once"}
    first, second = [
        (await owner.client.post("/runs", json={"question": QUESTION}, headers=headers)).json() for _ in range(2)
    ]
    assert first == second
    assert len((await owner.client.get("/runs")).json()["items"]) == 1


async def test_events_tell_phases_and_tasks_in_order(app: App, owner: Person):
    async with researching(app):
        run = await until_rests(owner, await ask(owner))
    told = [line["event"] for line in await log_of(owner, run)]
    phases = [(event["type"], event["phase"]) for event in told if event["type"].startswith("phase_")]
    names = ("planning", "research", "synthesis", "writing")
    assert phases == [(f"phase_{moment}", name) for name in names for moment in ("started", "completed")]
    for before, after in pairwise(
        ["plan_created", "subagent_spawned", "references_found", "message_delta", "ai_message"]
    ):
        assert _first(told, before) < _first(told, after)


def _first(told: list[dict[str, object]], kind: str) -> int:
    return [event["type"] for event in told].index(kind)


class _Broken(PlainReasoner):
    """Breaks where nothing can stand in for it."""

    async def brief(self, asked: object) -> object:  # type: ignore[override]
        raise ValueError("a secret deep inside")
