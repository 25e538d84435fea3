"""The graph of a group: its nodes and the facts between them, as valid at one time and known at another."""

from collections import Counter
from datetime import datetime
from uuid import UUID

from intelli.kit import clock
from intelli.kit.db import Tx
from intelli.memory import as_known, groups, stored_claims
from intelli.memory import wire_read as wire
from intelli.memory.as_known import KnownFact
from intelli.memory.store import graph_overview as store
from intelli.memory.store import history
from intelli.memory.store.scores import FactTime

_EDGES_PER_NODE = 8


async def build_graph(
    tx: Tx, group_id: str, *, as_of: datetime | None, known_at: datetime | None, limit: int
) -> wire.Graph:
    """Return the `limit` nodes with most facts and the facts between them, valid at `as_of` (None: now).

    Edges are limited too, so that the graph stays readable; with `known_at`, only claims known by then count.
    """
    await groups.get(tx, group_id)
    moment = FactTime(as_of or clock.now(), known_at)
    if known_at is not None:
        return await _as_known(tx, group_id, moment, known_at=known_at, limit=limit)
    assert moment.as_of is not None, "it was given or is now"
    nodes = await store.nodes(tx, group_id, as_of=moment.as_of, limit=limit + 1)
    shown = nodes[:limit]
    most = _EDGES_PER_NODE * limit
    edges = await store.edges(tx, group_id, [node.id for node in shown], as_of=moment.as_of, limit=most + 1)
    return wire.Graph(
        nodes=[wire.GraphNode.model_validate(node) for node in shown],
        edges=[wire.GraphEdge.model_validate(edge) for edge in edges[:most]],
        truncated=len(nodes) > limit or len(edges) > most,
    )


async def _as_known(tx: Tx, group_id: str, moment: FactTime, *, known_at: datetime, limit: int) -> wire.Graph:
    """Build the graph from the claims known at `known_at`; nodes without facts to others are left out."""
    claims = await stored_claims.load_group(tx, group_id, known_at=known_at)
    facts = [each for rows in claims.values() for each in as_known.facts_at(rows, moment) if each.claims[-1].object_id]
    ends = {end for each in facts for end in (each.claims[-1].subject_id, each.claims[-1].object_id) if end}
    names = await history.root_names(tx, ends)
    edges = [_edge(each, {end: root for end, (root, _) in names.items()}) for each in facts]
    degrees = Counter(end for edge in edges for end in (edge.source, edge.target))
    name_of = dict(names.values())
    chosen = sorted(degrees, key=lambda node: (-degrees[node], name_of[node], str(node)))[:limit]
    labels, communities = await store.labels_and_communities(tx, chosen)
    shown = set(chosen)
    return wire.Graph(
        nodes=[
            wire.GraphNode(
                id=node, name=name_of[node], labels=labels[node], degree=degrees[node], community=communities.get(node)
            )
            for node in chosen
        ],
        edges=[edge for edge in edges if edge.source in shown and edge.target in shown],
        truncated=len(degrees) > limit,
    )


def _edge(fact: KnownFact, roots: dict[UUID, UUID]) -> wire.GraphEdge:
    last = fact.claims[-1]
    assert last.object_id is not None, "only facts between nodes are drawn"
    return wire.GraphEdge(
        id=fact.fact_id,
        source=roots[last.subject_id],
        target=roots[last.object_id],
        relation=last.relation,
        statement=last.statement,
        valid_at=fact.interval.valid_at,
        invalid_at=fact.interval.invalid_at,
    )
