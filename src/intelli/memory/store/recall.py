"""Queries for recalling: which episodes say a fact, and which tell only of what ended."""

from collections.abc import Iterable
from uuid import UUID

from sqlalchemy import and_, func, select

from intelli.kit.db import Tx
from intelli.memory.facts_in_time import Says
from intelli.memory.tables import Claim, Fact


async def sayers(tx: Tx, fact_ids: Iterable[UUID]) -> dict[UUID, list[UUID]]:
    """The episodes that say facts."""
    mine = select(Claim.fact_id, Claim.episode_id).where(
        Claim.tenant_id == tx.tenant_id, Claim.fact_id.in_(list(fact_ids)), Claim.says == Says.HOLDS
    )
    found: dict[UUID, list[UUID]] = {}
    for row in await tx.session.execute(mine):
        found.setdefault(row.fact_id, []).append(row.episode_id)
    return found


async def outlived(tx: Tx, episode_ids: Iterable[UUID]) -> set[UUID]:
    """Those of the episodes that say facts, all of which ended."""
    mine = (
        select(Claim.episode_id)
        .join(Fact, and_(Fact.tenant_id == Claim.tenant_id, Fact.id == Claim.fact_id))
        .where(Claim.tenant_id == tx.tenant_id, Claim.episode_id.in_(list(episode_ids)))
        .group_by(Claim.episode_id)
        .having(func.bool_and(and_(Fact.invalid_at.is_not(None), Fact.invalid_at <= func.now())))
    )
    return set(await tx.session.scalars(mine))
