"""Forgetting: what is asked to be gone is gone, with all that only it said; what it had ended holds again.

What is left is what there would be had it never been said. Answers that cite it keep their copy, which is told.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from intelli.audit.record import record
from intelli.audit.wire import EventType
from intelli.kit.db import Tx
from intelli.memory import groups, node_summary, slots
from intelli.memory import vectors as meaning
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
    """What is to be forgotten in a group: episodes, the claims behind a fact, or all that names nodes."""

    group_id: str
    what: tuple[str, UUID]
    episodes: tuple[UUID, ...] = ()
    fact: UUID | None = None
    nodes: tuple[UUID, ...] = ()


async def of_episode(tx: Tx, episode_id: UUID) -> ForgetTarget:
    """An episode, to forget."""
    row = (await history.episodes(tx, [episode_id])).get(episode_id)
    if row is None:
        raise EpisodeNotFound("There is no such episode. It may be forgotten already.")
    groups.check_owner(tx, row.group_id)
    return ForgetTarget(row.group_id, ("episode", episode_id), episodes=(episode_id,))


async def of_fact(tx: Tx, fact_id: UUID) -> ForgetTarget:
    """A fact, to forget with all claims behind it. The episodes stay."""
    row = (await history.facts(tx, [fact_id])).get(fact_id)
    if row is None:
        raise FactNotFound("There is no such fact. It may be forgotten already.")
    return ForgetTarget(row.Fact.group_id, ("fact", fact_id), fact=fact_id)


async def of_node(tx: Tx, node_id: UUID, *, with_episodes: bool) -> ForgetTarget:
    """A node under all its names, to forget with what is said of it; with the episodes that name it, if wanted."""
    row = await node_history.find_whole(tx, node_id)
    if row is None:
        raise NodeNotFound("There is no such node. It may be forgotten already.")
    names = (row.id, *(alias.id for alias in await node_history.aliases(tx, row.id)))
    episodes = tuple(await erase.episodes_naming(tx, names)) if with_episodes else ()
    return ForgetTarget(row.group_id, ("node", row.id), nodes=names, episodes=episodes)


async def texts_of(tx: Tx, target: ForgetTarget) -> list[str]:
    """What may have to be found by its meaning once the target is gone."""
    reach = await _reach(tx, target)
    said = await erase.said_of(tx, reach.nodes)
    named = [node_summary.as_written(row) for row in said if row.said.get("name")]
    return [*await erase.statements(tx, reach.slots), *named]


async def forget(tx: Tx, target: ForgetTarget, meanings: TextVectors) -> wire.Forgotten:
    """Forget it, and have everything else be as if it had never been."""
    await store.lock_group(tx, target.group_id, episodes=-len(target.episodes))
    before = await erase.count(tx, target.group_id)
    copies = await _copies(tx, target.episodes)
    reach = await _reach(tx, target)
    facts = {row.id: row for row in await claims.facts_of_slots(tx, reach.slots)}
    apart = await _remove(tx, target)
    made = await slots.rebuild(tx, reach.slots)
    if apart:
        made += await slots.rename(tx, apart)
    renewed = await node_summary.renew(tx, [*reach.nodes, *apart])
    now = {row.id: row for row in await claims.facts_of_slots(tx, reach.slots)}
    items = {each.id: (SearchKind.FACT, each.statement) for each in (*made, *renewed.made)}
    # All of them: what a fact was found by may be the words of a claim that is gone.
    items |= {row.id: (SearchKind.FACT, row.statement) for row in now.values()}
    items |= {node_id: (SearchKind.NODE, name) for node_id, name in renewed.named.items()}
    await meaning.write(tx, target.group_id, items, meanings)
    if await erase.remove_communities(tx, [*reach.nodes, *renewed.gone]):
        await tx.defer(COMMUNITIES, key=f"memory.communities:{target.group_id}", group_id=target.group_id)
    await record(tx, EventType.ERASE, entity=(f"memory_{target.what[0]}", target.what[1]))
    reopened = [row.id for row in now.values() if row.id in facts and facts[row.id].invalid_at and not row.invalid_at]
    return await _told(tx, target, before, reopened=len(reopened), copies=copies)


async def forget_group(tx: Tx, group_id: str) -> wire.Forgotten:
    """Forget a group with everything in it, also the messages that still wait for it."""
    groups.check_owner(tx, group_id)
    await groups.get(tx, group_id)
    await store.lock_group(tx, group_id)
    before = await erase.count(tx, group_id)
    copies = await erase.copies(tx, [hash_of(row) for row in await history.episodes_of_group(tx, group_id)])
    await erase.remove_group(tx, group_id)
    await record(tx, EventType.ERASE, kind="memory_group")
    gone = {name: before[name] for name in ("episodes", "facts", "nodes")}
    return wire.Forgotten(**gone, reopened=0, copies=copies)


async def imagine(tx: Tx, target: ForgetTarget) -> wire.Forgotten:
    """What forgetting would tell; nothing is changed."""
    async with erase.imagined(tx):
        return await forget(tx, target, TextVectors())


async def imagine_group(tx: Tx, group_id: str) -> wire.Forgotten:
    """The same for a group."""
    async with erase.imagined(tx):
        return await forget_group(tx, group_id)


async def _reach(tx: Tx, target: ForgetTarget) -> EraseScope:
    parts = [await erase.reach_of_episodes(tx, target.episodes)] if target.episodes else []
    if target.fact is not None:
        parts.append(await erase.reach_of_fact(tx, target.fact))
    if target.nodes:
        parts.append(await erase.reach_of_nodes(tx, target.nodes))
    touched = dict.fromkeys(slot for part in parts for slot in part.slots)
    named = dict.fromkeys((*target.nodes, *(node for part in parts for node in part.nodes)))
    return EraseScope(list(touched), list(named))


async def _remove(tx: Tx, target: ForgetTarget) -> list[UUID]:
    """Remove what is asked for; the nodes that were merged by it alone."""
    apart: list[UUID] = []
    if target.fact is not None:
        await erase.remove_claims_of_fact(tx, target.fact)
    if target.nodes:
        await erase.remove_claims_of_nodes(tx, target.nodes)
    if target.episodes:
        await erase.restore_corrected(tx, target.episodes)
        apart = await erase.take_apart(tx, target.episodes)
        await erase.remove_episodes(tx, target.episodes)
    return apart


async def _copies(tx: Tx, episodes: Sequence[UUID]) -> int:
    rows = await history.episodes(tx, episodes)
    return await erase.copies(tx, [hash_of(row) for row in rows.values()])


async def _told(tx: Tx, target: ForgetTarget, before: dict[str, int], *, reopened: int, copies: int) -> wire.Forgotten:
    after = await erase.count(tx, target.group_id)
    gone = {name: max(0, before[name] - after[name]) for name in ("episodes", "facts", "nodes")}
    return wire.Forgotten(**gone, reopened=reopened, copies=copies)
