"""Forgetting: what is left is what there would be had it never been said, in rows, words and vectors."""

import random
from collections import Counter
from typing import Any

import pytest
from tests.memory.memory_server import MemoryServer, day, message
from tests.support.soak import often

pytestmark = pytest.mark.asyncio(loop_scope="module")

PEOPLE = ("Ada Lovelace", "Grace Hopper")
FIRMS = ("Acme Corp", "Globex Corp", "Initech Corp")
PLACES = ("Paris", "Lima")
_TABLES = ("memory_terms", "memory_vectors", "memory_claims", "memory_facts", "memory_mentions", "memory_nodes")


def _sayings(chance: random.Random, count: int) -> list[dict[str, Any]]:
    """Jobs and homes change, end and come back; reports are late, repeated, and differ in spelling."""
    said = []
    for _ in range(count):
        who, firm, place = chance.choice(PEOPLE), chance.choice(FIRMS), chance.choice(PLACES)
        text = chance.choice(
            [
                f"{who} works for {firm}.",
                f"{who} works for {firm.upper()}.",
                f"{who} no longer works for {firm}.",
                f"{who} lives in {place}.",
                f"{firm} is located in {place}.",
            ]
        )
        said.append(message(text, at=day(chance.randint(1, 28), month=chance.randint(1, 3))))
    return said


async def _state(server: MemoryServer, group: str) -> dict[str, object]:
    """All that a group holds, without ids and the times of writing."""
    episodes = {row.id: row for row in await server.rows("memory_episodes", group)}
    nodes = {row.id: row for row in await server.rows("memory_nodes", group)}
    facts = {row.id: row for row in await server.rows("memory_facts", group)}
    words = {each.id: ("episode", each.content) for each in episodes.values()}
    words |= {each.id: ("node", each.name_key) for each in nodes.values()}
    words |= {each.id: ("fact", each.statement, each.valid_at) for each in facts.values()}
    terms = await server.rows("memory_terms", group, order="term, item_id")
    vectors = await server.rows("memory_vectors", group, order="item_id")
    mentions = await server.rows("memory_mentions", group, order="episode_id, node_id")
    return {
        "group": [row.episode_count for row in await server.rows("memory_groups", group)],
        "episodes": Counter((row.content, row.valid_at) for row in episodes.values()),
        "nodes": {row.name_key: (row.name, tuple(row.labels), str(row.attributes)) for row in nodes.values()},
        "facts": Counter(_fact(row, nodes, episodes) for row in facts.values()),
        "mentions": Counter((episodes[row.episode_id].content, nodes[row.node_id].name_key) for row in mentions),
        "terms": Counter((words[row.item_id], row.term, round(row.weight, 4)) for row in terms),
        "vectors": Counter((words[row.item_id], _shown(row)) for row in vectors),
    }


def _shown(row: Any) -> str:
    """Facts that say the same in other letters may share a vector, whichever of them came first."""
    return "" if row.kind == "fact" else str(row.embedding)[:60]


def _fact(row: Any, nodes: dict[Any, Any], episodes: dict[Any, Any]) -> tuple[object, ...]:
    ended = episodes[row.ended_by_episode].content if row.ended_by_episode else None
    value = nodes[row.object_id].name_key if row.object_id else row.object_text
    time = (row.valid_at, row.invalid_at, row.end_reason)
    return nodes[row.subject_id].name_key, row.relation, value, row.statement, *time, ended


async def _forget(server: MemoryServer, path: str, **params: Any) -> dict[str, int]:
    answer = await server.client.delete(f"/memory/{path}", params=params)
    assert answer.status_code == 200, answer.text
    return answer.json()  # type: ignore[no-any-return]


@pytest.mark.parametrize("seed", range(often(2, soaking=60)))
async def test_any_interleaving_leaves_the_state_of_a_history_without_the_forgotten(server: MemoryServer, seed: int):
    chance = random.Random(seed)
    kept: list[dict[str, Any]] = []
    group, calm = f"stormy-{seed}", f"calm-{seed}"
    for _ in range(3):
        said = _sayings(chance, 7)
        await server.tell(group, *said)
        kept += said
        episodes = await server.rows("memory_episodes", group, order="seq")
        gone = set(chance.sample(range(len(kept)), min(4, len(kept))))
        for number in gone:
            await _forget(server, f"episodes/{episodes[number].id}")
        kept = [each for number, each in enumerate(kept) if number not in gone]
    await server.tell(calm, *kept)
    assert await _state(server, group) == await _state(server, calm)


async def test_forgetting_the_end_of_a_fact_reopens_it_and_says_so_before_it_is_done(server: MemoryServer):
    ada = "Ada Lovelace works for"
    await server.tell("reopen", message(f"{ada} Acme Corp.", at=day(1)), message(f"{ada} Globex Corp.", at=day(2)))
    first, second = await server.rows("memory_episodes", "reopen", order="seq")
    told = {"episodes": 1, "facts": 1, "nodes": 1, "reopened": 1, "copies": 0}
    assert await _forget(server, f"episodes/{second.id}", dry_run=True) == told
    assert len(await server.facts("reopen")) == 2
    assert await _forget(server, f"episodes/{second.id}") == told
    assert [(fact[2], fact[4]) for fact in await server.facts("reopen")] == [("Acme Corp", None)]
    assert (await server.client.delete(f"/memory/episodes/{second.id}")).status_code == 404
    await _forget(server, f"episodes/{first.id}")
    assert await server.nodes("reopen") == {}


async def test_a_fact_that_another_episode_says_stays_with_the_words_of_that_one(server: MemoryServer):
    said = message("Grace Hopper works for Acme Corp since January 1, 2026.", at=day(3))
    await server.tell("twice", said, message("Grace Hopper works for Acme Corp.", at=day(4)))
    first, _ = await server.rows("memory_episodes", "twice", order="seq")
    await _forget(server, f"episodes/{first.id}")
    (fact,) = await server.rows("memory_facts", "twice")
    assert (fact.statement, fact.valid_at) == ("Grace Hopper works for Acme Corp.", day(4))


async def test_a_fact_or_a_node_is_forgotten_without_the_episodes_unless_these_are_meant_too(server: MemoryServer):
    await server.tell("parts", "Ada Lovelace works for Acme Corp.", "Ada Lovelace lives in Paris.")
    (job,) = await server.rows("memory_facts", "parts", "relation = 'employer'")
    assert (await _forget(server, f"facts/{job.id}"))["facts"] == 1
    nodes = await server.nodes("parts")
    assert set(nodes) == {"Ada Lovelace", "Acme Corp", "Paris"}
    told = await _forget(server, f"nodes/{nodes['Ada Lovelace'].id}")
    assert (told["facts"], told["nodes"], told["episodes"]) == (1, 1, 0)
    told = await _forget(server, f"nodes/{nodes['Paris'].id}", with_episodes=True)
    assert (told["nodes"], told["episodes"]) == (1, 1)
    assert len(await server.rows("memory_episodes", "parts")) == 1


async def test_a_group_is_forgotten_with_everything_that_waits_for_it(server: MemoryServer):
    await server.tell("whole", "Ada Lovelace works for Acme Corp.")
    await server.tell("whole", message("And now?", uuid="0190a1c2-0000-7000-8000-000000000001"))
    assert (await server.group("whole"))["failed"] == 1
    told = await _forget(server, "groups/whole")
    assert (told["episodes"], told["facts"], told["nodes"]) == (1, 1, 2)
    for table in (*_TABLES, "memory_episodes", "memory_arrivals", "memory_groups"):
        assert await server.rows(table, "whole", order="group_id") == []
    assert (await server.client.get("/memory/groups/whole")).status_code == 404
