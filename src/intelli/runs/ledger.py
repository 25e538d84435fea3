"""The ledger: results of model steps and tool calls, recorded under the step's key. Each is made and charged once.

A step that runs again after a crash finds its result here and costs nothing. The budget is a hard cap: a call whose
highest possible cost would exceed it is not made.
"""

import asyncio
import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from typing import Protocol
from uuid import UUID

from pydantic import BaseModel, JsonValue

from intelli.kit.db import Tx
from intelli.reasoning.usage import Usage
from intelli.reasoning.verbs.verb import ReasonerInput
from intelli.runs import journal
from intelli.runs.errors import BudgetSpent, NotReplayable
from intelli.runs.events import UsageUpdate
from intelli.runs.journal import clean_json
from intelli.runs.lease import Lease
from intelli.runs.store import calls, interactions
from intelli.runs.store import runs as runs_store
from intelli.runs.tables import AgentInteraction, ModelCall

Json = dict[str, JsonValue]
OnSpent = Callable[[Usage], None]


@dataclass(frozen=True, slots=True)
class RecordedStep:
    """Result of a model step. `problem` describes in a sentence what it had to do without."""

    answer: Json
    problem: str | None = None


@dataclass(frozen=True, slots=True)
class ToolOutcome:
    """Output of a tool, or its error."""

    output: Json | None
    error_code: str | None = None
    error_message: str | None = None


@dataclass(frozen=True, slots=True)
class ToolRequest:
    """A tool call: tool name, input, and the task it is for."""

    tool: str
    asked: Json
    task_id: UUID | None = None


class Ledger(Protocol):
    """Store of a run's recorded steps and tool calls."""

    async def find(self, key: str) -> RecordedStep | None:
        """Return the recorded result of a step, else None."""

    async def list_steps(self, prefix: str) -> list[RecordedStep]:
        """Return the recorded results of all steps whose key begins so."""

    async def begin(self, key: str, asked: ReasonerInput, *, ceiling: Decimal, model: str) -> RecordedStep | None:
        """Return the recorded result of a step; else None, with `ceiling` (cents) reserved from the budget.

        Raises BudgetSpent when that much is not left.
        """

    async def record(self, key: str, recorded: RecordedStep, usage: Usage) -> None:
        """Record the result of a step and its usage."""

    async def find_use(self, key: str) -> ToolOutcome | None:
        """Return the recorded outcome of a tool call, else None."""

    async def begin_use(self, key: str, request: ToolRequest) -> ToolOutcome | None:
        """Return the recorded outcome of a tool call; else None, with the call recorded as started."""

    async def end_use(self, key: str, used: ToolOutcome) -> None:
        """Record the outcome of a tool call."""


def fingerprint(asked: BaseModel) -> str:
    """Return a hash of a step's input, to detect that a step is asked something else than before."""
    return hashlib.sha256(asked.model_dump_json().encode(errors="replace")).hexdigest()


class DatabaseLedger:
    """Ledger in the database, writable only while the lease holds. Loaded once: nobody else adds to it meanwhile."""

    def __init__(self, lease: Lease, on_spent: OnSpent = lambda usage: None) -> None:
        self._lease = lease
        self._on_spent = on_spent
        self._steps: dict[str, RecordedStep] = {}
        self._uses: dict[str, ToolOutcome] = {}
        self._free: dict[str, Json] = {}
        self._is_loaded = False
        self._loading = asyncio.Lock()

    async def find(self, key: str) -> RecordedStep | None:
        """Return the recorded result of a step, else None."""
        await self._load()
        return self._steps.get(key)

    async def list_steps(self, prefix: str) -> list[RecordedStep]:
        """Return the recorded results of all steps whose key begins so."""
        await self._load()
        return [recorded for key, recorded in self._steps.items() if key.startswith(prefix)]

    async def begin(self, key: str, asked: ReasonerInput, *, ceiling: Decimal, model: str) -> RecordedStep | None:
        """Return the recorded result, else reserve the cost. A step that is free is inserted only when it ends."""
        known = await self.find(key)
        if known is not None:
            return known
        call: Json = {"verb": asked.verb, "model": model, "asked_sha256": fingerprint(asked)}
        if ceiling == 0:
            self._free[key] = call
            return None
        async with self._lease.begin() as tx:
            await self._check_budget(tx, key, ceiling)
            await self._start(tx, key, call, reserved=ceiling)
        return None

    async def _load(self) -> None:
        async with self._loading:
            if self._is_loaded:
                return
            async with self._lease.db.begin(self._lease.who) as tx:
                made = await calls.list_of_run(tx, self._lease.run_id)
                used = await interactions.list_of_run(tx, self._lease.run_id)
            self._steps = {call.key: recorded for call in made if (recorded := _step_of(call))}
            self._uses = {row.key: given for row in used if (given := _outcome_of(row))}
            self._is_loaded = True

    async def _start(self, tx: Tx, key: str, call: Json, *, reserved: Decimal) -> None:
        held = {"run_id": self._lease.run_id, "user_id": self._lease.user_id, "epoch": self._lease.epoch}
        await calls.start(tx, {**held, **call, "key": key, "reserved": reserved})

    async def _check_budget(self, tx: Tx, key: str, ceiling: Decimal) -> None:
        run = await runs_store.find(tx, self._lease.run_id)
        assert run is not None, "a run that is held is there"
        others = await calls.sum_committed(tx, run.id, epoch=self._lease.epoch, key=key)
        if others + ceiling > run.budget_cents:
            raise BudgetSpent(
                f"The budget of {_format_cents(run.budget_cents)} cents is too small for another step of the model. "
                "Ask again with a larger one, or have an admin raise what one run may cost."
            )

    async def record(self, key: str, recorded: RecordedStep, usage: Usage) -> None:
        """Record the result of a step and append an event with the run's total usage."""
        answer = clean_json(recorded.answer)
        values = {
            "answer": answer,
            "problem": recorded.problem,
            "model": usage.model,
            "calls": usage.calls,
            "input_tokens": usage.input_tokens,
            "output_tokens": usage.output_tokens,
            "input_cost": usage.input_cost,
            "output_cost": usage.output_cost,
        }
        free = self._free.pop(key, None)
        async with self._lease.begin() as tx:
            if free is not None:
                await self._start(tx, key, free, reserved=Decimal(0))
            spent = await calls.complete(tx, self._lease.run_id, key, values)
            if spent is not None and usage.calls:
                # Told in the same transaction: a step that runs again is found recorded and would not tell it.
                await journal.append(tx, self._lease.run_id, (_usage(spent), f"usage:{key}"))
        if spent is not None and usage.calls:
            self._on_spent(usage)
        self._steps[key] = RecordedStep(json.loads(answer), recorded.problem)

    async def find_use(self, key: str) -> ToolOutcome | None:
        """Return the recorded outcome of a tool call, else None."""
        await self._load()
        return self._uses.get(key)

    async def begin_use(self, key: str, request: ToolRequest) -> ToolOutcome | None:
        """Return the recorded outcome of a tool call, else record that it starts."""
        known = await self.find_use(key)
        if known is not None:
            return known
        values = {"key": key, "tool_name": request.tool, "tool_input": request.asked, "task_id": request.task_id}
        of = {"user_id": self._lease.user_id, "conversation_id": self._lease.conversation_id}
        async with self._lease.begin() as tx:
            await interactions.start(tx, self._lease.run_id, {**of, **values})
        return None

    async def end_use(self, key: str, used: ToolOutcome) -> None:
        """Record the outcome of a tool call."""
        status = "failed" if used.error_code else "completed"
        values = {"error_code": used.error_code, "error_message": used.error_message, "tool_output": used.output}
        async with self._lease.begin() as tx:
            await interactions.finish(tx, self._lease.run_id, key, status=status, **values)
        self._uses[key] = used


@dataclass(frozen=True, slots=True)
class RecordedCall:
    """A recorded step with the fingerprint of its input."""

    recorded: RecordedStep
    asked_sha256: str


class ReplayLedger:
    """Ledger of a replay: returns recorded results and lists steps whose input differs now in `different`."""

    def __init__(self, steps: dict[str, RecordedCall], uses: dict[str, ToolOutcome]) -> None:
        self._steps = steps
        self._uses = uses
        self.different: list[str] = []

    async def find(self, key: str) -> RecordedStep | None:
        """Return the recorded result; raise NotReplayable when there is none."""
        return self._step(key).recorded

    async def list_steps(self, prefix: str) -> list[RecordedStep]:
        """Return the recorded results of all steps whose key begins so; an older recording may have none."""
        return [step.recorded for key, step in self._steps.items() if key.startswith(prefix)]

    async def begin(self, key: str, asked: ReasonerInput, *, ceiling: Decimal, model: str) -> RecordedStep | None:
        """Return the recorded result, and add the key to `different` when the input is not the recorded one."""
        step = self._step(key)
        if fingerprint(asked) != step.asked_sha256:
            self.different.append(key)
        return step.recorded

    async def record(self, key: str, recorded: RecordedStep, usage: Usage) -> None:
        """Do nothing: every step is recorded already."""

    async def find_use(self, key: str) -> ToolOutcome | None:
        """Return the recorded outcome; raise NotReplayable when there is none."""
        if key not in self._uses:
            raise NotReplayable(f"The tool call {key} was never recorded, so the run cannot be replayed.")
        return self._uses[key]

    async def begin_use(self, key: str, request: ToolRequest) -> ToolOutcome | None:
        """Return the recorded outcome; raise NotReplayable when there is none."""
        return await self.find_use(key)

    async def end_use(self, key: str, used: ToolOutcome) -> None:
        """Do nothing: every call is recorded already."""

    def _step(self, key: str) -> RecordedCall:
        if key not in self._steps:
            raise NotReplayable(f"The step {key} was never recorded, so the run cannot be replayed.")
        return self._steps[key]


def _step_of(call: ModelCall | None) -> RecordedStep | None:
    return None if call is None or call.answer is None else RecordedStep(call.answer, call.problem)


def _outcome_of(row: AgentInteraction | None) -> ToolOutcome | None:
    if row is None or row.finished_at is None:
        return None
    return ToolOutcome(row.tool_output, row.error_code, row.error_message)


def _usage(spent: calls.SpentBudget) -> UsageUpdate:
    return UsageUpdate(
        input_tokens=spent.input_tokens,
        output_tokens=spent.output_tokens,
        total_tokens=spent.input_tokens + spent.output_tokens,
        cost_cents=float(spent.cost),
        budget_cents=float(spent.budget_cents),
    )


def _format_cents(cents: Decimal) -> str:
    return format(cents.normalize(), "f")
