"""Queries for recalling: which episodes say a fact, which tell only of another time, and which claim one value."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from sqlalchemy import and_, func, or_, select

from intelli.kit.db import Tx
from intelli.memory.tables import Claim, ClaimEffect, Fact


@dataclass(frozen=True, slots=True)
class ClaimedValue:
    """That a message claims a value of a slot that has one at a time; later claims take the place of earlier ones."""

    episode_id: UUID
    slot: UUID
    value_key: str
    order: tuple[datetime, int, int]


async def sayers(tx: Tx, fact_ids: Iterable[UUID]) -> dict[UUID, list[UUID]]:
    """The episodes that say facts."""
    mine = select(Claim.fact_id, Claim.episode_id).where(
        Claim.tenant_id == tx.tenant_id, Claim.fact_id.in_(list(fact_ids)), Claim.says == ClaimEffect.HOLDS
    )
    found: dict[UUID, list[UUID]] = {}
    for row in await tx.session.execute(mine):
        found.setdefault(row.fact_id, []).append(row.episode_id)
    return found


async def beside(tx: Tx, episode_ids: Iterable[UUID], at: datetime) -> set[UUID]:
    """Those of the episodes that say facts, none of which held at a moment."""
    mine = (
        select(Claim.episode_id)
        .join(Fact, and_(Fact.tenant_id == Claim.tenant_id, Fact.id == Claim.fact_id))
        .where(Claim.tenant_id == tx.tenant_id, Claim.episode_id.in_(list(episode_ids)))
        .group_by(Claim.episode_id)
        .having(func.bool_and(or_(Fact.valid_at > at, func.coalesce(Fact.invalid_at <= at, False))))
    )
    return set(await tx.session.scalars(mine))


async def values_of(tx: Tx, episode_ids: Iterable[UUID]) -> list[ClaimedValue]:
    """What the episodes claim of slots that have one value at a time."""
    mine = select(Claim.episode_id, Claim.slot, Claim.value_key, Claim.at, Claim.seq, Claim.position).where(
        Claim.tenant_id == tx.tenant_id,
        Claim.episode_id.in_(list(episode_ids)),
        Claim.is_functional,
        Claim.says == ClaimEffect.HOLDS,
        Claim.retracted_at.is_(None),
    )
    return [
        ClaimedValue(row.episode_id, row.slot, row.value_key, (row.at, row.seq, row.position))
        for row in await tx.session.execute(mine)
    ]
