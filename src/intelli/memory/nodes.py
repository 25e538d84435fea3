"""Things become nodes: by their key, by what they are merged into, or anew. Only a reasoner says that two are one."""

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
    """The node of a name, and the node that it is a name of."""

    id: UUID
    root: UUID


@dataclass(slots=True)
class ResolvedNodes:
    """Where each thing stands, and what is to be written of nodes."""

    places: dict[str, NodeMatch] = field(default_factory=dict)
    nodes: list[dict[str, Any]] = field(default_factory=list)
    changed: list[dict[str, Any]] = field(default_factory=list)
    duplicates: list[dict[str, Any]] = field(default_factory=list)
    names: dict[UUID, str] = field(default_factory=dict)
    # What the episode says of each node that it names: with that gone, the node is what the others say.
    said: dict[UUID, dict[str, Any]] = field(default_factory=dict)

    @property
    def mentions(self) -> list[dict[str, Any]]:
        """The nodes that the episode names, with what it says of them."""
        return [{"node_id": node_id, "said": said} for node_id, said in self.said.items()]


def resolve(
    things: Sequence[ExtractedThing], found: Sequence[Found], *, same: Mapping[str, UUID], at: datetime
) -> ResolvedNodes:
    """Put each thing in its place. `same` names the node that a new name is another form of."""
    known = {row.name_key: row for row in found}
    resolved = ResolvedNodes()
    changes: dict[UUID, dict[str, Any]] = {}
    for thing in things:
        row = known.get(thing.key)
        if row is None:
            _add(resolved, thing, same.get(thing.key), at)
        else:
            resolved.places[thing.key] = NodeMatch(row.id, row.root_id)
            if change := _change(row, thing, at, changes.get(row.root_id)):
                changes[row.root_id] = change
        _mention(resolved, thing)
    resolved.changed = list(changes.values())
    return resolved


def _add(resolved: ResolvedNodes, thing: ExtractedThing, same_as: UUID | None, at: datetime) -> None:
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


def _change(row: Found, thing: ExtractedThing, at: datetime, before: dict[str, Any] | None) -> dict[str, Any] | None:
    held = before or {"labels": row.labels, "attributes": row.attributes}
    labels = with_labels(held["labels"], labels_of(thing.kind))
    merged = attributes.merge(held["attributes"], thing.attributes, at=at)
    if labels == held["labels"] and merged == held["attributes"]:
        return before
    return {"id": row.root_id, "labels": labels, "attributes": merged}


def _mention(resolved: ResolvedNodes, thing: ExtractedThing) -> None:
    said = resolved.said.setdefault(
        resolved.places[thing.key].root, {"name": thing.name, "labels": [], "attributes": {}}
    )
    said["labels"] = with_labels(said["labels"], labels_of(thing.kind))
    said["attributes"] |= thing.attributes


def with_labels(held: Sequence[str], more: Sequence[str]) -> list[str]:
    """The labels of a node that is also called these."""
    return [*held, *(label for label in more if label not in held)]


def labels_of(kind: str) -> list[str]:
    """The labels that a kind of thing gives."""
    return [] if kind == GENERIC else [kind]


def may_be_one(one: str, other: str) -> bool:
    """True when two names are near enough to ask: one holds all words of the other, or begins with its initials."""
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
