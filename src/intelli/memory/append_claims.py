"""Append claims to their slots: a fast path that rebuilds a slot only when its history changes.

Most claims come after all others of their slot, or agree with its last one. A slot holds the competing claims.
"""

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
    """A claim to insert, with its texts. `subject` and `object` are the nodes as named; the roots, after merging."""

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
    """The rows to write (claims, new facts, ends of facts), the facts created, and the slots that must be rebuilt."""

    claims: list[dict[str, Any]] = field(default_factory=list)
    facts: list[dict[str, Any]] = field(default_factory=list)
    closed: list[dict[str, Any]] = field(default_factory=list)
    made: list[CreatedFact] = field(default_factory=list)
    unsettled: set[UUID] = field(default_factory=set)


async def append(tx: Tx, group_id: str, new: Sequence[NewClaim]) -> AppendPlan:
    """Write claims and the facts that follow from them. The caller has locked the group."""
    plan = AppendPlan()
    if not new:
        return plan
    predecessors = await store.predecessors(tx, [_predecessor_query(n, each.claim) for n, each in enumerate(new)])
    by_slot: dict[UUID, list[tuple[NewClaim, Found]]] = defaultdict(list)
    for each, predecessor in zip(new, predecessors, strict=True):
        by_slot[each.claim.slot].append((each, predecessor))
    for slot, pairs in by_slot.items():
        if not _append_to_slot(plan, group_id, pairs):
            plan.unsettled.add(slot)
            plan.claims += [claim_row(each, None) for each, _ in pairs]
    await store.write(tx, group_id, claims=plan.claims, facts=plan.facts, closed=plan.closed)
    if plan.unsettled:
        plan.made += await slots.rebuild(tx, plan.unsettled)
    return plan


def _append_to_slot(plan: AppendPlan, group_id: str, pairs: Sequence[tuple[NewClaim, Found]]) -> bool:
    """Plan the new claims of one slot, each paired with its predecessor; False when the slot must be rebuilt."""
    if all(predecessor.says is None and not predecessor.is_late for _, predecessor in pairs):
        _fill_empty_slot(plan, group_id, [each for each, _ in pairs])
        return True
    if len(pairs) > 1:
        return False
    ((new, predecessor),) = pairs
    return _append_one(plan, group_id, new, predecessor)


def _append_one(plan: AppendPlan, group_id: str, new: NewClaim, predecessor: Found) -> bool:
    """Plan the only new claim of a slot after its predecessor `predecessor`; False when the slot must be rebuilt."""
    is_same = predecessor.value_key == new.claim.value_key
    if predecessor.says == ClaimEffect.HOLDS and is_same and new.claim.says is ClaimEffect.HOLDS:
        plan.claims.append(claim_row(new, predecessor.fact_id))
        return True
    if predecessor.is_late or predecessor.says != ClaimEffect.HOLDS or predecessor.fact_id is None:
        return False
    if new.claim.says is ClaimEffect.HOLDS:
        fact_id = _add_open_fact(plan, group_id, new)
        _close_fact(plan, predecessor, new.claim, fact_id)
        return True
    _close_fact(plan, predecessor, new.claim if is_same else None, None)
    plan.claims.append(claim_row(new, predecessor.fact_id if is_same and predecessor.invalid_at is None else None))
    return True


def _fill_empty_slot(plan: AppendPlan, group_id: str, new: Sequence[NewClaim]) -> None:
    """Plan the facts of a slot that had no claims: its whole history follows from the new ones."""
    words = {each.claim.id: each for each in new}
    found = facts_in_time.stretches(each.claim for each in new)
    ids = [uuid7() for _ in found]
    behind = {claim.id: fact_id for fact_id, stretch in zip(ids, found, strict=True) for claim in stretch.claims}
    for fact_id, stretch in zip(ids, found, strict=True):
        end = stretch.end
        interval = facts_in_time.interval(stretch, ended_by_fact=behind.get(end.id) if end else None)
        if end is not None:
            behind.setdefault(end.id, fact_id)
        _add_fact(plan, group_id, words[stretch.claims[0].id], fact_id=fact_id, interval=interval)
    plan.claims += [claim_row(each, behind.get(each.claim.id)) for each in new]


def _add_open_fact(plan: AppendPlan, group_id: str, new: NewClaim) -> UUID:
    fact_id = uuid7()
    valid_at = None if new.claim.at == facts_in_time.SINCE_EVER else new.claim.at
    _add_fact(plan, group_id, new, fact_id=fact_id, interval=Interval(valid_at, new.claim.known_at))
    plan.claims.append(claim_row(new, fact_id))
    return fact_id


def _close_fact(plan: AppendPlan, predecessor: Found, end: TimedClaim | None, ended_by_fact: UUID | None) -> None:
    """Plan the end of the predecessor's fact, unless `end` is None or another claim ended the fact earlier."""
    if end is None or predecessor.invalid_at is not None:
        return
    ended = facts_in_time.ended(Interval(predecessor.valid_at, predecessor.known_at), end, ended_by_fact)
    known = asdict(replace(ended, known_at=predecessor.known_at))
    plan.closed.append({"id": predecessor.fact_id, **{name: known[name] for name in _END}})


_END = ("invalid_at", "expired_at", "end_reason", "ended_by_fact", "ended_by_episode")


def _add_fact(plan: AppendPlan, group_id: str, new: NewClaim, *, fact_id: UUID, interval: Interval) -> None:
    plan.made.append(CreatedFact(fact_id, group_id, new.statement, new.claim.id))
    plan.facts.append(
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


def _predecessor_query(n: int, claim: TimedClaim) -> dict[str, str | int | UUID | datetime]:
    names = ("slot", "value_key", "at", "seq", "position")
    return {"n": n, **{name: getattr(claim, name) for name in names}}


def claim_row(new: NewClaim, fact_id: UUID | None) -> dict[str, Any]:
    """Return the columns of a claim to insert; `fact_id` is the fact that it supports, if any."""
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
