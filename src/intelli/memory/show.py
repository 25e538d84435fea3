"""Load facts with the episodes that prove them, nodes with their history, and episodes, as wire models."""

from collections.abc import Iterable, Sequence
from typing import Any
from uuid import UUID

from intelli.kit.db import Tx
from intelli.memory import wire_read as wire
from intelli.memory.errors import EpisodeNotFound, FactNotFound, NodeNotFound
from intelli.memory.relevance import Relevant
from intelli.memory.store import history, node_history
from intelli.memory.store.history import FactRow

_EPISODES_OF_NODE = 50


async def get_fact(tx: Tx, fact_id: UUID) -> wire.Provenance:
    """Return a fact with its proof and all facts of its slot, in order of time. Raise FactNotFound."""
    row = (await history.facts(tx, [fact_id])).get(fact_id)
    if row is None:
        raise FactNotFound("There is no such fact. It may have been forgotten.")
    slot = await history.facts_of_slot(tx, row.Fact.slot)
    shown = {each.id: each for each in await facts_to_wire(tx, slot)}
    proof = await proofs(tx, [fact_id])
    return wire.Provenance(**shown[fact_id].model_dump(), proof=proof.get(fact_id, []), history=list(shown.values()))


async def get_node(tx: Tx, node_id: UUID) -> wire.NodeHistory:
    """Return a node with all its facts, or the node that it was merged into. Raise NodeNotFound."""
    row = await node_history.find_root(tx, node_id)
    if row is None:
        raise NodeNotFound("There is no such node. It may have been forgotten.")
    facts = await facts_to_wire(tx, await history.facts_of_node(tx, row.id))
    return wire.NodeHistory(
        **_node_fields(row),
        attributes=row.attributes,
        aliases=[wire.Alias.model_validate(each) for each in await node_history.aliases(tx, row.id)],
        facts=facts,
        episodes=[episode_to_wire(each) for each in await node_history.episodes(tx, row.id, limit=_EPISODES_OF_NODE)],
    )


async def get_episode(tx: Tx, episode_id: UUID) -> wire.ToldEpisode:
    """Return an episode with the facts that it supports. Raise EpisodeNotFound."""
    row = (await history.episodes(tx, [episode_id])).get(episode_id)
    if row is None:
        raise EpisodeNotFound("There is no such episode. It may have been forgotten.")
    facts = await history.facts(tx, await history.facts_of_episode(tx, episode_id))
    return wire.ToldEpisode(**episode_to_wire(row).model_dump(), facts=await facts_to_wire(tx, list(facts.values())))


async def found_facts(tx: Tx, found: Sequence[Relevant]) -> list[wire.FoundFact]:
    """Return the facts that a search found, in its order, with their proof."""
    rows = await history.facts(tx, [each.id for each in found])
    proof = await proofs(tx, rows)
    return [
        wire.FoundFact(
            **fact_fields(rows[each.id], proof.get(each.id, ())), relevance=each.relevance, proof=proof.get(each.id, [])
        )
        for each in found
        if each.id in rows
    ]


async def found_nodes(tx: Tx, found: Sequence[Relevant]) -> list[wire.FoundNode]:
    """Return the nodes that a search found, in its order."""
    rows = await node_history.by_id(tx, [each.id for each in found])
    return [
        wire.FoundNode(**_node_fields(rows[each.id]), relevance=each.relevance) for each in found if each.id in rows
    ]


async def facts_to_wire(tx: Tx, rows: Sequence[FactRow]) -> list[wire.Fact]:
    """Convert facts to wire models, with the ids of the episodes that state them."""
    proof = await proofs(tx, [row.Fact.id for row in rows])
    return [wire.Fact(**fact_fields(row, proof.get(row.Fact.id, ()))) for row in rows]


async def proofs(tx: Tx, fact_ids: Iterable[UUID]) -> dict[UUID, list[wire.Proof]]:
    """Return the proof of each fact by its id: the claims that state the fact or its end, with their quotes."""
    found: dict[UUID, list[wire.Proof]] = {}
    for row in await history.claims_of_facts(tx, fact_ids):
        claim = row.Claim
        found.setdefault(row.fact_id, []).append(
            wire.Proof(
                id=claim.episode_id,
                valid_at=row.said_at,
                quote=quote(row.content, claim.quote_start, claim.quote_end),
                quote_start=claim.quote_start,
                quote_end=claim.quote_end,
                says=claim.says,
            )
        )
    return found


def fact_fields(row: FactRow, proof: Iterable[wire.Proof]) -> dict[str, Any]:
    """Return the fields that all wire models of a fact share."""
    stored = row.Fact
    same = ("id", "group_id", "relation", "object_text", "statement", "valid_at", "invalid_at", "known_at")
    more = ("expired_at", "end_reason", "confidence")
    ended = wire.EndedBy(fact_id=stored.ended_by_fact, episode_id=stored.ended_by_episode)
    return {
        **{name: getattr(stored, name) for name in (*same, *more)},
        "subject": wire.Named(id=stored.subject_id, name=row.subject_name),
        "object": wire.Named(id=stored.object_id, name=row.object_name) if stored.object_id else None,
        "ended_by": ended if stored.end_reason else None,
        "episodes": list(dict.fromkeys(each.id for each in proof if each.says == "holds")),
    }


def episode_to_wire(row: Any) -> wire.Episode:
    """Convert an episode to its wire model."""
    return wire.Episode.model_validate(row)


def _node_fields(row: Any) -> dict[str, Any]:
    return {name: getattr(row, name) for name in wire.Node.model_fields}


def quote(content: str | None, start: int | None, end: int | None) -> str | None:
    """Return the quoted part of an episode's content; None when content or range is missing."""
    return content[start:end] if content is not None and start is not None and end is not None else None
