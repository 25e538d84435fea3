"""Correcting memory by hand: facts, names and communities. Every correction is an episode that can be taken back."""

from collections import Counter
from typing import Any
from uuid import UUID

import pytest
from tests.memory.memory_server import MemoryServer, day, message
from tests.support.jobs import until

from intelli.memory import clusters

pytestmark = pytest.mark.asyncio(loop_scope="module")

ADA = "Ada Lovelace"


async def _fact(server: MemoryServer, group: str, relation: str) -> dict[str, Any]:
    (row,) = await server.rows("memory_facts", group, f"relation = '{relation}' and end_reason is null")
    return (await server.client.get(f"/memory/facts/{row.id}")).json()  # type: ignore[no-any-return]


async def _send(server: MemoryServer, method: str, path: str, **body: Any) -> dict[str, Any]:
    answer = await server.client.request(method, f"/memory/{path}", json=body)
    assert answer.status_code == 200, answer.text
    return answer.json()  # type: ignore[no-any-return]


async def _search(server: MemoryServer, group: str, query: str, **more: Any) -> list[str]:
    body = {"group_ids": [group], "query": query, **more}
    found = (await server.client.post("/memory/search", json=body)).raise_for_status().json()
    return [fact["statement"] for fact in found["facts"]]


async def test_a_corrected_fact_reads_anew_and_its_past_can_still_be_told(server: MemoryServer):
    await server.tell("words", message(f"{ADA} works for Acme Corp.", at=day(2)))
    fact = await _fact(server, "words", "employer")
    told = f"{ADA} works for Acme Corp as an engineer."
    now = await _send(server, "PATCH", f"facts/{fact['id']}", statement=told, reason="So she says.")
    assert (now["statement"], now["valid_at"][:10]) == (told, "2026-01-02")
    assert {each["statement"]: each["end_reason"] for each in now["history"]} == {
        fact["statement"]: "corrected",
        told: None,
    }
    (episode,) = await server.rows("memory_episodes", "words", "source = 'correction'")
    assert now["episodes"] == [str(episode.id)]
    assert "So she says." in episode.content
    assert await _search(server, "words", "engineer at Acme") == [told]
    before = (await server.rows("memory_episodes", "words", "source = 'message'"))[0].created_at
    assert await _search(server, "words", "Acme", known_at=before.isoformat()) == [fact["statement"]]
    await server.client.delete(f"/memory/episodes/{episode.id}")
    assert (await _fact(server, "words", "employer"))["statement"] == fact["statement"]


async def test_when_a_fact_holds_is_corrected_and_its_neighbours_follow(server: MemoryServer):
    said = [message(f"{ADA} works for Acme Corp.", at=day(2)), message(f"{ADA} works for Globex Corp.", at=day(9))]
    await server.tell("times", *said)
    globex = await _fact(server, "times", "employer")
    await _send(server, "PATCH", f"facts/{globex['id']}", valid_at=day(5).isoformat())
    assert [(fact[2], fact[3], fact[4]) for fact in await server.facts("times")] == [
        ("Acme Corp", day(2), day(5)),
        ("Globex Corp", day(5), None),
    ]
    acme = next(row for row in await server.rows("memory_facts", "times") if row.invalid_at)
    refused = await server.client.patch(f"/memory/facts/{acme.id}", json={"invalid_at": None})
    assert (refused.status_code, refused.json()["code"]) == (409, "memory_fact_outlived")
    for body in ({}, {"valid_at": day(5).isoformat(), "invalid_at": day(4).isoformat()}, {"statement": None}):
        assert (await server.client.patch(f"/memory/facts/{acme.id}", json=body)).status_code == 422
    await _send(server, "PATCH", f"facts/{globex['id']}", invalid_at=day(20).isoformat())
    assert (await server.facts("times"))[-1][4] == day(20)


async def test_an_invalidated_fact_ends_whatever_was_said_later(server: MemoryServer):
    await server.tell("over", *(message(f"{ADA} lives in Lima.", at=day(number)) for number in (1, 5, 9)))
    fact = await _fact(server, "over", "lives_in")
    now = await _send(server, "POST", f"facts/{fact['id']}/invalidate", at=day(4).isoformat(), reason="She left.")
    assert (now["invalid_at"][:10], now["end_reason"]) == ("2026-01-04", "corrected")
    assert now["ended_by"]["episode_id"] is not None
    assert await _search(server, "over", "Where does Ada live?") == []
    await server.client.delete(f"/memory/episodes/{now['ended_by']['episode_id']}")
    assert len((await _fact(server, "over", "lives_in"))["episodes"]) == 3


async def test_two_nodes_are_merged_and_split_again_with_what_was_said_of_each(server: MemoryServer):
    said = [
        message(f"{ADA} works for Acme Corp.", at=day(1)),
        message("Countess Byron works for Globex Corp.", at=day(5)),
    ]
    await server.tell("names", *said)
    before, nodes = await server.facts("names"), await server.nodes("names")
    keep, other = nodes[ADA], nodes["Countess Byron"]
    whole = await _send(server, "POST", "nodes/merge", keep=str(keep.id), merge=str(other.id), reason="Married.")
    assert [(each["name"], each["reason"]) for each in whole["aliases"]] == [("Countess Byron", "Married.")]
    assert [each["end_reason"] for each in whole["facts"]] == ["superseded", None]
    assert (await server.client.get(f"/memory/nodes/{other.id}")).json()["id"] == str(keep.id)
    again = await server.client.post("/memory/nodes/merge", json={"keep": str(keep.id), "merge": str(other.id)})
    assert (again.status_code, again.json()["code"]) == (409, "memory_nodes_apart")
    apart = await _send(server, "POST", f"nodes/{keep.id}/split", alias=str(other.id))
    assert (apart["name"], [each["end_reason"] for each in apart["facts"]]) == ("Countess Byron", [None])
    assert await server.facts("names") == before
    await _send(server, "POST", "nodes/merge", keep=str(keep.id), merge=str(other.id))
    newest = (await server.rows("memory_episodes", "names", order="seq desc"))[0]
    await server.client.delete(f"/memory/episodes/{newest.id}")
    assert await server.facts("names") == before


async def test_communities_are_found_named_and_brought_up_to_date(server: MemoryServer):
    circles = [("Ann Ash", "Bea Birch"), ("Cem Cedar", "Dov Dale")]
    for number, (one, other) in enumerate(circles):
        firm = f"Firm{number} Corp"
        await server.tell("circles", f"{one} works for {firm}.", f"{other} works for {firm}.")

    async def found() -> list[dict[str, Any]]:
        answer = await server.client.post("/memory/groups/circles/communities")
        assert answer.status_code == 202

        async def are_there() -> bool:
            shown = (await server.client.get("/memory/groups/circles/communities")).json()
            newest = max((each["updated_at"] for each in shown), default="")
            return newest > seen

        seen = max((each["updated_at"] for each in known), default="")
        await until(are_there)
        return (await server.client.get("/memory/groups/circles/communities")).json()  # type: ignore[no-any-return]

    known: list[dict[str, Any]] = []
    known = first = await found()
    assert [{member["name"] for member in each["members"]} for each in first] == [
        {"Ann Ash", "Bea Birch", "Firm0 Corp"},
        {"Cem Cedar", "Dov Dale", "Firm1 Corp"},
    ]
    assert first[0]["name"].startswith("Firm0 Corp")
    assert "Ann Ash works for Firm0 Corp." in first[0]["summary"]
    await server.tell("circles", "Eve Elm works for Firm1 Corp.")
    second = await found()
    assert {each["id"] for each in second} == {each["id"] for each in first}
    assert Counter(len(each["members"]) for each in second) == Counter([3, 4])
    drawn = (await server.client.get("/memory/graph", params={"group_id": "circles"})).json()
    assert {node["community"] for node in drawn["nodes"]} == {each["id"] for each in second}


async def test_the_same_graph_gives_the_same_clusters_and_old_ones_are_carried_on():
    ids = [UUID(int=number) for number in range(1, 9)]
    edges = [(ids[a], ids[b]) for a, b in ((0, 1), (1, 2), (0, 2), (3, 4), (4, 5), (3, 5), (2, 3))]
    found = clusters.find_clusters(edges, {})
    assert found == clusters.find_clusters(list(reversed(edges)), {})
    assert {frozenset(each) for each in found} == {frozenset(ids[:3]), frozenset(ids[3:6])}
    old, older = UUID(int=100), UUID(int=101)
    before = {ids[3]: old, ids[4]: old, ids[0]: older}
    carried = clusters.match_communities(found, before)
    assert carried[found.index(frozenset(ids[3:6]))] == old
    assert carried[found.index(frozenset(ids[:3]))] == older
    assert clusters.find_clusters([], {}) == []
