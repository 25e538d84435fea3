"""Communities: densely connected groups of nodes, each with a name and a summary.

An update changes them only where the graph changed: one whose members and summary stay keeps its name.
"""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from intelli.kit.db import Tx
from intelli.kit.errors import IntelliError
from intelli.kit.ids import uuid7
from intelli.kit.jobs import Job, Queue
from intelli.kit.work import Work
from intelli.memory import clusters, groups
from intelli.memory import wire_read as wire
from intelli.memory.ports import MemoryReasoner, MemoryReasoners
from intelli.memory.store import communities as store
from intelli.memory.store import write
from intelli.memory.tables import Community
from intelli.reasoning.verbs.title import TitleInput

_NAMED_AFTER = 3
_STATEMENTS = 5
_LONGEST_NAME = 120


@dataclass(frozen=True, slots=True)
class FoundCommunity:
    """A community to write: continued (the old id) or new. `members` are ordered by their number of facts inside it."""

    id: UUID
    members: tuple[UUID, ...]
    name: str
    summary: str


async def request_update(tx: Tx, group_id: str) -> wire.CommunitiesAwaited:
    """Defer the job that finds the communities of a group."""
    groups.check_owner(tx, group_id)
    await groups.get(tx, group_id)
    await tx.defer(COMMUNITIES, key=f"memory.communities:{group_id}", group_id=group_id)
    return wire.CommunitiesAwaited()


async def list_communities(tx: Tx, group_id: str) -> list[wire.Community]:
    """Return the communities of a group, the largest first."""
    await groups.get(tx, group_id)
    members = await store.members(tx, group_id)
    shown = [
        wire.Community(
            **{name: getattr(row, name) for name in ("id", "group_id", "name", "summary", "updated_at")},
            members=[wire.Named(id=node_id, name=name) for node_id, name in members.get(row.id, ())],
        )
        for row in await store.communities(tx, group_id)
    ]
    return sorted(shown, key=lambda each: (-len(each.members), each.name, str(each.id)))


async def _update(work: Work, group_id: str) -> None:
    """Job: find the communities of a group again, starting from the stored ones. No transaction waits for a model."""
    async with work.begin() as tx:
        facts = await store.facts(tx, group_id)
        members = await store.members(tx, group_id)
        known = {row.id: row for row in await store.communities(tx, group_id)}
        reasoners = await work.part(MemoryReasoners).find(tx)
    before = {node: community for community, nodes in members.items() for node, _ in nodes}
    edges = [(row.subject_id, row.object_id) for row in facts]
    found = await asyncio.to_thread(clusters.find_clusters, edges, before)
    carried = clusters.match_communities(found, before)
    described = [
        await _describe(reasoners, cluster, facts, community=known.get(heir) if heir else None, before=before)
        for cluster, heir in zip(found, carried, strict=True)
    ]
    async with work.begin() as tx:
        await write.lock_group(tx, group_id)
        await store.replace(tx, group_id, [_row(each) for each in described])


async def _describe(
    reasoners: MemoryReasoner,
    cluster: frozenset[UUID],
    facts: Sequence[store.JoiningFact],
    *,
    community: Community | None,
    before: Mapping[UUID, UUID],
) -> FoundCommunity:
    """Name and summarise a cluster. A continued community with the same members and summary keeps its name."""
    inside = [row for row in facts if row.subject_id in cluster and row.object_id in cluster]
    degrees: dict[UUID, int] = {}
    called: dict[UUID, str] = {}
    for row in inside:
        for node, name in ((row.subject_id, row.subject), (row.object_id, row.object)):
            degrees[node] = degrees.get(node, 0) + 1
            called[node] = name
    members = tuple(sorted(cluster, key=lambda node: (-degrees.get(node, 0), called.get(node, ""), str(node))))
    summary = " ".join(dict.fromkeys(_sentence(row.statement) for row in _most_central(inside, degrees)[:_STATEMENTS]))
    is_same = community is not None and {node for node, its in before.items() if its == community.id} == cluster
    if community is not None and is_same and community.summary == summary:
        return FoundCommunity(community.id, members, community.name, summary)
    name = await _name(reasoners, [called[node] for node in members[:_NAMED_AFTER] if node in called], summary)
    return FoundCommunity(community.id if community else uuid7(), members, name, summary)


async def _name(reasoners: MemoryReasoner, names: Sequence[str], summary: str) -> str:
    """Return a title by the model; the names of the most connected nodes when there is no model or it fails."""
    plain = ", ".join(names)
    if not reasoners.has_model:
        return plain[:_LONGEST_NAME]
    try:
        async with reasoners.turns:
            named, _ = await reasoners.reasoner.do(TitleInput(question=plain, answer=summary))
    except (IntelliError, TimeoutError, ConnectionError):
        return plain[:_LONGEST_NAME]
    return (named.title or plain)[:_LONGEST_NAME]


def _most_central(inside: Sequence[store.JoiningFact], degrees: Mapping[UUID, int]) -> list[store.JoiningFact]:
    return sorted(
        inside, key=lambda row: (-degrees[row.subject_id] - degrees[row.object_id], row.statement, str(row.id))
    )


def _sentence(statement: str) -> str:
    return statement if statement.endswith((".", "!", "?")) else f"{statement}."


def _row(found: FoundCommunity) -> dict[str, object]:
    return {
        "id": found.id,
        "name": found.name,
        "summary": found.summary,
        "members": [str(each) for each in found.members],
    }


COMMUNITIES = Job(name="memory.communities", queue=Queue.MEMORY, run=_update)
