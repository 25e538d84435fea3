"""Queries about tool calls."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from sqlalchemy import func, select, text, update
from sqlalchemy.dialects.postgresql import insert

from intelli.kit.db import Tx
from intelli.kit.ids import uuid7
from intelli.runs.tables import AgentInteraction


async def all_of(tx: Tx, run_id: UUID) -> Sequence[AgentInteraction]:
    """Every interaction of a run, in order."""
    statement = select(AgentInteraction).where(
        AgentInteraction.tenant_id == tx.tenant_id, AgentInteraction.run_id == run_id
    )
    return (await tx.session.scalars(statement.order_by(AgentInteraction.sequence_order, AgentInteraction.id))).all()


async def page(tx: Tx, run_id: UUID, *, after: int, limit: int) -> Sequence[AgentInteraction]:
    """The next interactions of a run. Their numbers are given while the run is held, so none is given twice."""
    statement = select(AgentInteraction).where(
        AgentInteraction.tenant_id == tx.tenant_id,
        AgentInteraction.run_id == run_id,
        AgentInteraction.sequence_order > after,
    )
    return (await tx.session.scalars(statement.order_by(AgentInteraction.sequence_order).limit(limit))).all()


async def start(tx: Tx, run_id: UUID, values: dict[str, Any]) -> None:
    """Note that a tool is about to be used; one that was begun before and never ended is begun again."""
    count = select(func.count()).where(AgentInteraction.tenant_id == tx.tenant_id, AgentInteraction.run_id == run_id)
    order = count.scalar_subquery() + 1
    row = {"tenant_id": tx.tenant_id, "id": uuid7(), "run_id": run_id, "sequence_order": order, **values}
    statement = insert(AgentInteraction).values(row)
    await tx.session.execute(
        statement.on_conflict_do_update(
            index_elements=["tenant_id", "run_id", "key"],
            set_={"attempts": AgentInteraction.attempts + 1, "status": "running", "started_at": text("now()")},
        )
    )


async def finish(tx: Tx, run_id: UUID, key: str, **values: object) -> None:
    """Keep what a tool gave, or how it failed."""
    statement = update(AgentInteraction).where(
        AgentInteraction.tenant_id == tx.tenant_id, AgentInteraction.run_id == run_id, AgentInteraction.key == key
    )
    await tx.session.execute(statement.values(**values, finished_at=text("now()")))
