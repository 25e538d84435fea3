"""Correct facts by hand. Each correction is stored as an episode, so that it is explained and can be undone."""

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
from intelli.memory import append_claims, slots, vectors
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
    """The episode of a correction: the values that its claims refer to."""

    episode_id: UUID
    group_id: str
    seq: int
    now: datetime


async def insert_correction(tx: Tx, group_id: str, text: str) -> Correction:
    """Lock the group until the transaction ends and insert the episode that explains a correction."""
    now = await write.lock_group(tx, group_id, episodes=1)
    name = await accounts.get_name(tx, tx.user_id) if tx.user_id else ""
    correction = Correction(uuid7(), group_id, await store.next_seq(tx, group_id), now)
    content = f"{name}({RoleType.USER}): {text}"
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
    """Return a fact. Raise FactNotFound."""
    row = (await history.facts(tx, [fact_id])).get(fact_id)
    if row is None:
        raise FactNotFound("There is no such fact. It may have been forgotten.")
    found: Fact = row.Fact
    return found


async def correct(tx: Tx, fact_id: UUID, request: wire.CorrectFact, new_vectors: TextVectors) -> UUID:
    """Change the statement or the interval of a fact; return the id of the fact that replaces it.

    Raise FactOutlived when another fact ended this one and its end should be removed.
    """
    fact = await get_fact(tx, fact_id)
    given = request.model_fields_set
    if "invalid_at" in given and request.invalid_at is None and fact.ended_by_fact is not None:
        raise FactOutlived("Another fact took its place. Invalidate that one first, then this holds again.")
    statement = request.statement or fact.statement
    begins = request.valid_at if "valid_at" in given else fact.valid_at
    correction = await insert_correction(tx, fact.group_id, _with_reason(f"Corrected: {statement}", request.reason))
    behind = await _get_claims_behind(tx, fact_id)
    wrong = [row.id for row in behind if _is_wrong(row, request, begins)]
    await store.retract(tx, wrong, episode_id=correction.episode_id, now=correction.now)
    new = [_claim(correction, fact, ClaimEffect.HOLDS, begins or SINCE_EVER, like=behind[0], statement=statement)]
    if request.invalid_at is not None:
        new.append(_claim(correction, fact, ClaimEffect.ENDS, request.invalid_at, like=behind[0], statement=statement))
    await _write(tx, fact, new, new_vectors)
    return await _get_corrected(tx, correction, fact.slot)


async def invalidate(tx: Tx, fact_id: UUID, request: wire.InvalidateFact) -> UUID:
    """End a fact at a time and retract its later claims; return its id."""
    fact = await get_fact(tx, fact_id)
    at = request.at or clock.now()
    text = f"No longer true from {at:%Y-%m-%d %H:%M} on: {fact.statement}"
    correction = await insert_correction(tx, fact.group_id, _with_reason(text, request.reason))
    behind = await _get_claims_behind(tx, fact_id)
    later = [row.id for row in behind if row.at >= at]
    await store.retract(tx, later, episode_id=correction.episode_id, now=correction.now)
    new = [_claim(correction, fact, ClaimEffect.ENDS, at, like=behind[0], statement=fact.statement)]
    await _write(tx, fact, new if len(later) < len(behind) else [], TextVectors())
    return fact_id


async def _get_claims_behind(tx: Tx, fact_id: UUID) -> Sequence[Any]:
    """Return the claims that support a fact. Raise FactOutlived when an earlier correction retracted all of them."""
    behind = await store.claims_behind(tx, fact_id)
    if not behind:
        raise FactOutlived("This fact was corrected before. Correct what it is now; its history names that.")
    return behind


async def _write(tx: Tx, fact: Fact, new: Sequence[NewClaim], new_vectors: TextVectors) -> None:
    """Insert the claims and rebuild the facts of the slot, which the retracted claims change too."""
    rows = [append_claims.claim_row(each, None) for each in new]
    await claims.write(tx, fact.group_id, claims=rows, facts=(), closed=())
    made = await slots.rebuild(tx, [fact.slot])
    items = {each.id: (SearchKind.FACT, each.statement) for each in made}
    await vectors.write_items(tx, fact.group_id, items, new_vectors)


async def _get_corrected(tx: Tx, correction: Correction, slot: UUID) -> UUID:
    """Return the id of the fact that the correction's claim supports."""
    for claim in (await history.claims_of_slots(tx, [slot]))[slot]:
        if claim.episode_id == correction.episode_id and claim.says == ClaimEffect.HOLDS and claim.fact_id is not None:
            return claim.fact_id
    raise AssertionError("a claim that holds stands behind a fact")


def _is_wrong(row: Any, request: wire.CorrectFact, begins: datetime | None) -> bool:
    """Return True when a claim disagrees with the correction, in its statement or in its times."""
    if row.says == ClaimEffect.ENDS:
        return "invalid_at" in request.model_fields_set
    is_late = request.invalid_at is not None and row.at >= request.invalid_at
    return request.statement is not None or row.at < (begins or SINCE_EVER) or is_late


def _claim(
    correction: Correction, fact: Fact, says: ClaimEffect, at: datetime, *, like: Any, statement: str
) -> NewClaim:
    """Build the correction's claim about a fact, with the nodes and the slot of `like`, a claim that supports it."""
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


def _with_reason(text: str, reason: str) -> str:
    return f"{text} ({reason})" if reason else text
