"""Facts as they were known at an earlier time, rebuilt from the claims that had arrived by then."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from intelli.kit.db import Tx
from intelli.memory import facts_in_time, relevance, show, stored_claims
from intelli.memory import wire_read as wire
from intelli.memory.facts_in_time import Interval, Stretch
from intelli.memory.relevance import Relevant
from intelli.memory.store import history, scores
from intelli.memory.store.scores import FactTime, ScoredQuery
from intelli.memory.stored_claims import StoredClaim

# Facts whose slots are loaded together; when too few slots had a fact at the time, more are loaded.
_AT_ONCE = 200


@dataclass(frozen=True, slots=True)
class KnownFact:
    """A fact as known at an earlier time: the claims that supported it then, and the interval they give."""

    fact_id: UUID
    claims: tuple[StoredClaim, ...]
    interval: Interval


async def search_facts(tx: Tx, asked: ScoredQuery, moment: FactTime, *, limit: int) -> list[wire.FoundFact]:
    """Return the facts relevant to a query as they were known at a time, most relevant first."""
    reach = _AT_ONCE
    while True:
        async with scores.without_nested_loops(tx):
            found = relevance.from_scores(await scores.facts(tx, asked, FactTime(None), limit=reach))
        known = await _load_known(tx, found, moment)
        if len(known) >= limit or len(found) < reach:
            return await _to_wire(tx, known[:limit])
        reach *= 4


async def _load_known(tx: Tx, found: Sequence[Relevant], moment: FactTime) -> list[tuple[KnownFact, float]]:
    """Return the facts that the slots of these facts had at the moment, most relevant first.

    A fact that no longer exists today is as relevant as the best fact of its slot.
    """
    slots = await history.slots(tx, [each.id for each in found])
    chances = {each.id: each.relevance for each in found}
    best: dict[UUID, float] = {}
    for fact_id, slot in slots.items():
        best[slot] = max(best.get(slot, 0.0), chances[fact_id])
    claims = await stored_claims.load_by_slot(tx, list(best))
    known = [
        (each, chances.get(each.fact_id, best[slot]))
        for slot, rows in claims.items()
        for each in facts_at(rows, moment)
    ]
    return sorted(known, key=lambda pair: (-pair[1], str(pair[0].fact_id)))


def facts_at(claims: Sequence[StoredClaim], moment: FactTime) -> list[KnownFact]:
    """Return the facts that follow from those claims of one slot that were known at the moment, in order of time."""
    known = [each for each in claims if _was_known(each, moment)]
    by_id = {each.claim.id: each for each in known}
    stretches = facts_in_time.stretches([each.claim for each in known])
    facts = []
    for stretch in stretches:
        interval = facts_in_time.interval(stretch, ended_by_fact=_successor(stretch, stretches))
        if _is_in_time(interval, moment):
            behind = tuple(by_id[claim.id] for claim in stretch.claims)
            facts.append(KnownFact(_fact_id(behind), behind, interval))
    return facts


def _was_known(each: StoredClaim, moment: FactTime) -> bool:
    if moment.known_at is None:
        return each.retracted_at is None
    is_learnt = each.claim.known_at <= moment.known_at
    return is_learnt and (each.retracted_at is None or each.retracted_at > moment.known_at)


def _is_in_time(interval: Interval, moment: FactTime) -> bool:
    if moment.as_of is None:
        return True
    if interval.valid_at is not None and interval.valid_at > moment.as_of:
        return False
    return moment.ended or interval.invalid_at is None or interval.invalid_at > moment.as_of


def _fact_id(claims: Sequence[StoredClaim]) -> UUID:
    """Return the id of the fact that the claims support today, or the first claim's own id when they support none."""
    return next((each.claim.fact_id for each in claims if each.claim.fact_id is not None), claims[0].claim.id)


def _successor(stretch: Stretch, stretches: Sequence[Stretch]) -> UUID | None:
    end = stretch.end
    if end is None:
        return None
    return next((each.claims[0].fact_id for each in stretches if each.claims[0].id == end.id), None)


async def _to_wire(tx: Tx, known: Sequence[tuple[KnownFact, float]]) -> list[wire.FoundFact]:
    """Convert facts, each with its relevance, to wire models with the claims that proved them then."""
    claims = [claim for each, _ in known for claim in each.claims]
    ids = {claim.subject_id for claim in claims} | {claim.object_id for claim in claims if claim.object_id}
    names = await history.root_names(tx, ids)
    episodes = await history.episodes(tx, {claim.claim.episode_id for claim in claims})
    return [_found_fact(each, chance, names, episodes) for each, chance in known]


def _found_fact(
    known: KnownFact, chance: float, names: Mapping[UUID, tuple[UUID, str]], episodes: Mapping[UUID, Any]
) -> wire.FoundFact:
    last, interval = known.claims[-1], known.interval
    proof = [
        wire.Proof(
            id=each.claim.episode_id,
            valid_at=episodes[each.claim.episode_id].valid_at,
            quote=show.quote(episodes[each.claim.episode_id].content, each.quote_start, each.quote_end),
            quote_start=each.quote_start,
            quote_end=each.quote_end,
            says=each.claim.says,
        )
        for each in known.claims
        if each.claim.episode_id in episodes
    ]
    ended = wire.EndedBy(fact_id=interval.ended_by_fact, episode_id=interval.ended_by_episode)
    return wire.FoundFact(
        id=known.fact_id,
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
        confidence=max(each.confidence for each in known.claims),
        episodes=list(dict.fromkeys(each.id for each in proof)),
        relevance=chance,
        proof=proof,
    )


def _named(node_id: UUID, names: Mapping[UUID, tuple[UUID, str]]) -> wire.Named:
    root_id, name = names[node_id]
    return wire.Named(id=root_id, name=name)
