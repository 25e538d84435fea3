"""Merge and split nodes by hand. A merge only makes one node an alias of another, so that a split undoes it exactly."""

from uuid import UUID

from intelli.kit.db import Tx
from intelli.memory import correct, names, node_summary, slots, vectors
from intelli.memory import wire_read as wire
from intelli.memory.errors import NodeNotFound, NodesApart
from intelli.memory.search_terms import SearchKind
from intelli.memory.slots import CreatedFact
from intelli.memory.store import corrections as store
from intelli.memory.store import erase, node_history
from intelli.memory.tables import Node
from intelli.memory.vectors import TextVectors


async def texts_to_embed(tx: Tx, *node_ids: UUID) -> list[str]:
    """Return the texts that may have to be embedded again once nodes were merged or split."""
    return await erase.statements(tx, (await erase.scope_of_nodes(tx, node_ids)).slots)


async def merge(tx: Tx, request: wire.MergeNodes, new_vectors: TextVectors) -> UUID:
    """Make node `merge` an alias of node `keep`; return the id of `keep`. Raise NodeNotFound or NodesApart."""
    keep, other = await _get_root(tx, request.keep), await _get_root(tx, request.merge)
    if keep.id == other.id or keep.group_id != other.group_id:
        raise NodesApart("Only two different nodes of one group can be merged. Look up both, and choose again.")
    text = f"{other.name} and {keep.name} are the same."
    correction = await correct.insert_correction(
        tx, keep.group_id, f"{text} ({request.reason})" if request.reason else text
    )
    link = {"group_id": keep.group_id, "node_id": other.id, "duplicate_of": keep.id}
    why = {"episode_id": correction.episode_id, "reason": request.reason or "merged by hand"}
    joined = await store.merge_node(tx, {**link, **why})
    await _update_graph(tx, keep.group_id, [keep.id, *joined], new_vectors)
    return keep.id


async def split(tx: Tx, node_id: UUID, request: wire.SplitNode, new_vectors: TextVectors) -> UUID:
    """Make an alias of a node a separate node again and return its id. Raise NodeNotFound or NodesApart."""
    node, alias = await _get_root(tx, node_id), await node_history.find(tx, request.alias)
    if alias is None or alias.merged_into != node.id:
        raise NodesApart("This is not another name of the node. Its aliases can be split from it, by their ids.")
    text = f"{alias.name} and {node.name} are not the same."
    await correct.insert_correction(tx, node.group_id, f"{text} ({request.reason})" if request.reason else text)
    named = [row.episode_id for row in await erase.mentions_of(tx, [node.id]) if _names_alias(row.said, alias)]
    separated = await store.split_node(tx, alias.id)
    await store.move_mentions(tx, named, from_id=node.id, to_id=alias.id)
    await _update_graph(tx, node.group_id, [node.id, *separated], new_vectors)
    return alias.id


def _names_alias(said: dict[str, str], alias: Node) -> bool:
    return names.key_of(said.get("name", "")) == alias.name_key


async def _update_graph(tx: Tx, group_id: str, node_ids: list[UUID], new_vectors: TextVectors) -> None:
    made: list[CreatedFact] = await slots.reassign_claims(tx, node_ids)
    await node_summary.rebuild(tx, node_ids)
    items = {each.id: (SearchKind.FACT, each.statement) for each in made}
    await vectors.write_items(tx, group_id, items, new_vectors)


async def _get_root(tx: Tx, node_id: UUID) -> Node:
    found = await node_history.find_root(tx, node_id)
    if found is None:
        raise NodeNotFound("There is no such node. It may have been forgotten.")
    return found
