"""Portraits: what is known of a node itself, made again from what episodes say of it."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from intelli.kit.db import Tx
from intelli.memory import attributes, names, nodes, slots
from intelli.memory.slots import CreatedFact
from intelli.memory.store import erase as store


@dataclass(slots=True)
class UpdatedNodes:
    """What became of nodes: those that nothing names any more, new names of others, and facts that came to be."""

    gone: list[UUID] = field(default_factory=list)
    named: dict[UUID, str] = field(default_factory=dict)
    made: list[CreatedFact] = field(default_factory=list)


async def renew(tx: Tx, node_ids: Iterable[UUID]) -> UpdatedNodes:
    """Make nodes what the episodes that are left say of them, and remove what none names; the group is held."""
    renewed = UpdatedNodes()
    painted: list[dict[str, Any]] = []
    heirs: dict[UUID, UUID] = {}
    for root, members, said in await _clusters(tx, node_ids):
        kept = _kept(members, said)
        renewed.gone += [row.id for row in members if row not in kept]
        painted += _paint(kept, said) if kept else []
        if kept and kept[0].id != root:
            heirs[root] = kept[0].id
    renewed.named = {portrait["id"]: portrait["name"] for portrait in painted}
    await store.repaint(tx, painted)
    if heirs:
        await store.inherit(tx, heirs)
        renewed.made = await slots.rename(tx, list(renewed.named))
    await store.remove_nodes(tx, renewed.gone)
    return renewed


async def repaint(tx: Tx, node_ids: Iterable[UUID]) -> None:
    """The same for nodes whose names were joined or parted: none is removed."""
    painted = [portrait for _, members, said in await _clusters(tx, node_ids) for portrait in _paint(members, said)]
    await store.repaint(tx, painted)


async def _clusters(tx: Tx, node_ids: Iterable[UUID]) -> list[tuple[UUID, list[Any], list[Any]]]:
    """Nodes with all their names, and what episodes say of them."""
    members: dict[UUID, list[Any]] = defaultdict(list)
    for row in await store.clusters(tx, list(dict.fromkeys(node_ids))):
        members[row.root].append(row)
    said: dict[UUID, list[Any]] = defaultdict(list)
    for row in await store.said_of(tx, list(members)):
        said[row.root].append(row)
    return [(root, rows, said[root]) for root, rows in members.items()]


def _kept(members: Sequence[Any], said: Sequence[Any]) -> list[Any]:
    """Those of the names of a node that something still uses, the node itself first if it is among them."""
    used = {names.key_of(row.said["name"]) for row in said if row.said.get("name")}
    return [row for row in members if row.is_claimed or row.name_key in used or (said and not used)]


def _paint(kept: Sequence[Any], said: Sequence[Any]) -> list[dict[str, Any]]:
    """The node, and its other names. What its first episode called it is its name."""
    root, *others = kept
    labels, known, name = list(root.labels), root.attributes, root.name
    if any(row.said for row in said):
        labels, known = [], {}
        for row in said:
            labels = nodes.with_labels(labels, row.said.get("labels", ()))
            known = attributes.merge(known, row.said.get("attributes", {}), at=row.valid_at)
        named = [row for row in said if names.key_of(row.said.get("name", "")) == root.name_key]
        name = as_written(named[0]) if named else name
    created_at = min((row.created_at for row in said), default=root.created_at)
    whole = {"id": root.id, "name": name, "labels": labels, "attributes": known, "merged_into": None}
    return [
        {**whole, "created_at": max(created_at, root.created_at)},
        *(
            {
                "id": row.id,
                "name": row.name,
                "labels": row.labels,
                "attributes": row.attributes,
                "merged_into": root.id,
                "created_at": row.created_at,
            }
            for row in others
        ),
    ]


def as_written(row: Any) -> str:
    """The name as its episode has it: what it is called elsewhere may be what a forgotten episode called it."""
    name: str = row.said["name"]
    at = (row.content or "").casefold().find(name.casefold())
    written = (row.content or "")[at : at + len(name)] if at >= 0 else ""
    return written if names.key_of(written) == names.key_of(name) else name
