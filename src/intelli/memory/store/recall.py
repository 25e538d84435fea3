"""Queries for recall: the episodes that state facts, those about another time, and the values they claim."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from sqlalchemy import and_, func, or_, select

from intelli.kit.db import Tx
from intelli.memory.tables import Claim, ClaimEffect, Fact


@dataclass(frozen=True, slots=True)
class ClaimedValue:
    """A message's claim of a value in a functional slot; later claims, by `order`, replace earlier ones."""

    episode_id: UUID
    slot: UUID
    value_key: str
    order: tuple[datetime, int, int]


async def episodes_of_facts(tx: Tx, fact_ids: Iterable[UUID]) -> dict[UUID, list[UUID]]:
    """Return the ids of the episodes that state each fact, by the fact's id."""
    mine = select(Claim.fact_id, Claim.episode_id).where(
        Claim.tenant_id == tx.tenant_id, Claim.fact_id.in_(list(fact_ids)), Claim.says == ClaimEffect.HOLDS
    )
    found: dict[UUID, list[UUID]] = {}
    for row in await tx.session.execute(mine):
        found.setdefault(row.fact_id, []).append(row.episode_id)
    return found


async def episodes_not_valid_at(tx: Tx, episode_ids: Iterable[UUID], at: datetime) -> set[UUID]:
    """Return those of the episodes that state facts of which none was valid at the moment."""
    mine = (
        select(Claim.episode_id)
        .join(Fact, and_(Fact.tenant_id == Claim.tenant_id, Fact.id == Claim.fact_id))
        .where(Claim.tenant_id == tx.tenant_id, Claim.episode_id.in_(list(episode_ids)))
        .group_by(Claim.episode_id)
        .having(func.bool_and(or_(Fact.valid_at > at, func.coalesce(Fact.invalid_at <= at, False))))
    )
    return set(await tx.session.scalars(mine))


async def claimed_values(tx: Tx, episode_ids: Iterable[UUID]) -> list[ClaimedValue]:
    """Return the values that the episodes claim in functional slots; retracted claims are left out."""
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
