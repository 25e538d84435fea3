"""Load stored claims, in the form that facts are computed from."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from intelli.kit.db import Tx
from intelli.memory.facts_in_time import TimedClaim
from intelli.memory.store import history
from intelli.memory.tables import Claim as ClaimRow
from intelli.memory.tables import ClaimEffect, EndReason


@dataclass(frozen=True, slots=True)
class StoredClaim:
    """A claim of the database: its place in time (`claim`), its nodes, texts and quote."""

    claim: TimedClaim
    group_id: str
    subject_id: UUID
    relation: str
    object_id: UUID | None
    object_text: str | None
    statement: str
    confidence: float
    retracted_at: datetime | None
    quote_start: int | None
    quote_end: int | None


async def load_by_slot(tx: Tx, slots: Sequence[UUID]) -> dict[UUID, list[StoredClaim]]:
    """Return every claim of slots, retracted ones too, by slot in order of time."""
    return _to_stored(await history.claims_of_slots(tx, slots))


async def load_group(tx: Tx, group_id: str, *, known_at: datetime) -> dict[UUID, list[StoredClaim]]:
    """Return every claim of a group that was known at a time, by slot in order of time."""
    return _to_stored(await history.claims_of_group(tx, group_id, known_at=known_at))


def _to_stored(rows: Mapping[UUID, Sequence[ClaimRow]]) -> dict[UUID, list[StoredClaim]]:
    return {slot: [_stored_claim(row) for row in claims] for slot, claims in rows.items()}


def _stored_claim(row: ClaimRow) -> StoredClaim:
    claim = TimedClaim(
        id=row.id,
        slot=row.slot,
        says=ClaimEffect(row.says),
        value_key=row.value_key,
        at=row.at,
        seq=row.seq,
        position=row.position,
        episode_id=row.episode_id,
        known_at=row.known_at,
        fact_id=row.fact_id,
        reason=EndReason(row.reason) if row.reason else None,
    )
    names = [name for name in StoredClaim.__dataclass_fields__ if name != "claim"]
    return StoredClaim(claim, **{name: getattr(row, name) for name in names})
