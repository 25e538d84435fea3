"""Adding messages, criteria 1 to 15: routing and the worker, the form of a request, episodes, groups and types."""

import asyncio
from datetime import timedelta
from typing import Any
from uuid import uuid4

import httpx
import pytest
import structlog
from tests.memory.memory_server import ADDED, MemoryServer, day, message, remembering
from tests.support.jobs import jobs_of

from intelli.kit import clock
from intelli.kit.jobs import Queue

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def _dead_letter(server: MemoryServer, group: str) -> dict[str, Any]:
    (letter,) = (await server.group(group))["dead_letters"]
    return letter


async def test_criterion_1_a_request_with_k_messages_is_accepted_and_queues_exactly_k_jobs(idle_desk: MemoryServer):
    answer = await idle_desk.add("c1", "One.", "Two.", "Three.")
    assert (answer.status_code, answer.json()) == (202, ADDED)
    assert (await idle_desk.group("c1"))["queued"] == 3
    async with remembering(idle_desk):
        await idle_desk.settled("c1")
    assert [row.content for row in await idle_desk.rows("memory_episodes", "c1", order="seq")] == [
        "Uma(user): One.",
        "Uma(user): Two.",
        "Uma(user): Three.",
    ]


async def test_criteria_3_and_36_jobs_run_one_after_the_other_in_the_order_of_arrival_across_requests(
    server: MemoryServer,
):
    groups = ("c3-a", "c3-b")
    for number in range(8):
        await server.add(groups[number % 2], message(f"Ada lives in City{number}.", at=day(1)))
    for group in groups:
        await server.settled(group)
    found = [row for group in groups for row in await server.rows("memory_episodes", group)]
    in_order = sorted(found, key=lambda row: row.created_at)
    assert [row.content[-6:-1] for row in in_order] == [f"City{number}" for number in range(8)]
    assert [row.seq for row in in_order] == sorted(row.seq for row in found)


async def test_criteria_4_and_38_the_queue_size_is_logged_when_a_job_is_picked_up(server: MemoryServer):
    with structlog.testing.capture_logs() as lines:
        await server.tell("c4", "One.", "Two.", "Three.")
    sizes = [line["waiting"] for line in lines if line["event"] == "memory_message_picked_up"]
    assert sizes == [2, 1, 0]


async def test_criterion_5_a_missing_group_id_is_refused_at_once(server: MemoryServer):
    answer = await server.client.post("/memory/messages", json={"messages": [message("x")]})
    assert answer.status_code == 422
    assert answer.json()["errors"][0]["field"].endswith("group_id")


@pytest.mark.parametrize("role_type", ["robot", "", None, 1])
async def test_criterion_6_a_role_type_outside_the_set_is_refused_at_once(server: MemoryServer, role_type: object):
    answer = await server.add("c6", {"content": "x", "role_type": role_type})
    assert answer.status_code == 422


@pytest.mark.parametrize(
    "bad", [{}, {"content": 1}, {"content": "x", "uuid": "no"}, {"content": "x", "timestamp": "?"}]
)
async def test_a_message_of_another_form_is_refused_whole_and_none_of_its_request_waits(
    server: MemoryServer, bad: dict[str, Any]
):
    answer = await server.add("form", "fine", {"role_type": "user", **bad})
    assert answer.status_code == 422
    assert await server.rows("memory_arrivals", "form") == []


@pytest.mark.parametrize("given", [{}, {"timestamp": None}])
async def test_criterion_7_an_omitted_timestamp_is_the_time_of_parsing(server: MemoryServer, given: dict[str, Any]):
    group = f"c7-{len(given)}"
    before = clock.now()
    answer = await server.add(group, message("Hello.", **given))
    after = clock.now()
    assert answer.status_code == 202
    await server.settled(group)
    (episode,) = await server.rows("memory_episodes", group)
    assert before <= episode.valid_at <= after


async def test_criterion_8_an_empty_list_is_accepted_and_queues_nothing(server: MemoryServer):
    before = len(await jobs_of(server.app.db, queue=Queue.MEMORY))
    answer = await server.add("c8")
    assert (answer.status_code, answer.json()) == (202, ADDED)
    assert len(await jobs_of(server.app.db, queue=Queue.MEMORY)) == before
    assert (await server.client.get("/memory/groups/c8")).status_code == 404


async def test_criterion_9_a_known_uuid_loads_its_episode_and_makes_nothing_twice(server: MemoryServer):
    await server.tell("c9", message("Ada lives in Rome.", at=day(1)))
    (before,) = await server.rows("memory_episodes", "c9")
    claims = await server.rows("memory_claims", "c9")
    await server.tell("c9", message("Something else.", uuid=str(before.id), at=day(9)))
    assert await server.rows("memory_episodes", "c9") == [before]
    assert await server.rows("memory_claims", "c9") == claims
    assert (await server.group("c9"))["episodes"] == 1


async def test_criterion_10_an_unknown_uuid_fails_its_job_and_leaves_no_write(server: MemoryServer):
    await server.tell("c10", message("Ada lives in Rome.", uuid=str(uuid4())))
    assert (await _dead_letter(server, "c10"))["code"] == "memory_episode_not_found"
    for table in (
        "memory_groups",
        "memory_episodes",
        "memory_nodes",
        "memory_facts",
        "memory_claims",
        "memory_mentions",
    ):
        assert await server.rows(table, "c10") == [], table


async def test_an_episode_of_another_group_is_not_loaded(server: MemoryServer):
    await server.tell("home", "Ada lives in Rome.")
    (episode,) = await server.rows("memory_episodes", "home")
    await server.tell("away", message("Ada lives in Rome.", uuid=str(episode.id)))
    assert (await _dead_letter(server, "away"))["code"] == "memory_episode_elsewhere"


async def test_criteria_11_and_12_a_new_episode_has_its_content_times_source_and_group(server: MemoryServer):
    at, before = day(3, 5), clock.now()
    said = message("I like tea.", at=at, name="greeting", source_description="chat")
    await server.tell("c11", said, {"content": "Noted.", "role_type": "assistant", "timestamp": at.isoformat()})
    first, second = await server.rows("memory_episodes", "c11", order="seq")
    assert (first.content, second.content) == ("Uma(user): I like tea.", "(assistant): Noted.")
    assert (first.source, first.name, first.source_description, first.group_id) == (
        "message",
        "greeting",
        "chat",
        "c11",
    )
    assert first.valid_at == at
    assert before - timedelta(seconds=1) <= first.created_at <= clock.now() + timedelta(seconds=1)


@pytest.mark.parametrize("group", ["two words", "", "-dash", "a/b", "x" * 129, "\u00fcber"])
async def test_criterion_13_an_invalid_group_id_fails_the_job_before_any_write(server: MemoryServer, group: str):
    answer = await server.add(group, "Ada lives in Rome.")
    assert (answer.status_code, answer.json()) == (202, ADDED)
    await server.settled(group)
    (failed,) = await server.rows("memory_arrivals", group)
    assert (failed.state, failed.code) == ("failed", "memory_group_name_invalid")
    assert await server.rows("memory_groups", group) == await server.rows("memory_episodes", group) == []


INCONSISTENT = [
    {"node_types": [{"name": "City"}, {"name": "city"}]},
    {"node_types": [{"name": "City", "attributes": ["summary"]}]},
    {"relation_types": [{"name": "owns"}, {"name": "Owns"}]},
    {"node_types": [{"name": "City"}], "relation_types": [{"name": "near", "targets": ["Planet"]}]},
    {"relation_types": [{"name": "--"}]},
]


@pytest.mark.parametrize("types", INCONSISTENT)
async def test_criterion_14_types_that_do_not_fit_together_fail_the_job(server: MemoryServer, types: dict[str, Any]):
    group = f"c14-{INCONSISTENT.index(types)}"
    await server.tell(group, "Ada lives in Rome.", **types)
    assert (await _dead_letter(server, group))["code"] == "memory_schema_inconsistent"
    assert await server.rows("memory_episodes", group) == []


async def test_a_declared_schema_that_does_not_fit_together_is_refused_at_once(server: MemoryServer):
    answer = await server.client.put("/memory/groups/declared/schema", json=INCONSISTENT[0])
    assert (answer.status_code, answer.json()["code"]) == (422, "memory_schema_inconsistent")


async def test_a_group_is_told_whether_it_keeps_what_was_said_and_keeps_to_it(server: MemoryServer):
    path, types = "/memory/groups/quiet/schema", {"excluded_types": ["place"]}
    assert (await server.client.put(path, json={**types, "keep_content": False})).json()["keep_content"] is False
    group = (await server.client.put(path, json=types)).json()
    assert (group["keep_content"], group["type_schema"]["excluded_types"]) == (False, ["place"])
    await server.tell("quiet", "Ada Byron works for Acme.")
    assert [row.content for row in await server.rows("memory_episodes", "quiet")] == [None]
    assert (await server.client.put(path, json={"keep_content": True})).json()["keep_content"] is True


async def test_criterion_15_an_exclusion_of_an_unknown_type_fails_the_job(server: MemoryServer):
    await server.tell("c15", "Ada lives in Rome.", node_types=[{"name": "City"}], excluded_types=["Planet"])
    assert (await _dead_letter(server, "c15"))["code"] == "memory_schema_inconsistent"


async def test_an_excluded_type_is_left_out_with_what_is_said_of_it(server: MemoryServer):
    await server.tell("excluded", "Ada Byron lives in Rome.", excluded_types=["place"])
    assert set(await server.nodes("excluded")) == {"Ada Byron"}
    assert await server.facts("excluded") == []


async def test_only_declared_relations_are_kept_and_a_declared_one_may_be_functional(server: MemoryServer):
    types = {"relation_types": [{"name": "advises", "functional": True}]}
    assert (await server.client.put("/memory/groups/types/schema", json=types)).status_code == 200
    await server.tell(
        "types",
        message("Ada Byron advises Acme. Ada Byron lives in Rome.", at=day(1)),
        message("Ada Byron advises Globex.", at=day(5)),
    )
    assert await server.facts("types") == [
        ("Ada Byron", "advises", "Acme", day(1), day(5)),
        ("Ada Byron", "advises", "Globex", day(5), None),
    ]


async def test_groups_of_a_person_take_messages_from_that_person_alone(server: MemoryServer):
    answer = await server.add(f"user:{uuid4()}", "Ada lives in Rome.")
    assert (answer.status_code, answer.json()["code"]) == (403, "memory_group_not_yours")


async def test_dead_letters_wait_again_when_they_are_retried(server: MemoryServer):
    await server.tell("again", "Ada lives in Rome.", relation_types=[{"name": "--"}])
    async with asyncio.timeout(10):
        retried = await server.client.post("/memory/groups/again/retry")
    assert retried.json() == {"queued": 1}
    await server.settled("again")
    listed = {each["group_id"]: each for each in (await server.client.get("/memory/groups")).json()}
    assert listed["again"]["failed"] == 1


async def test_a_reader_may_look_but_not_add(server: MemoryServer):
    async with httpx.AsyncClient(base_url=server.client.base_url, timeout=20) as nobody:
        answer = await nobody.post("/memory/messages", json={"group_id": "x", "messages": []})
    assert answer.status_code == 401


async def test_messages_sent_again_under_one_key_are_queued_once(idle_desk: MemoryServer):
    body = {"group_id": "once", "messages": [{"content": "Ada works for Acme.", "role_type": "user"}]}
    for _ in range(2):
        answer = await idle_desk.client.post("/memory/messages", json=body, headers={"Idempotency-Key": "once"})
        assert (answer.status_code, answer.json()) == (202, ADDED)
    # Whoever works for another test of this file may have taken it from the queue already.
    async with remembering(idle_desk):
        await idle_desk.settled("once")
    assert len(await idle_desk.rows("memory_episodes", "once", order="seq")) == 1
