"""Queries of plans and their tasks."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from sqlalchemy import select, text, update
from sqlalchemy.dialects.postgresql import insert

from intelli.kit.db import Tx
from intelli.runs.tables import PlanRow, PlanSetRow, PlanTaskRow


async def add(tx: Tx, plan_set: dict[str, Any], plan: dict[str, Any], tasks: Sequence[dict[str, Any]]) -> None:
    """Insert a plan with its tasks; rows that exist stay as they are."""
    for table, rows in ((PlanSetRow, [plan_set]), (PlanRow, [plan]), (PlanTaskRow, list(tasks))):
        bound = [{"tenant_id": tx.tenant_id, **row} for row in rows]
        await tx.session.execute(insert(table).values(bound).on_conflict_do_nothing())


async def find_set(tx: Tx, run_id: UUID) -> PlanSetRow | None:
    """Find the plan set of a run; None before it was planned."""
    statement = select(PlanSetRow).where(PlanSetRow.tenant_id == tx.tenant_id, PlanSetRow.run_id == run_id)
    return await tx.session.scalar(statement)


async def list_plans(tx: Tx, plan_set_id: UUID) -> Sequence[PlanRow]:
    """List the plans of a set, oldest first."""
    statement = select(PlanRow).where(PlanRow.tenant_id == tx.tenant_id, PlanRow.plan_set_id == plan_set_id)
    fresh = statement.order_by(PlanRow.created_at, PlanRow.id).execution_options(populate_existing=True)
    return (await tx.session.scalars(fresh)).all()


async def list_tasks(tx: Tx, plan_set_id: UUID) -> Sequence[PlanTaskRow]:
    """List the tasks of all plans of a set, in order."""
    statement = (
        select(PlanTaskRow)
        .join(PlanRow, (PlanRow.tenant_id == PlanTaskRow.tenant_id) & (PlanRow.id == PlanTaskRow.plan_id))
        .where(PlanTaskRow.tenant_id == tx.tenant_id, PlanRow.plan_set_id == plan_set_id)
        .order_by(PlanTaskRow.plan_id, PlanTaskRow.position)
        .execution_options(populate_existing=True)
    )
    return (await tx.session.scalars(statement)).all()


async def begin_task(tx: Tx, task_id: UUID) -> None:
    """Set the start time of a task, unless it is set."""
    statement = update(PlanTaskRow).where(PlanTaskRow.tenant_id == tx.tenant_id, PlanTaskRow.id == task_id)
    await tx.session.execute(statement.values(started_at=text("coalesce(started_at, now())")))


async def end_task(tx: Tx, task_id: UUID, **values: object) -> None:
    """Store the result of a task, unless it has ended before."""
    statement = update(PlanTaskRow).where(
        PlanTaskRow.tenant_id == tx.tenant_id, PlanTaskRow.id == task_id, PlanTaskRow.finished_at.is_(None)
    )
    await tx.session.execute(statement.values(**values, finished_at=text("now()")))


async def end_plans(tx: Tx, plan_set_id: UUID, *, status: str) -> None:
    """Set the status of the plans, and mark their unfinished tasks as failed."""
    tasks = [task.id for task in await list_tasks(tx, plan_set_id) if task.finished_at is None]
    open_tasks = update(PlanTaskRow).where(PlanTaskRow.tenant_id == tx.tenant_id, PlanTaskRow.id.in_(tasks))
    await tx.session.execute(open_tasks.values(status="error", finished_at=text("now()")))
    plans = update(PlanRow).where(PlanRow.tenant_id == tx.tenant_id, PlanRow.plan_set_id == plan_set_id)
    await tx.session.execute(plans.values(status=status))
