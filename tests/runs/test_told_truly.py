"""What a run tells of its tools, its plan and what it read: each with a beginning, and with true values."""

from tests.support.runs import ask, log_of, researching, until_rests
from tests.support.server import Person

from intelli.app import App


async def test_every_tool_call_has_a_beginning_and_an_end(app: App, owner: Person):
    async with researching(app):
        run = await until_rests(owner, await ask(owner))
    told = [line["event"] for line in await log_of(owner, run) if line["event"]["type"] == "node_tool_event"]
    begun = {each["tool_id"]: each["tool_type"] for each in told if each["event"] == "started"}
    ended = {each["tool_id"]: each["tool_type"] for each in told if each["event"] in {"completed", "failed"}}
    uses = (await owner.client.get(f"/runs/{run['id']}/interactions")).raise_for_status().json()["items"]
    assert sorted(begun.values()) == sorted(ended.values()) == sorted(each["tool_name"] for each in uses)
    assert begun == ended
    assert "search_memory" in begun.values()
    announced = [line["event"] for line in await log_of(owner, run)]
    to_come = [key for each in announced if each["type"] == "node_tools_execution_start" for key in each["tool_ids"]]
    assert set(to_come) <= begun.keys()


async def test_sources_are_told_while_they_are_read_and_when_they_were(app: App, owner: Person):
    async with researching(app):
        run = await until_rests(owner, await ask(owner))
    events = [line["event"] for line in await log_of(owner, run)]
    pending = [
        [(each["title"], each["status"]) for each in event["pending_sources"]]
        for event in events
        if event["type"] == "pending_sources"
    ]
    assert {status for told in pending for _, status in told} == {"reading", "read"}
    assert {title for told in pending for title, _ in told} == {"revenue.txt", "staff.txt"}
    found = [each for event in events if event["type"] == "references_found" for each in event["references"]]
    assert all(each["created_at"] for each in found)


async def test_the_plan_tells_what_it_used_and_in_which_order(app: App, owner: Person):
    async with researching(app):
        run = await until_rests(owner, await ask(owner))
    plan_set = (await owner.client.get(f"/runs/{run['id']}/plan")).raise_for_status().json()
    (plan,) = plan_set["plans"].values()
    tasks = list(plan["plan_tasks"].values())
    assert plan["used_sources"]
    assert set(plan["used_sources"]) == {name for task in tasks for name in task["entities"]}
    assert [task["previous_task_id"] for task in tasks] == [None, *(task["id"] for task in tasks[:-1])]


async def test_entities_tell_which_search_found_them_and_where(app: App, owner: Person):
    async with researching(app):
        run = await until_rests(owner, await ask(owner))
    items = (await owner.client.get(f"/runs/{run['id']}/entities")).raise_for_status().json()["items"]
    by_type = {each["entity_type"]: each for each in items}
    search, plan = by_type["INTRA_ENTITY_SEARCH_RESULT"]["metadata"], by_type["SEARCH_PLAN"]
    assert search["parent_entity_id"] == plan["id"]
    assert (search["provider"], plan["metadata"]["plan_version"]) == ("library", 1)
    assert search["task_id"]
    assert search["retrieved_at"]
    assert by_type["KNOWLEDGE_BASE"]["metadata"]["chunk_size"] > 0
