"""Hindsight: what we took for true at an earlier time, made again from the claims that we had heard by then."""

from collections.abc import Sequence
from uuid import UUID

from intelli.kit.db import Tx
from intelli.memory import facts_in_time, relevance, show, stored_claims
from intelli.memory import wire_read as wire
from intelli.memory.facts_in_time import Interval, Stretch
from intelli.memory.known_fact import KnownFact
from intelli.memory.relevance import Relevant
from intelli.memory.store import history, scores
from intelli.memory.store.scores import FactTime, ScoredQuery
from intelli.memory.stored_claims import StoredClaim

# Slots that are looked at together; when too few of them held something then, more are.
_AT_ONCE = 200


async def found_facts(tx: Tx, asked: ScoredQuery, moment: FactTime, *, limit: int) -> list[wire.FoundFact]:
    """The facts that bear on a query as they stood at a time, most relevant first."""
    reach = _AT_ONCE
    while True:
        async with scores.comparing_all(tx):
            found = relevance.of(await scores.facts(tx, asked, FactTime(None), limit=reach))
        held = await _held(tx, found, moment)
        if len(held) >= limit or len(found) < reach:
            return await show.held_facts(tx, held[:limit])
        reach *= 4


async def _held(tx: Tx, found: Sequence[Relevant], moment: FactTime) -> list[tuple[KnownFact, float]]:
    """What the slots of these facts held at the moment, most relevant first.

    A fact of which nothing is left today is as relevant as the best of what its slot has.
    """
    slots = await history.slots(tx, [each.id for each in found])
    chances = {each.id: each.relevance for each in found}
    best: dict[UUID, float] = {}
    for fact_id, slot in slots.items():
        best[slot] = max(best.get(slot, 0.0), chances[fact_id])
    claims = await stored_claims.of_slots(tx, list(best))
    held = [
        (each, chances.get(each.fact_id, best[slot])) for slot, said in claims.items() for each in stood(said, moment)
    ]
    return sorted(held, key=lambda pair: (-pair[1], str(pair[0].fact_id)))


def stood(said: Sequence[StoredClaim], moment: FactTime) -> list[KnownFact]:
    """What the claims of one slot came to at a moment."""
    known = [each for each in said if _was_known(each, moment)]
    by_id = {each.claim.id: each for each in known}
    stretches = facts_in_time.stretches([each.claim for each in known])
    held = []
    for stretch in stretches:
        interval = facts_in_time.interval(stretch, ended_by_fact=_successor(stretch, stretches))
        if _counts(interval, moment):
            claims = tuple(by_id[claim.id] for claim in stretch.claims)
            held.append(KnownFact(_identity(claims), claims, interval))
    return held


def _was_known(each: StoredClaim, moment: FactTime) -> bool:
    if moment.known_at is None:
        return each.retracted_at is None
    is_learnt = each.claim.known_at <= moment.known_at
    return is_learnt and (each.retracted_at is None or each.retracted_at > moment.known_at)


def _counts(interval: Interval, moment: FactTime) -> bool:
    if moment.as_of is None:
        return True
    if interval.valid_at is not None and interval.valid_at > moment.as_of:
        return False
    return moment.ended or interval.invalid_at is None or interval.invalid_at > moment.as_of


def _identity(claims: Sequence[StoredClaim]) -> UUID:
    """The fact that the claims stand behind today; one that stands behind none any more goes by its own id."""
    return next((each.claim.fact_id for each in claims if each.claim.fact_id is not None), claims[0].claim.id)


def _successor(stretch: Stretch, stretches: Sequence[Stretch]) -> UUID | None:
    end = stretch.end
    if end is None:
        return None
    return next((each.claims[0].fact_id for each in stretches if each.claims[0].id == end.id), None)
