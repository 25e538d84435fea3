"""Placing new claims: most come after all that their slot holds, or agree with it, and need no look at its history."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import datetime
from typing import Any
from uuid import UUID

from intelli.kit.db import Tx
from intelli.kit.ids import uuid7
from intelli.memory import facts_in_time, slots
from intelli.memory.facts_in_time import Interval, TimedClaim
from intelli.memory.slots import CreatedFact
from intelli.memory.store import claims as store
from intelli.memory.store.claims import Found
from intelli.memory.tables import ClaimEffect


@dataclass(frozen=True, slots=True)
class NewClaim:
    """A claim with its words. `subject` and `object` are the nodes as named, the roots those that they are now."""

    claim: TimedClaim
    relation: str
    is_functional: bool
    subject: UUID
    subject_root: UUID
    object: UUID | None
    object_root: UUID | None
    object_text: str | None
    statement: str
    confidence: float
    quote: tuple[int, int] | None = None


@dataclass(slots=True)
class AppendPlan:
    """What is to be written, which facts are new, and which slots need a look at their history."""

    claims: list[dict[str, Any]] = field(default_factory=list)
    facts: list[dict[str, Any]] = field(default_factory=list)
    closed: list[dict[str, Any]] = field(default_factory=list)
    made: list[CreatedFact] = field(default_factory=list)
    unsettled: set[UUID] = field(default_factory=set)


async def place(tx: Tx, group_id: str, new: Sequence[NewClaim]) -> AppendPlan:
    """Write claims and the facts that follow; the group is held."""
    placed = AppendPlan()
    if not new:
        return placed
    tails = await store.tails(tx, [_asked(n, each.claim) for n, each in enumerate(new)])
    by_slot: dict[UUID, list[tuple[NewClaim, Found]]] = defaultdict(list)
    for each, tail in zip(new, tails, strict=True):
        by_slot[each.claim.slot].append((each, tail))
    for slot, pairs in by_slot.items():
        if not _settle(placed, group_id, pairs):
            placed.unsettled.add(slot)
            placed.claims += [claim_row(each, None) for each, _ in pairs]
    await store.write(tx, group_id, claims=placed.claims, facts=placed.facts, closed=placed.closed)
    if placed.unsettled:
        placed.made += await slots.rebuild(tx, placed.unsettled)
    return placed


def _settle(placed: AppendPlan, group_id: str, pairs: Sequence[tuple[NewClaim, Found]]) -> bool:
    """Settle a slot without its history, if that can be done."""
    if all(tail.says is None and not tail.is_late for _, tail in pairs):
        _begin(placed, group_id, [each for each, _ in pairs])
        return True
    if len(pairs) > 1:
        return False
    ((new, tail),) = pairs
    is_same = tail.value_key == new.claim.value_key
    if tail.says == ClaimEffect.HOLDS and is_same and new.claim.says is ClaimEffect.HOLDS:
        placed.claims.append(claim_row(new, tail.fact_id))
        return True
    if tail.is_late or tail.says != ClaimEffect.HOLDS or tail.fact_id is None:
        return False
    if new.claim.says is ClaimEffect.HOLDS:
        fact_id = _open(placed, group_id, new)
        _close(placed, tail, new.claim, fact_id)
        return True
    _close(placed, tail, new.claim if is_same else None, None)
    placed.claims.append(claim_row(new, tail.fact_id if is_same and tail.invalid_at is None else None))
    return True


def _begin(placed: AppendPlan, group_id: str, new: Sequence[NewClaim]) -> None:
    """A slot that held nothing: its history is what is said now."""
    words = {each.claim.id: each for each in new}
    found = facts_in_time.stretches(each.claim for each in new)
    ids = [uuid7() for _ in found]
    behind = {claim.id: fact_id for fact_id, stretch in zip(ids, found, strict=True) for claim in stretch.claims}
    for fact_id, stretch in zip(ids, found, strict=True):
        end = stretch.end
        interval = facts_in_time.interval(stretch, ended_by_fact=behind.get(end.id) if end else None)
        if end is not None:
            behind.setdefault(end.id, fact_id)
        _add_fact(placed, group_id, words[stretch.claims[0].id], fact_id=fact_id, interval=interval)
    placed.claims += [claim_row(each, behind.get(each.claim.id)) for each in new]


def _open(placed: AppendPlan, group_id: str, new: NewClaim) -> UUID:
    fact_id = uuid7()
    valid_at = None if new.claim.at == facts_in_time.SINCE_EVER else new.claim.at
    _add_fact(placed, group_id, new, fact_id=fact_id, interval=Interval(valid_at, new.claim.known_at))
    placed.claims.append(claim_row(new, fact_id))
    return fact_id


def _close(placed: AppendPlan, tail: Found, end: TimedClaim | None, ended_by_fact: UUID | None) -> None:
    """End the fact that stands before a claim, unless something ended it earlier."""
    if end is None or tail.invalid_at is not None:
        return
    ended = facts_in_time.ended(Interval(tail.valid_at, tail.known_at), end, ended_by_fact)
    known = asdict(replace(ended, known_at=tail.known_at))
    placed.closed.append({"id": tail.fact_id, **{name: known[name] for name in _END}})


_END = ("invalid_at", "expired_at", "end_reason", "ended_by_fact", "ended_by_episode")


def _add_fact(placed: AppendPlan, group_id: str, new: NewClaim, *, fact_id: UUID, interval: Interval) -> None:
    placed.made.append(CreatedFact(fact_id, group_id, new.statement, new.claim.id))
    placed.facts.append(
        {
            "id": fact_id,
            "slot": new.claim.slot,
            "subject_id": new.subject_root,
            "relation": new.relation,
            "object_id": new.object_root,
            "object_text": new.object_text,
            "value_key": new.claim.value_key,
            "statement": new.statement,
            "confidence": new.confidence,
            **asdict(interval),
        }
    )


def _asked(n: int, claim: TimedClaim) -> dict[str, str | int | UUID | datetime]:
    names = ("slot", "value_key", "at", "seq", "position")
    return {"n": n, **{name: getattr(claim, name) for name in names}}


def claim_row(new: NewClaim, fact_id: UUID | None) -> dict[str, Any]:
    """A claim as it is written."""
    claim = new.claim
    return {
        "id": claim.id,
        "episode_id": claim.episode_id,
        "fact_id": fact_id,
        "slot": claim.slot,
        "is_functional": new.is_functional,
        "says": claim.says,
        "subject_id": new.subject,
        "relation": new.relation,
        "object_id": new.object,
        "object_text": new.object_text,
        "value_key": claim.value_key,
        "statement": new.statement,
        "confidence": new.confidence,
        "at": claim.at,
        "seq": claim.seq,
        "position": claim.position,
        "reason": claim.reason,
        "known_at": claim.known_at,
        "quote_start": new.quote[0] if new.quote else None,
        "quote_end": new.quote[1] if new.quote else None,
    }
