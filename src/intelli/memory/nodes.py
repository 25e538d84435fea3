"""Resolve extracted things to nodes by their key, or create nodes. Only a reasoner decides that two names are one."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID

from intelli.kit.ids import uuid7
from intelli.memory import attributes, names
from intelli.memory.extracted import ExtractedThing
from intelli.memory.schema import GENERIC
from intelli.memory.store.write import Found

_BY_REASONER = "same thing by another name"


@dataclass(frozen=True, slots=True)
class NodeMatch:
    """The node that has a name, and the root that it is merged into (itself when it is not merged)."""

    id: UUID
    root: UUID


@dataclass(slots=True)
class ResolvedNodes:
    """The node of each thing by its key (`places`), and the node rows to write. `names` are those of new nodes."""

    places: dict[str, NodeMatch] = field(default_factory=dict)
    nodes: list[dict[str, Any]] = field(default_factory=list)
    changed: list[dict[str, Any]] = field(default_factory=list)
    duplicates: list[dict[str, Any]] = field(default_factory=list)
    names: dict[UUID, str] = field(default_factory=dict)
    # What the episode states about each node, kept apart: when it is forgotten, the node is rebuilt from the others.
    said: dict[UUID, dict[str, Any]] = field(default_factory=dict)

    @property
    def mentions(self) -> list[dict[str, Any]]:
        """Rows of the mentions: the nodes that the episode names, with what it states about them."""
        return [{"node_id": node_id, "said": said} for node_id, said in self.said.items()]


def resolve(
    things: Sequence[ExtractedThing], found: Sequence[Found], *, same: Mapping[str, UUID], at: datetime
) -> ResolvedNodes:
    """Find or create the node of each thing. `same` gives, by key, the node that a new name is an alias of."""
    known = {row.name_key: row for row in found}
    resolved = ResolvedNodes()
    changes: dict[UUID, dict[str, Any]] = {}
    for thing in things:
        row = known.get(thing.key)
        if row is None:
            _add_node(resolved, thing, same.get(thing.key), at)
        else:
            resolved.places[thing.key] = NodeMatch(row.id, row.root_id)
            if change := _changed_row(row, thing, at, changes.get(row.root_id)):
                changes[row.root_id] = change
        _add_mention(resolved, thing)
    resolved.changed = list(changes.values())
    return resolved


def _add_node(resolved: ResolvedNodes, thing: ExtractedThing, same_as: UUID | None, at: datetime) -> None:
    node_id = uuid7()
    resolved.places[thing.key] = NodeMatch(node_id, same_as or node_id)
    resolved.names[node_id] = thing.name
    resolved.nodes.append(
        {
            "id": node_id,
            "name": thing.name,
            "name_key": thing.key,
            "labels": labels_of(thing.kind),
            "attributes": attributes.merge({}, thing.attributes, at=at),
            "merged_into": same_as,
        }
    )
    if same_as is not None:
        link = {"id": uuid7(), "node_id": node_id, "duplicate_of": same_as, "reason": _BY_REASONER}
        resolved.duplicates.append(link)


def _changed_row(
    row: Found, thing: ExtractedThing, at: datetime, before: dict[str, Any] | None
) -> dict[str, Any] | None:
    """Return the node's labels and attributes with those of the thing; `before` when nothing is new."""
    current = before or {"labels": row.labels, "attributes": row.attributes}
    labels = with_labels(current["labels"], labels_of(thing.kind))
    merged = attributes.merge(current["attributes"], thing.attributes, at=at)
    if labels == current["labels"] and merged == current["attributes"]:
        return before
    return {"id": row.root_id, "labels": labels, "attributes": merged}


def _add_mention(resolved: ResolvedNodes, thing: ExtractedThing) -> None:
    said = resolved.said.setdefault(
        resolved.places[thing.key].root, {"name": thing.name, "labels": [], "attributes": {}}
    )
    said["labels"] = with_labels(said["labels"], labels_of(thing.kind))
    said["attributes"] |= thing.attributes


def with_labels(current: Sequence[str], more: Sequence[str]) -> list[str]:
    """Return the labels with those of `more` that are new, in order."""
    return [*current, *(label for label in more if label not in current)]


def labels_of(kind: str) -> list[str]:
    """Return the labels of a kind of thing: none for the generic kind."""
    return [] if kind == GENERIC else [kind]


def may_be_same(one: str, other: str) -> bool:
    """Return True when names are similar enough to ask a reasoner.

    One has all words of the other (`"Ada"`, `"Ada Lovelace"`), or they share a word and the others abbreviate each
    other (`"A Lovelace"`, `"Ada Lovelace"`). Names that differ in a code are never similar.
    """
    mine, others = names.tokens_of(one), names.tokens_of(other)
    if not mine or not others or mine == others:
        return False
    if mine <= others or others <= mine:
        return True
    if names.differ_in_code(one, other):
        return False
    shared = mine & others
    left, right = mine - shared, others - shared
    return bool(shared) and all(any(_abbreviates(a, b) for b in right) for a in left)


def _abbreviates(one: str, other: str) -> bool:
    short, long = sorted((one, other), key=len)
    return long.startswith(short)
