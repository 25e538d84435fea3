"""Searching memory: what bears on a query, as it held and was known at a time, and in no other group."""

from datetime import datetime
from typing import Any

import pytest
from tests.memory.memory_server import MemoryServer, day, message

from intelli.memory import term_weights

pytestmark = pytest.mark.asyncio(loop_scope="module")

QUESTION = "Where does Ada Lovelace work?"


async def _search(server: MemoryServer, group: str | list[str], query: str = QUESTION, **more: Any) -> dict[str, Any]:
    groups = [group] if isinstance(group, str) else group
    answer = await server.client.post("/memory/search", json={"group_ids": groups, "query": query, **more})
    assert answer.status_code == 200, answer.text
    return answer.json()  # type: ignore[no-any-return]


async def _values(server: MemoryServer, group: str, **more: datetime | bool) -> list[str]:
    """Where she worked by what search finds, best first."""
    told = {name: each.isoformat() if isinstance(each, datetime) else each for name, each in more.items()}
    found = await _search(server, group, **told)
    return [fact["object"]["name"] for fact in found["facts"] if fact["relation"] == "employer"]


async def test_facts_nodes_and_episodes_are_found_with_the_words_that_prove_them(server: MemoryServer):
    said = ["Ada Lovelace works for Acme Corp.", "The tower is painted red.", "Grace Hopper lives in Lima."]
    await server.tell("found", *(message(each, at=day(n)) for n, each in enumerate(said, 1)))
    found = await _search(server, "found", limit=2)
    fact = found["facts"][0]
    assert (fact["statement"], fact["subject"]["name"], fact["object"]["name"]) == (
        said[0],
        "Ada Lovelace",
        "Acme Corp",
    )
    (proof,) = fact["proof"]
    episode = (await server.client.get(f"/memory/episodes/{proof['id']}")).json()
    assert episode["content"][proof["quote_start"] : proof["quote_end"]] == proof["quote"] == said[0]
    assert [each["id"] for each in episode["facts"]] == [fact["id"]]
    assert found["nodes"][0]["name"] == "Ada Lovelace"
    assert found["episodes"][0]["id"] == proof["id"]
    assert found["semantic"]
    for kind in ("facts", "nodes", "episodes"):
        chances = [each["relevance"] for each in found[kind]]
        assert chances == sorted(chances, reverse=True)
        assert len(chances) <= 2


async def test_no_group_tells_of_another(server: MemoryServer):
    await server.tell("here", "Ada Lovelace works for Acme Corp.")
    await server.tell("there", "Ada Lovelace works for Globex Corp.")
    assert await _values(server, "here") == ["Acme Corp"]
    assert {each["group_id"] for each in (await _search(server, "here"))["episodes"]} == {"here"}
    both = await _search(server, ["here", "there", "there"])
    assert {fact["object"]["name"] for fact in both["facts"]} == {"Acme Corp", "Globex Corp"}
    nothing = await _search(server, "nowhere")
    assert (nothing["facts"], nothing["nodes"], nothing["episodes"]) == ([], [], [])


async def test_another_persons_own_group_has_nothing_to_find(server: MemoryServer):
    answer = await server.client.post(
        "/memory/search", json={"group_ids": ["user:0190a1c2-0000-7000-8000-000000000001"], "query": QUESTION}
    )
    assert answer.json()["episodes"] == []


async def test_what_holds_is_found_and_what_ended_only_on_request(server: MemoryServer):
    ada = "Ada Lovelace works for"
    await server.tell("ended", message(f"{ada} Acme Corp.", at=day(1)), message(f"{ada} Globex Corp.", at=day(5)))
    assert await _values(server, "ended") == ["Globex Corp"]
    assert sorted(await _values(server, "ended", include_ended=True)) == ["Acme Corp", "Globex Corp"]
    assert await _values(server, "ended", as_of=day(3)) == ["Acme Corp"]
    assert await _values(server, "ended", as_of=day(5)) == ["Globex Corp"]
    assert await _values(server, "ended", as_of=day(1, year=2025)) == []
    assert len((await _search(server, "ended", as_of=day(3).isoformat()))["episodes"]) == 1


async def test_search_tells_what_was_known_then_though_reports_came_late(server: MemoryServer):
    ada = "Ada Lovelace works for"
    reports = [("Acme Corp", 1), ("Globex Corp", 20), ("Initech Corp", 10), ("Globex Corp", 5)]
    for firm, at in reports:
        await server.tell("late", message(f"{ada} {firm}.", at=day(at)))
    learnt = [row.created_at for row in await server.rows("memory_episodes", "late", order="seq")]
    then = {"as_of": day(12)}
    believed = [await _values(server, "late", known_at=moment, **then) for moment in learnt]
    assert believed == [["Acme Corp"], ["Acme Corp"], ["Initech Corp"], ["Initech Corp"]]
    assert await _values(server, "late", known_at=learnt[0], as_of=day(25)) == ["Acme Corp"]
    assert await _values(server, "late", known_at=learnt[2], as_of=day(7)) == ["Acme Corp"]
    assert await _values(server, "late", known_at=learnt[3], as_of=day(7)) == ["Globex Corp"]
    assert await _values(server, "late", known_at=day(1, year=2020)) == []
    told = await _search(server, "late", known_at=learnt[1].isoformat(), as_of=day(12).isoformat())
    (fact,) = [each for each in told["facts"] if each["relation"] == "employer"]
    assert (fact["invalid_at"], fact["end_reason"]) == ("2026-01-20T00:00:00Z", "superseded")


async def test_the_picture_and_the_timeline_follow_time(server: MemoryServer):
    ada = "Ada Lovelace works for"
    await server.tell("time", message(f"{ada} Acme Corp.", at=day(1)), message(f"{ada} Globex Corp.", at=day(5)))
    drawn = (await server.client.get("/memory/graph", params={"group_id": "time", "as_of": day(2).isoformat()})).json()
    assert [edge["statement"] for edge in drawn["edges"]] == [f"{ada} Acme Corp."]
    assert drawn["nodes"][0]["degree"] == 1
    small = (await server.client.get("/memory/graph", params={"group_id": "time", "limit": 1})).json()
    assert (len(small["nodes"]), small["truncated"]) == (1, True)
    first = (await server.client.get("/memory/timeline", params={"group_id": "time", "limit": 2})).json()
    rest = {"group_id": "time", "cursor": first["next_cursor"]}
    last = (await server.client.get("/memory/timeline", params=rest)).json()
    items = first["items"] + last["items"]
    moments = [(each["at"][:10], each["kind"], each["fact"]["object"]["name"]) for each in items]
    assert moments == [
        ("2026-01-01", "begins", "Acme Corp"),
        ("2026-01-05", "begins", "Globex Corp"),
        ("2026-01-05", "ends", "Acme Corp"),
    ]
    back = (await server.client.get("/memory/timeline", params={"group_id": "time", "newest_first": True})).json()
    assert [each["at"] for each in back["items"]] == [each["at"] for each in reversed(items)]
    wide = (await server.client.get("/memory/timeline/extent", params={"group_id": "time"})).json()
    assert (wide["first"][:10], wide["last"][:10]) == ("2026-01-01", "2026-01-05")
    assert sum(each["count"] for each in wide["buckets"]) == 3
    bad = await server.client.get("/memory/timeline", params={"group_id": "time", "cursor": "nonsense"})
    assert (bad.status_code, bad.json()["code"]) == (422, "invalid_cursor")


async def test_little_words_of_a_query_count_only_when_there_are_no_others():
    assert len(term_weights.read_query("Where does Ada work?", {"en"})) == 2
    assert len(term_weights.read_query("Who is it?", {"en"})) == 3
