"""Queries of tool calls (interactions)."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from sqlalchemy import ColumnElement, Text, cast, func, select, text, update
from sqlalchemy.dialects.postgresql import insert

from intelli.kit.db import Tx
from intelli.kit.ids import uuid7
from intelli.runs.tables import AgentInteraction


async def list_of_run(tx: Tx, run_id: UUID) -> Sequence[AgentInteraction]:
    """List every interaction of a run, in order."""
    statement = select(AgentInteraction).where(
        AgentInteraction.tenant_id == tx.tenant_id, AgentInteraction.run_id == run_id
    )
    return (await tx.session.scalars(statement.order_by(AgentInteraction.sequence_order, AgentInteraction.id))).all()


async def page(tx: Tx, run_id: UUID, *, after: int, limit: int) -> Sequence[AgentInteraction]:
    """List the next interactions of a run. Numbers are assigned while the run is locked, so that each is unique."""
    statement = select(AgentInteraction).where(
        AgentInteraction.tenant_id == tx.tenant_id,
        AgentInteraction.run_id == run_id,
        AgentInteraction.sequence_order > after,
    )
    return (await tx.session.scalars(statement.order_by(AgentInteraction.sequence_order).limit(limit))).all()


async def find(tx: Tx, interaction_id: UUID) -> AgentInteraction | None:
    """Find an interaction that the caller may see."""
    mine = select(AgentInteraction).where(
        AgentInteraction.tenant_id == tx.tenant_id, AgentInteraction.id == interaction_id
    )
    return await tx.session.scalar(mine.execution_options(populate_existing=True))


async def find_by_key(tx: Tx, run_id: UUID, key: str) -> AgentInteraction | None:
    """Find the interaction of a run under a key."""
    mine = select(AgentInteraction).where(*_of_run(tx, run_id), AgentInteraction.key == key)
    return await tx.session.scalar(mine.execution_options(populate_existing=True))


async def list_confirmations(
    tx: Tx, *, status: str | None, after: UUID | None, limit: int
) -> Sequence[AgentInteraction]:
    """List interactions that need a decision and that the caller may see, oldest first."""
    mine = select(AgentInteraction).where(
        AgentInteraction.tenant_id == tx.tenant_id, AgentInteraction.requires_confirmation
    )
    if status is not None:
        mine = mine.where(AgentInteraction.confirmation_status == status)
    if after is not None:
        mine = mine.where(AgentInteraction.id > after)
    return (await tx.session.scalars(mine.order_by(AgentInteraction.id).limit(limit))).all()


async def list_open_changes(tx: Tx, paths: Sequence[str]) -> Sequence[AgentInteraction]:
    """List unfinished changes of documents at these paths."""
    mine = select(AgentInteraction).where(
        AgentInteraction.tenant_id == tx.tenant_id,
        AgentInteraction.path.in_(paths),
        AgentInteraction.requires_confirmation,
        AgentInteraction.finished_at.is_(None),
    )
    return (await tx.session.scalars(mine.order_by(AgentInteraction.id))).all()


async def list_open_of_run(tx: Tx, run_id: UUID) -> Sequence[AgentInteraction]:
    """List unfinished changes of a run."""
    mine = select(AgentInteraction).where(
        *_of_run(tx, run_id), AgentInteraction.requires_confirmation, AgentInteraction.finished_at.is_(None)
    )
    fresh = mine.order_by(AgentInteraction.id).execution_options(populate_existing=True)
    return (await tx.session.scalars(fresh)).all()


async def has_pending(tx: Tx, run_id: UUID) -> bool:
    """Return whether a run waits for a decision."""
    pending = select(AgentInteraction.id).where(*_of_run(tx, run_id), AgentInteraction.confirmation_status == "pending")
    return await tx.session.scalar(pending.limit(1)) is not None


async def change(tx: Tx, interaction_id: UUID, **values: object) -> None:
    """Update columns of an interaction."""
    statement = update(AgentInteraction).where(
        AgentInteraction.tenant_id == tx.tenant_id, AgentInteraction.id == interaction_id
    )
    await tx.session.execute(statement.values(**values))


async def free_keys(tx: Tx, run_id: UUID, *, confirmation: str) -> None:
    """Replace the keys of such interactions with their ids, so that their steps can be made again under the keys."""
    statement = update(AgentInteraction).where(
        *_of_run(tx, run_id), AgentInteraction.confirmation_status == confirmation
    )
    await tx.session.execute(statement.values(key=cast(AgentInteraction.id, Text)))


async def start(tx: Tx, run_id: UUID, values: dict[str, Any]) -> None:
    """Insert a tool call that is about to be made; one that was begun before and never ended is begun again."""
    statement = insert(AgentInteraction).values(_row(tx, run_id, values))
    await tx.session.execute(
        statement.on_conflict_do_update(
            index_elements=["tenant_id", "run_id", "key"],
            set_={"attempts": AgentInteraction.attempts + 1, "status": "running", "started_at": text("now()")},
        )
    )


async def add(tx: Tx, run_id: UUID, values: dict[str, Any]) -> UUID:
    """Insert an interaction under a free key; return its id."""
    added = insert(AgentInteraction).values(_row(tx, run_id, values)).returning(AgentInteraction.id)
    return (await tx.session.scalars(added)).one()


async def finish(tx: Tx, run_id: UUID, key: str, **values: object) -> None:
    """Store the output of a tool call, or its error."""
    statement = update(AgentInteraction).where(
        AgentInteraction.tenant_id == tx.tenant_id, AgentInteraction.run_id == run_id, AgentInteraction.key == key
    )
    await tx.session.execute(statement.values(**values, finished_at=text("now()")))


def _of_run(tx: Tx, run_id: UUID) -> tuple[ColumnElement[bool], ...]:
    return AgentInteraction.tenant_id == tx.tenant_id, AgentInteraction.run_id == run_id


def _row(tx: Tx, run_id: UUID, values: dict[str, Any]) -> dict[str, Any]:
    count = select(func.count()).where(*_of_run(tx, run_id)).scalar_subquery()
    return {"tenant_id": tx.tenant_id, "id": uuid7(), "run_id": run_id, "sequence_order": count + 1, **values}
