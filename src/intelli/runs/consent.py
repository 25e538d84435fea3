"""Consent of a person to a change: request it, look up the decision, and apply the change exactly once.

The change and the row that marks it done commit together, fenced by the run's lease: a worker may die at any point,
and the change is applied either once or not at all.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from typing import Any, Protocol, TypeVar

from pydantic import BaseModel

from intelli.identity import members
from intelli.kit import clock
from intelli.kit.context import Scope
from intelli.kit.db import Tx
from intelli.runs import approvals
from intelli.runs.errors import NotApproved, NotReplayable
from intelli.runs.lease import Lease
from intelli.runs.ledger import ToolOutcome, ToolRequest
from intelli.runs.proposals import PreparedChange
from intelli.runs.store import interactions
from intelli.runs.store import runs as runs_store
from intelli.runs.wire import Confirmation

Outcome = TypeVar("Outcome", bound=BaseModel)


@dataclass(frozen=True, slots=True)
class ApprovalRequest:
    """A change submitted for approval. `used` is set once it was applied, failed or was rejected."""

    is_approved: bool
    proposal: dict[str, Any] | None
    used: ToolOutcome | None


class Consent(Protocol):
    """Port through which a change tool requests approval and applies approved changes. `key` names the step."""

    async def find(self, key: str) -> ApprovalRequest | None:
        """Return the current state of a change; None when no approval was requested yet."""

    async def ask(self, key: str, request: ToolRequest, prepared: PreparedChange) -> None:
        """Request approval of a change and emit the event."""

    async def refuse(self, key: str, request: ToolRequest, used: ToolOutcome) -> None:
        """Record that a change cannot be made, so that no approval is requested."""

    async def apply(self, key: str, write: Callable[[Tx], Awaitable[Outcome]]) -> Outcome:
        """Apply an approved change, once."""

    async def fail(self, key: str, used: ToolOutcome) -> None:
        """Record that an approved change could not be applied."""


class DatabaseConsent:
    """Consent of a running run, stored as interactions in the database."""

    def __init__(self, lease: Lease) -> None:
        self._lease = lease

    async def find(self, key: str) -> ApprovalRequest | None:
        """Return the current state of a change, read from the database; None when none was requested."""
        async with self._lease.db.begin(self._lease.who) as tx:
            row = await interactions.find_by_key(tx, self._lease.run_id, key)
        if row is None:
            return None
        used = ToolOutcome(row.tool_output, row.error_code, row.error_message) if row.finished_at else None
        return ApprovalRequest(row.confirmation_status == Confirmation.APPROVED, row.proposal, used)

    async def ask(self, key: str, request: ToolRequest, prepared: PreparedChange) -> None:
        """Request approval and append the event, in one transaction."""
        async with self._lease.begin() as tx:
            run = await runs_store.find(tx, self._lease.run_id)
            assert run is not None, "a run that is held is there"
            await approvals.request_approval(tx, run, request, prepared, key=key)

    async def refuse(self, key: str, request: ToolRequest, used: ToolOutcome) -> None:
        """Record that the change cannot be made."""
        values = {"key": key, "tool_name": request.tool, "tool_input": request.asked, "task_id": request.task_id}
        async with self._lease.begin() as tx:
            run_id = self._lease.run_id
            await interactions.start(tx, run_id, {"user_id": self._lease.user_id, **values})
            await _fail(tx, self._lease, key, used)

    async def apply(self, key: str, write: Callable[[Tx], Awaitable[Outcome]]) -> Outcome:
        """Apply the change as the person who approved it; raise NotApproved when they lost that right."""
        async with self._lease.begin() as tx:
            row = await interactions.find_by_key(tx, self._lease.run_id, key)
            assert row is not None, "what was agreed to was asked for"
            assert row.confirmed_by is not None, "somebody agreed to it"
            if not await members.has_scope(tx, row.confirmed_by, Scope.WRITE):
                raise NotApproved("Who agreed to it may not change documents any more.")
            await tx.become(replace(self._lease.who, user_id=row.confirmed_by))
            outcome = await write(tx)
            await tx.become(self._lease.who)
            output = outcome.model_dump(mode="json")
            done = {"status": "completed", "tool_output": output, "applied_at": clock.now()}
            await interactions.finish(tx, self._lease.run_id, key, **done)
        return outcome

    async def fail(self, key: str, used: ToolOutcome) -> None:
        """Record that the approved change could not be applied."""
        async with self._lease.begin() as tx:
            await _fail(tx, self._lease, key, used)


class ReplayConsent:
    """Consent of a replay: every change is in the recording, so each method raises NotReplayable."""

    async def find(self, key: str) -> ApprovalRequest | None:
        """Raise NotReplayable: a recorded change is found in the ledger before this is called."""
        raise _unrecorded(key)

    async def ask(self, key: str, request: ToolRequest, prepared: PreparedChange) -> None:
        """Raise NotReplayable."""
        raise _unrecorded(key)

    async def refuse(self, key: str, request: ToolRequest, used: ToolOutcome) -> None:
        """Raise NotReplayable."""
        raise _unrecorded(key)

    async def apply(self, key: str, write: Callable[[Tx], Awaitable[Outcome]]) -> Outcome:
        """Raise NotReplayable."""
        raise _unrecorded(key)

    async def fail(self, key: str, used: ToolOutcome) -> None:
        """Raise NotReplayable."""
        raise _unrecorded(key)


async def _fail(tx: Tx, lease: Lease, key: str, used: ToolOutcome) -> None:
    error = {"error_code": used.error_code, "error_message": used.error_message}
    await interactions.finish(tx, lease.run_id, key, status="failed", **error)


def _unrecorded(key: str) -> NotReplayable:
    return NotReplayable(f"The change {key} was never recorded, so the run cannot be replayed.")
