"""Recorders of a run's progress and events: one writes to the database, that of a replay only collects events."""

from dataclasses import dataclass
from typing import Protocol
from uuid import UUID

from intelli.deliverable_kinds import DeliverableType
from intelli.kit import clock
from intelli.kit.db import Tx
from intelli.reasoning.verbs.understand import ResearchPlan
from intelli.runs import event_parts, plans
from intelli.runs.event_parts import TaskStatus
from intelli.runs.events import AnyEvent, MessageDelta, PlanCreated, TaskUpdate
from intelli.runs.journal import Journal
from intelli.runs.lease import Lease
from intelli.runs.store import log as log_store
from intelli.runs.store import plans as plan_store
from intelli.runs.store import runs as store
from intelli.runs.tables import Run

_PLANNED = 0.1


@dataclass(frozen=True, slots=True)
class TaskResult:
    """Result of a task: status, notes and sources."""

    status: TaskStatus
    notes: str
    sources: tuple[event_parts.TaskSource, ...] = ()


class RunRecorder(Protocol):
    """Port through which nodes write progress and events. Writing something again changes nothing."""

    def emit(self, event: AnyEvent, key: str) -> None:
        """Emit an event to the stream; a key is emitted once per run."""

    async def settle(self) -> None:
        """Return when all emitted events are stored."""

    async def set_progress(self, share: float, message: str) -> None:
        """Set the run's progress (0 to 1) and its message."""

    async def save_intent(self, intent: str) -> None:
        """Save the intent of a run that needs no plan."""

    async def save_plan(self, intent: str, deliverable: str, plan: ResearchPlan) -> None:
        """Save the intent and the plan, and emit the plan."""

    async def begin_task(self, index: int) -> None:
        """Record that a task began and emit it."""

    async def end_task(self, index: int, result: TaskResult) -> None:
        """Record the result of a task and emit it."""

    async def load_text(self, message_id: UUID) -> str:
        """Return the text of a message as far as its deltas were emitted."""


class DatabaseRecorder:
    """Recorder of a running run."""

    def __init__(self, lease: Lease, journal: Journal) -> None:
        self._lease = lease
        self._journal = journal

    def emit(self, event: AnyEvent, key: str) -> None:
        """Queue an event for the stream, which gets it within a few milliseconds."""
        self._journal.emit(self._lease, event, key)

    async def settle(self) -> None:
        """Return when all emitted events are in the log; raise RunLost when the run is no longer ours."""
        await self._journal.settle(self._lease)

    async def set_progress(self, share: float, message: str) -> None:
        """Set the run's progress (0 to 1) and its message."""
        async with self._lease.begin() as tx:
            await store.change(tx, self._lease.run_id, progress=share, progress_message=message)

    async def save_intent(self, intent: str) -> None:
        """Save the intent of a run that needs no plan."""
        async with self._lease.begin() as tx:
            wanted = {"intent_type": intent, "deliverable_type": DeliverableType.STANDARD.value}
            await store.change(tx, self._lease.run_id, **wanted, progress=_PLANNED)

    async def save_plan(self, intent: str, deliverable: str, plan: ResearchPlan) -> None:
        """Save the intent and the plan, and emit the plan."""
        wanted = {"intent_type": intent, "deliverable_type": deliverable}
        words = "Looking into one question" if len(plan.tasks) == 1 else f"Looking into {len(plan.tasks)} questions"
        async with self._lease.begin() as tx:
            await store.change(tx, self._lease.run_id, **wanted, progress=_PLANNED, progress_message=words)
            run = await self._run(tx)
            await plans.insert_plan(tx, run, plan)
            shown = await plans.load_plan_set(tx, run)
        for created in shown.plans.values():
            self.emit(PlanCreated(plan_set_id=created.plan_set_id, plan=created), f"plan:{created.id}")

    async def begin_task(self, index: int) -> None:
        """Record that a task began and emit it."""
        async with self._lease.begin() as tx:
            await plan_store.begin_task(tx, plans.task_id(self._lease.run_id, index))
            shown = await plans.load_plan_set(tx, await self._run(tx))
        self._emit_task(shown, index)

    async def end_task(self, index: int, result: TaskResult) -> None:
        """Record the result of a task and emit it."""
        sources = [source.model_dump(mode="json") for source in result.sources]
        async with self._lease.begin() as tx:
            await plan_store.end_task(
                tx,
                plans.task_id(self._lease.run_id, index),
                status=result.status,
                notes=result.notes,
                sources=sources,
                entities=[source.identifier for source in result.sources],
            )
            shown = await plans.load_plan_set(tx, await self._run(tx))
        self._emit_task(shown, index)

    async def load_text(self, message_id: UUID) -> str:
        """Return the text of a message as far as it is in the log."""
        async with self._lease.db.begin(self._lease.who) as tx:
            return await log_store.load_text(tx, self._lease.run_id, message_id)

    async def _run(self, tx: Tx) -> Run:
        run = await store.find(tx, self._lease.run_id)
        assert run is not None, "a run that is held is there"
        return run

    def _emit_task(self, shown: event_parts.PlanSet, index: int) -> None:
        wanted = str(plans.task_id(self._lease.run_id, index))
        task = next(plan.plan_tasks[wanted] for plan in shown.plans.values() if wanted in plan.plan_tasks)
        update = TaskUpdate(
            key=wanted,
            title=task.title,
            message=task.message,
            status=task.status,
            plan_set=shown,
            timestamp=now_ms(),
        )
        self.emit(update, f"task:{wanted}:{task.status}")


class ReplayRecorder:
    """Recorder of a replay: collects the events and writes nothing."""

    def __init__(self) -> None:
        self.emitted: list[tuple[AnyEvent, str]] = []

    def emit(self, event: AnyEvent, key: str) -> None:
        """Collect the event."""
        self.emitted.append((event, key))

    async def settle(self) -> None:
        """Do nothing."""

    async def set_progress(self, share: float, message: str) -> None:
        """Do nothing."""

    async def save_intent(self, intent: str) -> None:
        """Do nothing."""

    async def save_plan(self, intent: str, deliverable: str, plan: ResearchPlan) -> None:
        """Do nothing."""

    async def begin_task(self, index: int) -> None:
        """Do nothing."""

    async def end_task(self, index: int, result: TaskResult) -> None:
        """Do nothing."""

    async def load_text(self, message_id: UUID) -> str:
        """Return an empty text: a replay starts anew."""
        return ""

    def text_of(self, message_id: UUID) -> str:
        """Return the text of a message, joined from its deltas."""
        text = ""
        for event, _ in self.emitted:
            if isinstance(event, MessageDelta) and event.message_id == message_id:
                text = text[: event.offset] + event.delta
        return text


def now_ms() -> int:
    """Return the current time as events carry it: milliseconds since 1970."""
    return int(clock.now().timestamp() * 1000)
