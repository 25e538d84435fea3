"""Merging and splitting nodes by hand. A merge only joins names: split, each has again what was said of it."""

from uuid import UUID

from intelli.kit.db import Tx
from intelli.memory import correct, names, node_summary, slots
from intelli.memory import vectors as meaning
from intelli.memory import wire_read as wire
from intelli.memory.errors import NodeNotFound, NodesApart
from intelli.memory.search_terms import SearchKind
from intelli.memory.slots import CreatedFact
from intelli.memory.store import corrections as store
from intelli.memory.store import erase, node_history
from intelli.memory.tables import Node
from intelli.memory.vectors import TextVectors


async def texts_of(tx: Tx, *node_ids: UUID) -> list[str]:
    """What may have to be found by its meaning once nodes were merged or split."""
    return await erase.statements(tx, (await erase.reach_of_nodes(tx, node_ids)).slots)


async def merge(tx: Tx, request: wire.MergeNodes, meanings: TextVectors) -> UUID:
    """Make one node another name of a second; the node that both are."""
    keep, other = await _whole(tx, request.keep), await _whole(tx, request.merge)
    if keep.id == other.id or keep.group_id != other.group_id:
        raise NodesApart("Only two different nodes of one group can be merged. Look up both, and choose again.")
    said = f"{other.name} and {keep.name} are the same."
    correction = await correct.begin(tx, keep.group_id, f"{said} ({request.reason})" if request.reason else said)
    link = {"group_id": keep.group_id, "node_id": other.id, "duplicate_of": keep.id}
    why = {"episode_id": correction.episode_id, "reason": request.reason or "merged by hand"}
    joined = await store.join(tx, {**link, **why})
    await _settle(tx, keep.group_id, [keep.id, *joined], meanings)
    return keep.id


async def split(tx: Tx, node_id: UUID, request: wire.SplitNode, meanings: TextVectors) -> UUID:
    """Make one of a node's names a node of its own again; that node."""
    node, alias = await _whole(tx, node_id), await node_history.find(tx, request.alias)
    if alias is None or alias.merged_into != node.id:
        raise NodesApart("This is not another name of the node. Its aliases can be split from it, by their ids.")
    said = f"{alias.name} and {node.name} are not the same."
    await correct.begin(tx, node.group_id, f"{said} ({request.reason})" if request.reason else said)
    named = [row.episode_id for row in await erase.said_of(tx, [node.id]) if _is_named(row.said, alias)]
    parted = await store.part(tx, alias.id)
    await store.rename_mentions(tx, named, from_id=node.id, to_id=alias.id)
    await _settle(tx, node.group_id, [node.id, *parted], meanings)
    return alias.id


def _is_named(said: dict[str, str], alias: Node) -> bool:
    return names.key_of(said.get("name", "")) == alias.name_key


async def _settle(tx: Tx, group_id: str, node_ids: list[UUID], meanings: TextVectors) -> None:
    made: list[CreatedFact] = await slots.rename(tx, node_ids)
    await node_summary.repaint(tx, node_ids)
    items = {each.id: (SearchKind.FACT, each.statement) for each in made}
    await meaning.write(tx, group_id, items, meanings)


async def _whole(tx: Tx, node_id: UUID) -> Node:
    found = await node_history.find_whole(tx, node_id)
    if found is None:
        raise NodeNotFound("There is no such node. It may have been forgotten.")
    return found
