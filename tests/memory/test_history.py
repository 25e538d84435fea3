"""A history with known truth: whatever the order in which reports arrive, every question about the past is answered."""

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from typing import Any
from uuid import UUID

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.memory.memory_server import MemoryServer, message

from intelli.kit.context import System
from intelli.kit.ids import uuid7
from intelli.memory import append_claims, facts_in_time, slots
from intelli.memory.append_claims import NewClaim
from intelli.memory.facts_in_time import TimedClaim
from intelli.memory.store import claims as store
from intelli.memory.store import write
from intelli.memory.tables import ClaimEffect, EndReason

ORIGIN = datetime(2024, 1, 1, tzinfo=UTC)
SLOT, EPISODE = uuid7(), uuid7()


def _at(days: int) -> datetime:
    return ORIGIN + timedelta(days=days)


def _claim(
    value: str, at: int, *, says: ClaimEffect = ClaimEffect.HOLDS, seq: int = 0, known: int = 0, slot: UUID = SLOT
) -> TimedClaim:
    return TimedClaim(uuid7(), slot, says, value, _at(at), seq, 0, EPISODE, _at(10_000 + known))


def _held(claims: Sequence[TimedClaim], at: int, known: int) -> str | None:
    """The truth by definition: read in order, the last word stands."""
    current = None
    for claim in sorted(claims, key=lambda each: (each.at, each.seq)):
        if claim.at <= _at(at) and claim.known_at <= _at(10_000 + known):
            if claim.says is ClaimEffect.HOLDS:
                current = claim.value_key
            elif current == claim.value_key:
                current = None
    return current


PATIENT = settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.too_slow])
REPORTS = st.lists(
    st.tuples(
        st.sampled_from("ABC"),
        st.integers(0, 12),
        st.sampled_from([ClaimEffect.HOLDS, ClaimEffect.HOLDS, ClaimEffect.ENDS]),
    ),
    max_size=14,
)


def _reports(reports: list[tuple[str, int, ClaimEffect]]) -> list[TimedClaim]:
    return [_claim(value, at, says=says, seq=n, known=n) for n, (value, at, says) in enumerate(reports)]


@PATIENT
@given(REPORTS)
def test_what_held_at_any_time_by_what_was_known_at_any_time_is_the_last_word_then(
    reports: list[tuple[str, int, ClaimEffect]],
):
    claims = _reports(reports)
    for at in range(-1, 14):
        for known in range(-1, len(claims) + 1):
            found = facts_in_time.held_at(claims, as_of=_at(at), known_at=_at(10_000 + known))
            assert found == _held(claims, at, known)


@PATIENT
@given(REPORTS, st.randoms())
def test_facts_follow_each_other_without_gap_or_overlap_in_any_order_of_reading(
    reports: list[tuple[str, int, ClaimEffect]], chance: random.Random
):
    claims = _reports(reports)
    shuffled = chance.sample(claims, len(claims))
    found = facts_in_time.stretches(claims)
    assert facts_in_time.stretches(shuffled) == found
    intervals = [facts_in_time.interval(each, ended_by_fact=None) for each in found]
    for one, other in pairwise(intervals):
        assert one.invalid_at is not None
        assert other.valid_at is not None
        assert one.invalid_at <= other.valid_at
    for one, other in pairwise(found):
        assert one.value_key != other.value_key or (one.end is not None and one.end.says is ClaimEffect.ENDS)


def test_a_value_that_comes_back_opens_a_new_interval():
    found = facts_in_time.stretches([_claim("A", 0), _claim("B", 5), _claim("A", 9)])
    assert [each.value_key for each in found] == ["A", "B", "A"]


def test_of_two_values_at_one_moment_the_one_said_last_stands_and_the_other_was_contradicted():
    first, last = _claim("A", 3, seq=1), _claim("B", 3, seq=2)
    found = facts_in_time.stretches([last, first])
    assert found[0].end == last
    assert facts_in_time.interval(found[0], ended_by_fact=None).end_reason is EndReason.CONTRADICTED
    assert found[1].end is None


@dataclass(frozen=True)
class Table:
    """A group in the database to place claims in, with nodes for what they name."""

    server: MemoryServer
    group: str
    nodes: dict[str, UUID]

    async def place(self, *claims: TimedClaim) -> None:
        new = [
            NewClaim(
                claim=claim,
                relation="lives_in",
                is_functional=True,
                subject=self.nodes["Ada"],
                subject_root=self.nodes["Ada"],
                object=self.nodes[claim.value_key],
                object_root=self.nodes[claim.value_key],
                object_text=None,
                statement=f"Ada lives in {claim.value_key}.",
                confidence=0.5,
            )
            for claim in claims
        ]
        async with self.server.app.db.begin(System(self.server.tenant_id)) as tx:
            await append_claims.append(tx, self.group, new)

    async def facts(self) -> list[tuple[Any, ...]]:
        columns = ("value_key", "valid_at", "invalid_at", "known_at", "expired_at", "end_reason", "ended_by_episode")
        rows = await self.server.rows("memory_facts", self.group, order="valid_at nulls first, known_at, id")
        return sorted((tuple(getattr(row, name) for name in columns) for row in rows), key=str)


async def _table(server: MemoryServer, group: str) -> Table:
    nodes = {name: uuid7() for name in ("Ada", "A", "B", "C")}
    rows = [
        {"id": node, "name": name, "name_key": name, "labels": [], "attributes": {}} for name, node in nodes.items()
    ]
    episode = {"id": uuid7(), "created_at": ORIGIN, "seq": 0, "name": "", "source": "message", "role": ""}
    episode |= {"source_description": "", "role_type": "user", "content_sha256": "", "valid_at": ORIGIN}
    async with server.app.db.begin(System(server.tenant_id)) as tx:
        await write.lock_group(tx, group)
        await write.write_graph(tx, group, episode["id"], episodes=[episode], nodes=rows)  # type: ignore[arg-type]
    return Table(server, group, nodes | {"episode": episode["id"]})  # type: ignore[dict-item]


def _expected(claims: Sequence[TimedClaim]) -> list[tuple[Any, ...]]:
    found = []
    for stretch in facts_in_time.stretches(claims):
        each = facts_in_time.interval(stretch, ended_by_fact=None)
        times = (each.valid_at, each.invalid_at, each.known_at, each.expired_at, each.end_reason, each.ended_by_episode)
        found.append((stretch.value_key, *times))
    return sorted(found, key=str)


@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize("seed", range(6))
async def test_claims_placed_one_by_one_in_any_order_give_the_facts_of_them_all(idle_desk: MemoryServer, seed: int):
    chance = random.Random(seed)
    table, slot = await _table(idle_desk, f"placed-{seed}"), uuid7()
    kinds = [ClaimEffect.HOLDS, ClaimEffect.HOLDS, ClaimEffect.HOLDS, ClaimEffect.ENDS]
    claims = [
        replace(
            _claim(chance.choice("ABC"), chance.randrange(12), says=chance.choice(kinds), seq=n, known=n, slot=slot),
            episode_id=table.nodes["episode"],
        )
        for n in range(16)
    ]
    while_placing = list(claims)
    while while_placing:
        count = chance.choice((1, 1, 1, 2))
        batch, while_placing = while_placing[:count], while_placing[count:]
        await table.place(*batch)
    assert await table.facts() == _expected(claims)
    async with idle_desk.app.db.begin(System(idle_desk.tenant_id)) as tx:
        before = await store.list_by_slots(tx, [slot])
        assert await slots.rebuild(tx, [slot]) == []
        assert await store.list_by_slots(tx, [slot]) == before
    assert await table.facts() == _expected(claims)


PEOPLE = ("Ada Byron", "Bob Hope")
CITIES = ("Rome", "Oslo", "Lima", "Cairo")
FIRMS = ("Acme Corp", "Globex Corp", "Initech Corp")


def _world(chance: random.Random) -> dict[tuple[str, str], list[tuple[int, str]]]:
    """Who lived and worked where, from which day on."""
    world = {}
    for person in PEOPLE:
        for relation, values in (("lives_in", CITIES), ("employer", FIRMS)):
            days = sorted(chance.sample(range(300), 3))
            world[person, relation] = list(zip(days, chance.sample(values, 3), strict=True))
    return world


def _said(person: str, relation: str, value: str) -> str:
    return f"{person} {'lives in' if relation == 'lives_in' else 'works for'} {value}."


async def _believed(server: MemoryServer, group: str, **when: datetime) -> dict[tuple[str, str], str]:
    asked = {"group_id": group, **{name: moment.isoformat() for name, moment in when.items()}}
    picture = (await server.client.get("/memory/graph", params=asked)).raise_for_status().json()
    names = {node["id"]: node["name"] for node in picture["nodes"]}
    edges = [(names[edge["source"]], edge["relation"], names[edge["target"]]) for edge in picture["edges"]]
    assert len(edges) == len({edge[:2] for edge in edges}), "one value at a time"
    return {(subject, relation): value for subject, relation, value in edges}


@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize("order", ["backwards", "shuffled"])
async def test_a_generated_history_is_told_right_for_every_probe_in_any_order_of_arrival(
    server: MemoryServer, order: str
):
    chance = random.Random(7)
    world, group = _world(chance), f"history-{order}"
    # Each change is reported when it happens and again while it lasts.
    reports = [
        (day + later, person, relation, value)
        for (person, relation), lived in world.items()
        for day, value in lived
        for later in (0, 1)
    ]
    reports.sort(key=lambda report: report[0])
    if order == "backwards":
        reports.reverse()
    if order == "shuffled":
        chance.shuffle(reports)
    said = [message(_said(*rest), at=_at(at)) for at, *rest in reports]
    middle = len(said) // 2
    await server.tell(group, *said[:middle])
    (known_at,) = [max(row.created_at for row in await server.rows("memory_episodes", group))]
    await server.tell(group, *said[middle:])
    for at in range(0, 310, 62):
        assert await _believed(server, group, as_of=_at(at)) == _truth(reports, at)
        then = await _believed(server, group, as_of=_at(at), known_at=known_at)
        assert then == _truth(reports[:middle], at), "by what was known then"
    for key, lived in world.items():
        assert (await _believed(server, group))[key] == lived[-1][1]


def _truth(reports: Sequence[tuple[int, str, str, str]], at: int) -> dict[tuple[str, str], str]:
    told: dict[tuple[str, str], tuple[int, str]] = {}
    for day, person, relation, value in reports:
        if day <= at and day >= told.get((person, relation), (-1, ""))[0]:
            told[person, relation] = (day, value)
    return {key: value for key, (_, value) in told.items()}
