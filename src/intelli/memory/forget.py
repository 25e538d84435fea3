"""Forget episodes, facts, nodes or groups: delete them with all that only they support; facts they ended reopen.

The result is as if they had never been added. Answers that cite them keep their copies, which are counted.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from intelli.audit.record import record
from intelli.audit.wire import EventType
from intelli.kit.db import Tx
from intelli.memory import groups, node_summary, slots, vectors
from intelli.memory import wire_read as wire
from intelli.memory.communities import COMMUNITIES
from intelli.memory.errors import EpisodeNotFound, FactNotFound, NodeNotFound
from intelli.memory.recall import hash_of
from intelli.memory.search_terms import SearchKind
from intelli.memory.store import claims, erase, history, node_history
from intelli.memory.store import write as store
from intelli.memory.store.erase import EraseScope
from intelli.memory.vectors import TextVectors


@dataclass(frozen=True, slots=True)
class ForgetTarget:
    """What to forget in a group: episodes, the claims behind a fact, or all claims and mentions of nodes."""

    group_id: str
    what: tuple[str, UUID]
    episodes: tuple[UUID, ...] = ()
    fact: UUID | None = None
    nodes: tuple[UUID, ...] = ()


async def get_episode_target(tx: Tx, episode_id: UUID) -> ForgetTarget:
    """Return the target for an episode. Raise EpisodeNotFound or GroupNotYours."""
    row = (await history.episodes(tx, [episode_id])).get(episode_id)
    if row is None:
        raise EpisodeNotFound("There is no such episode. It may be forgotten already.")
    groups.check_owner(tx, row.group_id)
    return ForgetTarget(row.group_id, ("episode", episode_id), episodes=(episode_id,))


async def get_fact_target(tx: Tx, fact_id: UUID) -> ForgetTarget:
    """Return the target for a fact with all claims behind it; the episodes stay. Raise FactNotFound."""
    row = (await history.facts(tx, [fact_id])).get(fact_id)
    if row is None:
        raise FactNotFound("There is no such fact. It may be forgotten already.")
    return ForgetTarget(row.Fact.group_id, ("fact", fact_id), fact=fact_id)


async def get_node_target(tx: Tx, node_id: UUID, *, with_episodes: bool) -> ForgetTarget:
    """Return the target for a node, its aliases and, on request, the episodes that name them. Raise NodeNotFound."""
    row = await node_history.find_root(tx, node_id)
    if row is None:
        raise NodeNotFound("There is no such node. It may be forgotten already.")
    names = (row.id, *(alias.id for alias in await node_history.aliases(tx, row.id)))
    episodes = tuple(await erase.episodes_naming(tx, names)) if with_episodes else ()
    return ForgetTarget(row.group_id, ("node", row.id), nodes=names, episodes=episodes)


async def texts_to_embed(tx: Tx, target: ForgetTarget) -> list[str]:
    """Return the texts that may have to be embedded again once the target is gone."""
    scope = await _scope(tx, target)
    mentions = await erase.mentions_of(tx, scope.nodes)
    named = [node_summary.name_as_written(row) for row in mentions if row.said.get("name")]
    return [*await erase.statements(tx, scope.slots), *named]


async def forget(tx: Tx, target: ForgetTarget, new_vectors: TextVectors) -> wire.Forgotten:
    """Delete the target and rebuild the facts, nodes and search entries around it; locks the group.

    The deletion is recorded in the audit log, and communities of the nodes are found again.
    """
    await store.lock_group(tx, target.group_id, episodes=-len(target.episodes))
    before = await erase.count(tx, target.group_id)
    copies = await _count_copies(tx, target.episodes)
    scope = await _scope(tx, target)
    facts = {row.id: row for row in await claims.facts_of_slots(tx, scope.slots)}
    apart = await _remove(tx, target)
    made = await slots.rebuild(tx, scope.slots)
    if apart:
        made += await slots.reassign_claims(tx, apart)
    renewed = await node_summary.rebuild_or_remove(tx, [*scope.nodes, *apart])
    now = {row.id: row for row in await claims.facts_of_slots(tx, scope.slots)}
    items = {each.id: (SearchKind.FACT, each.statement) for each in (*made, *renewed.made)}
    # All of them: the search entry of a fact may be made of the words of a claim that is gone.
    items |= {row.id: (SearchKind.FACT, row.statement) for row in now.values()}
    items |= {node_id: (SearchKind.NODE, name) for node_id, name in renewed.named.items()}
    await vectors.write_items(tx, target.group_id, items, new_vectors)
    if await erase.remove_communities(tx, [*scope.nodes, *renewed.gone]):
        await tx.defer(COMMUNITIES, key=f"memory.communities:{target.group_id}", group_id=target.group_id)
    await record(tx, EventType.ERASE, entity=(f"memory_{target.what[0]}", target.what[1]))
    reopened = [row.id for row in now.values() if row.id in facts and facts[row.id].invalid_at and not row.invalid_at]
    return await _count_gone(tx, target, before, reopened=len(reopened), copies=copies)


async def forget_group(tx: Tx, group_id: str) -> wire.Forgotten:
    """Delete a group with everything in it, also its queued messages; locks the group. Raise GroupNotFound."""
    groups.check_owner(tx, group_id)
    await groups.get(tx, group_id)
    await store.lock_group(tx, group_id)
    before = await erase.count(tx, group_id)
    copies = await erase.count_copies(tx, [hash_of(row) for row in await history.episodes_of_group(tx, group_id)])
    await erase.remove_group(tx, group_id)
    await record(tx, EventType.ERASE, kind="memory_group")
    gone = {name: before[name] for name in ("episodes", "facts", "nodes")}
    return wire.Forgotten(**gone, reopened=0, copies=copies)


async def preview(tx: Tx, target: ForgetTarget) -> wire.Forgotten:
    """Return what `forget` would return; all changes are rolled back."""
    async with erase.rolled_back(tx):
        return await forget(tx, target, TextVectors())


async def preview_group(tx: Tx, group_id: str) -> wire.Forgotten:
    """Return what `forget_group` would return; all changes are rolled back."""
    async with erase.rolled_back(tx):
        return await forget_group(tx, group_id)


async def _scope(tx: Tx, target: ForgetTarget) -> EraseScope:
    parts = [await erase.scope_of_episodes(tx, target.episodes)] if target.episodes else []
    if target.fact is not None:
        parts.append(await erase.scope_of_fact(tx, target.fact))
    if target.nodes:
        parts.append(await erase.scope_of_nodes(tx, target.nodes))
    touched = dict.fromkeys(slot for part in parts for slot in part.slots)
    named = dict.fromkeys((*target.nodes, *(node for part in parts for node in part.nodes)))
    return EraseScope(list(touched), list(named))


async def _remove(tx: Tx, target: ForgetTarget) -> list[UUID]:
    """Delete the target; return the nodes whose merge was undone because a deleted correction made it."""
    apart: list[UUID] = []
    if target.fact is not None:
        await erase.remove_claims_of_fact(tx, target.fact)
    if target.nodes:
        await erase.remove_claims_of_nodes(tx, target.nodes)
    if target.episodes:
        await erase.restore_retracted(tx, target.episodes)
        apart = await erase.undo_merges(tx, target.episodes)
        await erase.remove_episodes(tx, target.episodes)
    return apart


async def _count_copies(tx: Tx, episodes: Sequence[UUID]) -> int:
    rows = await history.episodes(tx, episodes)
    return await erase.count_copies(tx, [hash_of(row) for row in rows.values()])


async def _count_gone(
    tx: Tx, target: ForgetTarget, before: dict[str, int], *, reopened: int, copies: int
) -> wire.Forgotten:
    after = await erase.count(tx, target.group_id)
    gone = {name: max(0, before[name] - after[name]) for name in ("episodes", "facts", "nodes")}
    return wire.Forgotten(**gone, reopened=reopened, copies=copies)
