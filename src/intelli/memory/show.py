"""Showing memory: facts with the episodes that prove them, a node with its whole history, an episode."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any
from uuid import UUID

from intelli.kit.db import Tx
from intelli.memory import wire_read as wire
from intelli.memory.errors import EpisodeNotFound, FactNotFound, NodeNotFound
from intelli.memory.known_fact import KnownFact
from intelli.memory.relevance import Relevant
from intelli.memory.store import history, node_history
from intelli.memory.store.history import FactRow

_EPISODES_OF_NODE = 50


async def fact(tx: Tx, fact_id: UUID) -> wire.Provenance:
    """A fact with what proves it, and what held in its place before and after."""
    row = (await history.facts(tx, [fact_id])).get(fact_id)
    if row is None:
        raise FactNotFound("There is no such fact. It may have been forgotten.")
    slot = await history.facts_of_slot(tx, row.Fact.slot)
    shown = {each.id: each for each in await shown_facts(tx, slot)}
    proof = await proofs(tx, [fact_id])
    return wire.Provenance(**shown[fact_id].model_dump(), proof=proof.get(fact_id, []), history=list(shown.values()))


async def node(tx: Tx, node_id: UUID) -> wire.NodeHistory:
    """A node with all that is known of it. A node that was merged answers as what it was merged into."""
    row = await node_history.find_whole(tx, node_id)
    if row is None:
        raise NodeNotFound("There is no such node. It may have been forgotten.")
    facts = await shown_facts(tx, await history.facts_of_node(tx, row.id))
    return wire.NodeHistory(
        **_node(row),
        attributes=row.attributes,
        aliases=[wire.Alias.model_validate(each) for each in await node_history.aliases(tx, row.id)],
        facts=facts,
        episodes=[episode_of(each) for each in await node_history.episodes(tx, row.id, limit=_EPISODES_OF_NODE)],
    )


async def episode(tx: Tx, episode_id: UUID) -> wire.ToldEpisode:
    """Something that was said, and what rests on it."""
    row = (await history.episodes(tx, [episode_id])).get(episode_id)
    if row is None:
        raise EpisodeNotFound("There is no such episode. It may have been forgotten.")
    facts = await history.facts(tx, await history.facts_of_episode(tx, episode_id))
    return wire.ToldEpisode(**episode_of(row).model_dump(), facts=await shown_facts(tx, list(facts.values())))


async def found_facts(tx: Tx, found: Sequence[Relevant]) -> list[wire.FoundFact]:
    """Facts that were found, with their proof."""
    rows = await history.facts(tx, [each.id for each in found])
    proof = await proofs(tx, rows)
    return [
        wire.FoundFact(
            **fact_of(rows[each.id], proof.get(each.id, ())), relevance=each.relevance, proof=proof.get(each.id, [])
        )
        for each in found
        if each.id in rows
    ]


async def held_facts(tx: Tx, held: Sequence[tuple[KnownFact, float]]) -> list[wire.FoundFact]:
    """Facts as they stood at an earlier time, with what proved them then."""
    claims = [claim for each, _ in held for claim in each.claims]
    ids = {claim.subject_id for claim in claims} | {claim.object_id for claim in claims if claim.object_id}
    names = await history.names(tx, ids)
    said = await history.episodes(tx, {claim.claim.episode_id for claim in claims})
    return [_stood(each, chance, names, said) for each, chance in held]


async def found_nodes(tx: Tx, found: Sequence[Relevant]) -> list[wire.FoundNode]:
    """Nodes that were found."""
    rows = await node_history.by_id(tx, [each.id for each in found])
    return [wire.FoundNode(**_node(rows[each.id]), relevance=each.relevance) for each in found if each.id in rows]


async def shown_facts(tx: Tx, rows: Sequence[FactRow]) -> list[wire.Fact]:
    """Facts as the wire tells them."""
    proof = await proofs(tx, [row.Fact.id for row in rows])
    return [wire.Fact(**fact_of(row, proof.get(row.Fact.id, ()))) for row in rows]


async def proofs(tx: Tx, fact_ids: Iterable[UUID]) -> dict[UUID, list[wire.Proof]]:
    """The episodes that say facts or their ends."""
    found: dict[UUID, list[wire.Proof]] = {}
    for row in await history.sayings(tx, fact_ids):
        said = row.Claim
        found.setdefault(row.fact_id, []).append(
            wire.Proof(
                id=said.episode_id,
                valid_at=row.said_at,
                quote=_quote(row.content, said.quote_start, said.quote_end),
                quote_start=said.quote_start,
                quote_end=said.quote_end,
                says=said.says,
            )
        )
    return found


def fact_of(row: FactRow, proof: Iterable[wire.Proof]) -> dict[str, Any]:
    """The values of a fact on the wire."""
    fact = row.Fact
    same = ("id", "group_id", "relation", "object_text", "statement", "valid_at", "invalid_at", "known_at")
    more = ("expired_at", "end_reason", "confidence")
    ended = wire.EndedBy(fact_id=fact.ended_by_fact, episode_id=fact.ended_by_episode)
    return {
        **{name: getattr(fact, name) for name in (*same, *more)},
        "subject": wire.Named(id=fact.subject_id, name=row.subject_name),
        "object": wire.Named(id=fact.object_id, name=row.object_name) if fact.object_id else None,
        "ended_by": ended if fact.end_reason else None,
        "episodes": list(dict.fromkeys(each.id for each in proof if each.says == "holds")),
    }


def episode_of(row: Any) -> wire.Episode:
    """An episode as the wire tells it."""
    return wire.Episode.model_validate(row)


def _node(row: Any) -> dict[str, Any]:
    return {name: getattr(row, name) for name in wire.Node.model_fields}


def _quote(content: str | None, start: int | None, end: int | None) -> str | None:
    return content[start:end] if content is not None and start is not None and end is not None else None


def _stood(
    held: KnownFact, chance: float, names: Mapping[UUID, tuple[UUID, str]], said: Mapping[UUID, Any]
) -> wire.FoundFact:
    last, interval = held.claims[-1], held.interval
    proof = [
        wire.Proof(
            id=each.claim.episode_id,
            valid_at=said[each.claim.episode_id].valid_at,
            quote=_quote(said[each.claim.episode_id].content, each.quote_start, each.quote_end),
            quote_start=each.quote_start,
            quote_end=each.quote_end,
            says=each.claim.says,
        )
        for each in held.claims
        if each.claim.episode_id in said
    ]
    ended = wire.EndedBy(fact_id=interval.ended_by_fact, episode_id=interval.ended_by_episode)
    return wire.FoundFact(
        id=held.fact_id,
        group_id=last.group_id,
        subject=_named(last.subject_id, names),
        relation=last.relation,
        object=_named(last.object_id, names) if last.object_id else None,
        object_text=last.object_text,
        statement=last.statement,
        valid_at=interval.valid_at,
        invalid_at=interval.invalid_at,
        known_at=interval.known_at,
        expired_at=interval.expired_at,
        end_reason=wire.EndReason(interval.end_reason) if interval.end_reason else None,
        ended_by=ended if interval.end_reason else None,
        confidence=max(each.confidence for each in held.claims),
        episodes=list(dict.fromkeys(each.id for each in proof)),
        relevance=chance,
        proof=proof,
    )


def _named(node_id: UUID, names: Mapping[UUID, tuple[UUID, str]]) -> wire.Named:
    whole_id, name = names[node_id]
    return wire.Named(id=whole_id, name=name)
