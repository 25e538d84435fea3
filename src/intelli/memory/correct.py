"""Correcting by hand: each correction is an episode of its own, so that it explains itself and can be taken back."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from intelli.audit.record import record
from intelli.audit.wire import EventType
from intelli.identity import accounts
from intelli.kit import clock
from intelli.kit.db import Tx
from intelli.kit.ids import uuid7
from intelli.memory import append_claims, slots
from intelli.memory import vectors as meaning
from intelli.memory import wire_read as wire
from intelli.memory.append_claims import NewClaim
from intelli.memory.errors import FactNotFound, FactOutlived
from intelli.memory.facts_in_time import SINCE_EVER, TimedClaim
from intelli.memory.search_terms import SearchKind
from intelli.memory.store import claims, history, write
from intelli.memory.store import corrections as store
from intelli.memory.tables import ClaimEffect, EndReason, Fact
from intelli.memory.vectors import TextVectors
from intelli.memory.wire import RoleType

SOURCE = "correction"


@dataclass(frozen=True, slots=True)
class Correction:
    """The episode of a correction, as claims refer to it."""

    episode_id: UUID
    group_id: str
    seq: int
    now: datetime


async def begin(tx: Tx, group_id: str, said: str) -> Correction:
    """Keep the episode that explains a correction; the group is held from here on."""
    now = await write.lock_group(tx, group_id, episodes=1)
    name = await accounts.name_of(tx, tx.user_id) if tx.user_id else ""
    correction = Correction(uuid7(), group_id, await store.next_seq(tx, group_id), now)
    content = f"{name}({RoleType.USER}): {said}"
    episode = {
        "id": correction.episode_id,
        "created_at": now,
        "seq": correction.seq,
        "user_id": tx.user_id,
        "name": "Correction",
        "source": SOURCE,
        "source_description": "corrected by hand",
        "role_type": RoleType.USER,
        "role": name,
        "content": content,
        "content_sha256": hashlib.sha256(content.encode()).hexdigest(),
        "valid_at": now,
    }
    await write.write_graph(tx, group_id, correction.episode_id, episodes=[episode])
    await record(tx, EventType.SETTINGS_CHANGE, entity=("memory_episode", correction.episode_id), change=SOURCE)
    return correction


async def get_fact(tx: Tx, fact_id: UUID) -> Fact:
    """A fact to correct."""
    row = (await history.facts(tx, [fact_id])).get(fact_id)
    if row is None:
        raise FactNotFound("There is no such fact. It may have been forgotten.")
    found: Fact = row.Fact
    return found


async def correct(tx: Tx, fact_id: UUID, request: wire.CorrectFact, meanings: TextVectors) -> UUID:
    """Have a fact read or hold otherwise; the fact that it is from now on."""
    fact = await get_fact(tx, fact_id)
    given = request.model_fields_set
    if "invalid_at" in given and request.invalid_at is None and fact.ended_by_fact is not None:
        raise FactOutlived("Another fact took its place. Invalidate that one first, then this holds again.")
    statement = request.statement or fact.statement
    begins = request.valid_at if "valid_at" in given else fact.valid_at
    correction = await begin(tx, fact.group_id, _sentence(f"Corrected: {statement}", request.reason))
    behind = await _behind(tx, fact_id)
    wrong = [row.id for row in behind if _is_wrong(row, request, begins)]
    await store.retract(tx, wrong, episode_id=correction.episode_id, now=correction.now)
    new = [_claim(correction, fact, ClaimEffect.HOLDS, begins or SINCE_EVER, like=behind[0], statement=statement)]
    if request.invalid_at is not None:
        new.append(_claim(correction, fact, ClaimEffect.ENDS, request.invalid_at, like=behind[0], statement=statement))
    await _place(tx, fact, new, meanings)
    return await _heir(tx, correction, fact.slot)


async def invalidate(tx: Tx, fact_id: UUID, request: wire.InvalidateFact) -> UUID:
    """Have a fact end at a time, whatever was said of it later."""
    fact = await get_fact(tx, fact_id)
    at = request.at or clock.now()
    said = f"No longer true from {at:%Y-%m-%d %H:%M} on: {fact.statement}"
    correction = await begin(tx, fact.group_id, _sentence(said, request.reason))
    behind = await _behind(tx, fact_id)
    later = [row.id for row in behind if row.at >= at]
    await store.retract(tx, later, episode_id=correction.episode_id, now=correction.now)
    new = [_claim(correction, fact, ClaimEffect.ENDS, at, like=behind[0], statement=fact.statement)]
    await _place(tx, fact, new if len(later) < len(behind) else [], TextVectors())
    return fact_id


async def _behind(tx: Tx, fact_id: UUID) -> Sequence[Any]:
    behind = await store.claims_behind(tx, fact_id)
    if not behind:
        raise FactOutlived("This fact was corrected before. Correct what it is now; its history names that.")
    return behind


async def _place(tx: Tx, fact: Fact, new: Sequence[NewClaim], meanings: TextVectors) -> None:
    """Write the claims and make the facts of the slot anew: what was retracted changes them too."""
    rows = [append_claims.claim_row(each, None) for each in new]
    await claims.write(tx, fact.group_id, claims=rows, facts=(), closed=())
    made = await slots.rebuild(tx, [fact.slot])
    items = {each.id: (SearchKind.FACT, each.statement) for each in made}
    await meaning.write(tx, fact.group_id, items, meanings)


async def _heir(tx: Tx, correction: Correction, slot: UUID) -> UUID:
    """The fact that the correction stands behind."""
    for claim in (await history.claims_of_slots(tx, [slot]))[slot]:
        if claim.episode_id == correction.episode_id and claim.says == ClaimEffect.HOLDS and claim.fact_id is not None:
            return claim.fact_id
    raise AssertionError("a claim that holds stands behind a fact")


def _is_wrong(row: Any, request: wire.CorrectFact, begins: datetime | None) -> bool:
    """Whether a claim says other than the correction: in its words, or about when."""
    if row.says == ClaimEffect.ENDS:
        return "invalid_at" in request.model_fields_set
    is_late = request.invalid_at is not None and row.at >= request.invalid_at
    return request.statement is not None or row.at < (begins or SINCE_EVER) or is_late


def _claim(
    correction: Correction, fact: Fact, says: ClaimEffect, at: datetime, *, like: Any, statement: str
) -> NewClaim:
    """What the correction says of a fact, in the names that a claim behind it uses."""
    claim = TimedClaim(
        id=uuid7(),
        slot=like.slot,
        says=says,
        value_key=like.value_key,
        at=at,
        seq=correction.seq,
        position=0 if says is ClaimEffect.HOLDS else 1,
        episode_id=correction.episode_id,
        known_at=correction.now,
        reason=EndReason.CORRECTED if says is ClaimEffect.ENDS else None,
    )
    return NewClaim(
        claim=claim,
        relation=like.relation,
        is_functional=like.is_functional,
        subject=like.subject_id,
        subject_root=fact.subject_id,
        object=like.object_id,
        object_root=fact.object_id,
        object_text=like.object_text,
        statement=statement,
        confidence=1.0,
    )


def _sentence(said: str, reason: str) -> str:
    return f"{said} ({reason})" if reason else said
