"""Approvals of changes: request a decision, record it, and list other open changes of the same documents.

The row, the audit entry, the event and the wake-up of the run commit together. Locks are taken in one order, a run
before all else and the audit log last.
"""

from collections.abc import Sequence
from uuid import UUID

from intelli.audit.record import record
from intelli.audit.wire import EventType
from intelli.kit import clock
from intelli.kit.context import System
from intelli.kit.db import Tx
from intelli.library import text_documents
from intelli.runs import journal
from intelli.runs.errors import AlreadyDecided, InteractionNotFound, NotApproved, NothingToDecide
from intelli.runs.events import ApprovalNeeded, ApprovalResolved
from intelli.runs.ledger import ToolRequest
from intelli.runs.proposals import PreparedChange
from intelli.runs.recorder import now_ms
from intelli.runs.store import interactions
from intelli.runs.store import runs as store
from intelli.runs.tables import AgentInteraction, Run
from intelli.runs.wake import wake
from intelli.runs.wire import Confirmation, RunStatus

_OPEN = {RunStatus.WAITING, RunStatus.PROCESSING}
_DOES = {"create_document": "create", "update_document": "change", "delete_document": "delete"}
_STOPPED = "The run ended before it was decided on and done."


async def request_approval(tx: Tx, run: Run, request: ToolRequest, prepared: PreparedChange, *, key: str) -> None:
    """Insert a pending approval for a change and append its event, which lists the conflicting open changes."""
    # Of two runs that ask at the same moment, the second sees the first.
    await text_documents.lock_path(tx, prepared.path)
    others = await list_conflicts(tx, [prepared.path])
    values = {
        "user_id": run.user_id,
        "conversation_id": run.conversation_id,
        "key": key,
        "task_id": request.task_id,
        "tool_name": request.tool,
        "tool_input": request.asked,
        "status": "pending",
        "requires_confirmation": True,
        "confirmation_status": Confirmation.PENDING,
        "path": prepared.path,
        "proposal": prepared.model_dump(mode="json"),
    }
    asked_id = await interactions.add(tx, run.id, values)
    needed = ApprovalNeeded(
        interaction_id=asked_id,
        tool_name=request.tool,
        summary=prepared.summary,
        path=prepared.path,
        base_version=prepared.base_version,
        diff=prepared.diff,
        conflicts=[describe_conflict(other) for other in others],
        timestamp=now_ms(),
    )
    await journal.append(tx, run.id, (needed, f"approval:{asked_id}"))
    await _record(tx, EventType.WRITE_PERMISSION_REQUEST, run, asked_id, tool=request.tool)


async def decide(
    tx: Tx, interaction_id: UUID, decision: Confirmation, *, reason: str | None = None
) -> AgentInteraction:
    """Approve or reject a change and wake its run. Repeating the decision changes nothing; another one is refused."""
    who, by = tx.who, tx.person_id
    seen = await _get(tx, interaction_id)
    if not seen.requires_confirmation:
        raise NothingToDecide("This tool call changes nothing. There is nothing to decide.")
    # The run is its owner's, also where another member decides in a shared conversation.
    await tx.become(System(tx.tenant_id, seen.user_id))
    run = await store.lock(tx, seen.run_id)
    row = await _get(tx, interaction_id)
    if run is None or row.confirmation_status == decision:
        return row
    _check_open(run, row)
    await interactions.change(tx, row.id, confirmed_by=by, **_decision_columns(decision, reason))
    await _resolve(tx, row, decision, reason=reason)
    if run.status == RunStatus.WAITING and not await interactions.has_pending(tx, run.id):
        await store.change(tx, run.id, status=RunStatus.PENDING, progress_message="")
        await wake(tx, run.id)
    row = await _get(tx, interaction_id)
    await tx.become(who)
    event = EventType.USER_APPROVAL if decision is Confirmation.APPROVED else EventType.USER_REJECTION
    await _record(tx, event, run, row.id, tool=row.tool_name)
    return row


async def cancel_open(tx: Tx, run: Run) -> None:
    """Cancel all open approvals and unfinished changes of a run that was stopped or has failed."""
    for row in await interactions.list_open_of_run(tx, run.id):
        ended = {"status": "rejected", "confirmation_status": Confirmation.CANCELLED, "finished_at": clock.now()}
        error = {"error_code": "run_ended", "error_message": _STOPPED}
        await interactions.change(tx, row.id, **ended, **error)
        await _resolve(tx, row, Confirmation.CANCELLED)


async def free_cancelled(tx: Tx, run: Run) -> None:
    """Free the keys of a run's cancelled approvals, so that the retried run requests them again."""
    await interactions.free_keys(tx, run.id, confirmation=Confirmation.CANCELLED)


async def list_conflicts(tx: Tx, paths: Sequence[str]) -> Sequence[AgentInteraction]:
    """List unfinished changes of documents at these paths, by any run of the workspace."""
    if not paths:
        return []
    who = tx.who
    await tx.become(System(tx.tenant_id))
    found = await interactions.list_open_changes(tx, paths)
    await tx.become(who)
    return found


def describe_conflict(other: AgentInteraction) -> str:
    """Describe another run's open change without revealing whose it is or what it contains."""
    does = _DOES.get(other.tool_name, "change")
    if other.confirmation_status == Confirmation.APPROVED:
        return f"Another run is about to {does} this document."
    return f"Another run waits for approval to {does} this document."


async def _get(tx: Tx, interaction_id: UUID) -> AgentInteraction:
    row = await interactions.find(tx, interaction_id)
    if row is None:
        raise InteractionNotFound("There is no such interaction. List those that are pending to find it.")
    return row


def _check_open(run: Run, row: AgentInteraction) -> None:
    if row.confirmation_status != Confirmation.PENDING:
        raise AlreadyDecided(f"This change is {row.confirmation_status} already. Ask for it anew if you want it.")
    if run.status not in _OPEN:
        raise NothingToDecide(f"The run is {run.status}. Nobody waits for a decision.")


def _decision_columns(decision: Confirmation, reason: str | None) -> dict[str, object]:
    decided: dict[str, object] = {"confirmation_status": decision, "confirmed_at": clock.now()}
    if decision is Confirmation.APPROVED:
        return {**decided, "status": "running"}
    message = f"It was rejected: {reason}" if reason else "It was rejected."
    error = {"error_code": NotApproved.code, "error_message": message}
    return {**decided, **error, "status": "rejected", "finished_at": clock.now()}


async def _resolve(tx: Tx, row: AgentInteraction, decision: Confirmation, *, reason: str | None = None) -> None:
    resolved = ApprovalResolved(
        interaction_id=row.id, decision=decision.value, reason=reason or None, timestamp=now_ms()
    )
    await journal.append(tx, row.run_id, (resolved, f"approval:{row.id}:resolved"))


async def _record(tx: Tx, event: EventType, run: Run, interaction_id: UUID, *, tool: str) -> None:
    entity = ("interaction", interaction_id)
    await record(tx, event, entity=entity, run_id=run.id, conversation_id=run.conversation_id, tool=tool)
