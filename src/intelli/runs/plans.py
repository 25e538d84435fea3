"""Plans: questions divided into tasks, saved and rendered with their current status."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID, uuid5

from intelli.kit.db import Tx
from intelli.reasoning.verbs.understand import ResearchPlan
from intelli.runs import event_parts
from intelli.runs.store import plans as store
from intelli.runs.tables import PlanRow, PlanTaskRow, Run


def plan_set_id(run_id: UUID) -> UUID:
    """Return the id of a run's plan set, derived from the run's, so that planning again after a crash is idempotent."""
    return uuid5(run_id, "plan_set")


def plan_id(run_id: UUID) -> UUID:
    """Return the id of a run's plan."""
    return uuid5(run_id, "plan")


def task_id(run_id: UUID, index: int) -> UUID:
    """Return the id of a task of the plan."""
    return uuid5(run_id, f"task:{index}")


async def insert_plan(tx: Tx, run: Run, plan: ResearchPlan) -> None:
    """Insert a plan with its tasks; rows that exist stay as they are."""
    owner = {"user_id": run.user_id}
    tasks = [
        {"id": task_id(run.id, index), "plan_id": plan_id(run.id), "position": index, "title": task.title,
         "message": task.message, "previous_task_id": task_id(run.id, index - 1) if index else None, **owner}
        for index, task in enumerate(plan.tasks)
    ]  # fmt: skip
    plan_row = {"id": plan_id(run.id), "plan_set_id": plan_set_id(run.id), "title": plan.title, "summary": plan.summary}
    await store.add(tx, {"id": plan_set_id(run.id), "run_id": run.id, **owner}, {**plan_row, **owner}, tasks)


async def load_plan_set(tx: Tx, run: Run) -> event_parts.PlanSet:
    """Load the plans of a run with their current status."""
    found = await store.find_set(tx, run.id)
    plans = await store.list_plans(tx, found.id) if found else []
    tasks = await store.list_tasks(tx, found.id) if found else []
    return event_parts.PlanSet(
        chat_id=run.conversation_id,
        creator_user_id=run.user_id,
        user_chat_message_id=run.message_id,
        workspace_id=run.tenant_id,
        plans={str(plan.id): _plan(plan, [task for task in tasks if task.plan_id == plan.id]) for plan in plans},
    )


def _plan(plan: PlanRow, tasks: Sequence[PlanTaskRow]) -> event_parts.Plan:
    return event_parts.Plan(
        id=plan.id,
        plan_set_id=plan.plan_set_id,
        title=plan.title,
        summary=plan.summary,
        status=event_parts.TaskStatus(plan.status),
        plan_tasks={str(task.id): _task(task) for task in tasks},
        previous_plan_id=plan.previous_plan_id,
        used_sources=list(dict.fromkeys(name for task in tasks for name in task.entities)),
    )


def _task(task: PlanTaskRow) -> event_parts.PlanTask:
    begun, ended = _ms(task.started_at), _ms(task.finished_at)
    return event_parts.PlanTask(
        id=task.id,
        plan_id=task.plan_id,
        title=task.title,
        message=task.message,
        status=event_parts.TaskStatus(task.status),
        previous_task_id=task.previous_task_id,
        start_time=begun,
        end_time=ended,
        duration_ms=ended - begun if begun is not None and ended is not None else None,
        notes=task.notes,
        sources=[event_parts.TaskSource.model_validate(source) for source in task.sources],
        entities=task.entities,
    )


def _ms(moment: datetime | None) -> int | None:
    return int(moment.timestamp() * 1000) if moment else None
