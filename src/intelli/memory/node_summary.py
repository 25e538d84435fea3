"""Rebuild the names, labels and attributes of nodes from the episodes that mention them."""

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
    """Result of a rebuild: removed nodes, the names of all others, and the facts created by it."""

    gone: list[UUID] = field(default_factory=list)
    named: dict[UUID, str] = field(default_factory=dict)
    made: list[CreatedFact] = field(default_factory=list)


async def rebuild_or_remove(tx: Tx, node_ids: Iterable[UUID]) -> UpdatedNodes:
    """Rebuild nodes from the episodes that are left; delete those that none names. The caller has locked the group."""
    updated = UpdatedNodes()
    rows: list[dict[str, Any]] = []
    heirs: dict[UUID, UUID] = {}
    for root, members, mentions in await _clusters(tx, node_ids):
        kept = _still_used(members, mentions)
        updated.gone += [row.id for row in members if row not in kept]
        rows += _summarise(kept, mentions) if kept else []
        if kept and kept[0].id != root:
            heirs[root] = kept[0].id
    updated.named = {row["id"]: row["name"] for row in rows}
    await store.update_nodes(tx, rows)
    if heirs:
        await store.move_mentions(tx, heirs)
        updated.made = await slots.reassign_claims(tx, list(updated.named))
    await store.remove_nodes(tx, updated.gone)
    return updated


async def rebuild(tx: Tx, node_ids: Iterable[UUID]) -> None:
    """Rebuild nodes that were merged or split; none is removed."""
    rows = [row for _, members, mentions in await _clusters(tx, node_ids) for row in _summarise(members, mentions)]
    await store.update_nodes(tx, rows)


async def _clusters(tx: Tx, node_ids: Iterable[UUID]) -> list[tuple[UUID, list[Any], list[Any]]]:
    """Load nodes: for each its id, its rows (the node first, then its aliases) and its mentions in order of arrival."""
    members: dict[UUID, list[Any]] = defaultdict(list)
    for row in await store.clusters(tx, list(dict.fromkeys(node_ids))):
        members[row.root].append(row)
    mentions: dict[UUID, list[Any]] = defaultdict(list)
    for row in await store.mentions_of(tx, list(members)):
        mentions[row.root].append(row)
    return [(root, rows, mentions[root]) for root, rows in members.items()]


def _still_used(members: Sequence[Any], mentions: Sequence[Any]) -> list[Any]:
    """Return the rows of a node whose names a claim or a mention still uses, in their order (the node itself first)."""
    used = {names.key_of(row.said["name"]) for row in mentions if row.said.get("name")}
    return [row for row in members if row.is_claimed or row.name_key in used or (mentions and not used)]


def _summarise(kept: Sequence[Any], mentions: Sequence[Any]) -> list[dict[str, Any]]:
    """Build the columns of a node and of its aliases. The node's name is the one its first episode uses."""
    root, *others = kept
    labels, known, name = list(root.labels), root.attributes, root.name
    if any(row.said for row in mentions):
        labels, known = [], {}
        for row in mentions:
            labels = nodes.with_labels(labels, row.said.get("labels", ()))
            known = attributes.merge(known, row.said.get("attributes", {}), at=row.valid_at)
        named = [row for row in mentions if names.key_of(row.said.get("name", "")) == root.name_key]
        name = name_as_written(named[0]) if named else name
    created_at = min((row.created_at for row in mentions), default=root.created_at)
    node = {"id": root.id, "name": name, "labels": labels, "attributes": known, "merged_into": None}
    return [
        {**node, "created_at": max(created_at, root.created_at)},
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


def name_as_written(row: Any) -> str:
    """Return the name as the mentioning episode spells it; a spelling from elsewhere may be of a forgotten episode."""
    name: str = row.said["name"]
    at = (row.content or "").casefold().find(name.casefold())
    written = (row.content or "")[at : at + len(name)] if at >= 0 else ""
    return written if names.key_of(written) == names.key_of(name) else name
