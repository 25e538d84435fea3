"""Consent: where a run asks a person to agree to a change, finds what was decided, and carries it out once.

The change and the note that it was made commit together, fenced by the run's lease: a worker may die at any point, and
it is made either not at all or once.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

from pydantic import BaseModel

from intelli.identity import members
from intelli.kit import clock
from intelli.kit.context import Scope, System
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
    """A change that a person was asked about. `used` is there once it was made, failed or rejected."""

    is_approved: bool
    proposal: dict[str, Any] | None
    used: ToolOutcome | None


class Consent(Protocol):
    """What a change needs of the people."""

    async def find(self, key: str) -> ApprovalRequest | None:
        """What became of a change; None when nobody was asked yet."""

    async def ask(self, key: str, request: ToolRequest, prepared: PreparedChange) -> None:
        """Ask for it, and tell so."""

    async def refuse(self, key: str, request: ToolRequest, used: ToolOutcome) -> None:
        """Note that there is nothing to ask, because it cannot be done."""

    async def apply(self, key: str, write: Callable[[Tx], Awaitable[Outcome]]) -> Outcome:
        """Make it, once."""

    async def fail(self, key: str, used: ToolOutcome) -> None:
        """Note that it was agreed to and could not be made."""


class DatabaseConsent:
    """The consent of a run at work."""

    def __init__(self, lease: Lease) -> None:
        self._lease = lease

    async def find(self, key: str) -> ApprovalRequest | None:
        """What became of a change, as it stands now."""
        async with self._lease.db.begin(self._lease.who) as tx:
            row = await interactions.find_key(tx, self._lease.run_id, key)
        if row is None:
            return None
        used = ToolOutcome(row.tool_output, row.error_code, row.error_message) if row.finished_at else None
        return ApprovalRequest(row.confirmation_status == Confirmation.APPROVED, row.proposal, used)

    async def ask(self, key: str, request: ToolRequest, prepared: PreparedChange) -> None:
        """Ask for it, and tell so, in one transaction."""
        async with self._lease.begin() as tx:
            run = await runs_store.find(tx, self._lease.run_id)
            assert run is not None, "a run that is held is there"
            await approvals.ask(tx, run, request, prepared, key=key)

    async def refuse(self, key: str, request: ToolRequest, used: ToolOutcome) -> None:
        """Note that it cannot be done."""
        values = {"key": key, "tool_name": request.tool, "tool_input": request.asked, "task_id": request.task_id}
        async with self._lease.begin() as tx:
            run_id = self._lease.run_id
            await interactions.start(tx, run_id, {"user_id": self._lease.user_id, **values})
            await _fail(tx, self._lease, key, used)

    async def apply(self, key: str, write: Callable[[Tx], Awaitable[Outcome]]) -> Outcome:
        """Make it as the person who agreed to it, if they still may."""
        async with self._lease.begin() as tx:
            row = await interactions.find_key(tx, self._lease.run_id, key)
            assert row is not None, "what was agreed to was asked for"
            assert row.confirmed_by is not None, "somebody agreed to it"
            if not await members.may(tx, row.confirmed_by, Scope.WRITE):
                raise NotApproved("Who agreed to it may not change documents any more.")
            await tx.become(System(self._lease.tenant_id, row.confirmed_by))
            outcome = await write(tx)
            await tx.become(self._lease.who)
            output = outcome.model_dump(mode="json")
            done = {"status": "completed", "tool_output": output, "applied_at": clock.now()}
            await interactions.finish(tx, self._lease.run_id, key, **done)
        return outcome

    async def fail(self, key: str, used: ToolOutcome) -> None:
        """Note that it could not be made."""
        async with self._lease.begin() as tx:
            await _fail(tx, self._lease, key, used)


class ReplayConsent:
    """The consent of a replay: everything was decided before, and nothing is changed."""

    async def find(self, key: str) -> ApprovalRequest | None:
        """Never needed: every use is found."""
        raise _unrecorded(key)

    async def ask(self, key: str, request: ToolRequest, prepared: PreparedChange) -> None:
        """Never needed."""
        raise _unrecorded(key)

    async def refuse(self, key: str, request: ToolRequest, used: ToolOutcome) -> None:
        """Never needed."""
        raise _unrecorded(key)

    async def apply(self, key: str, write: Callable[[Tx], Awaitable[Outcome]]) -> Outcome:
        """Never needed."""
        raise _unrecorded(key)

    async def fail(self, key: str, used: ToolOutcome) -> None:
        """Never needed."""
        raise _unrecorded(key)


async def _fail(tx: Tx, lease: Lease, key: str, used: ToolOutcome) -> None:
    error = {"error_code": used.error_code, "error_message": used.error_message}
    await interactions.finish(tx, lease.run_id, key, status="failed", **error)


def _unrecorded(key: str) -> NotReplayable:
    return NotReplayable(f"The change {key} was never recorded, so the run cannot be replayed.")
