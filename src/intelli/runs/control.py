"""Control a run: cancel, retry, clarify, delete.

A change of owner increments the epoch, which fences off the worker of that moment: its further writes have no
effect, and it notices within a second.
"""

from uuid import UUID

from intelli.audit.record import record
from intelli.audit.wire import EventType
from intelli.deliverables import control
from intelli.kit import clock
from intelli.kit.db import Tx
from intelli.runs import approvals, journal, replies, show
from intelli.runs.errors import NotCancellable, NotRetryable, NotWaiting, PartOfConversation
from intelli.runs.event_parts import ClarificationUpdate
from intelli.runs.events import ClarificationReceived, Done, UpdateMessageClarificationMessage
from intelli.runs.store import plans
from intelli.runs.store import runs as store
from intelli.runs.tables import Run
from intelli.runs.wake import wake
from intelli.runs.wire import ENDED, RunStatus

_CANCELLED = "The answer was stopped before it was finished."
_RETRYABLE = {RunStatus.FAILED, RunStatus.CANCELLED}


async def cancel(tx: Tx, run_id: UUID) -> Run:
    """Cancel a run at once; its findings stay."""
    run = await _hold(tx, run_id)
    if run.status in ENDED:
        raise NotCancellable(f"This run is {run.status} already. There is nothing to cancel.")
    said = await replies.save_broken_off(tx, run, _CANCELLED)
    await store.change(
        tx,
        run.id,
        status=RunStatus.CANCELLED,
        epoch=run.epoch + 1,
        lease_job=None,
        lease_until=None,
        finished_at=clock.now(),
        progress_message="Cancelled",
        agent_response=said,
    )
    await control.cancel_of_run(tx, run.id)
    await approvals.cancel_open(tx, run)
    plan_set = await plans.find_set(tx, run.id)
    if plan_set is not None:
        await plans.end_plans(tx, plan_set.id, status="error")
    await journal.append(tx, run.id, (Done(status="cancelled"), f"done:{run.retry_count}"))
    of = run.conversation_id
    await record(tx, EventType.COMPLETION, run_id=run.id, conversation_id=of, success=False, reason="cancelled")
    return await show.get(tx, run.id)


async def retry(tx: Tx, run_id: UUID) -> Run:
    """Resume a failed or cancelled run from its last checkpoint; recorded steps are not paid for again."""
    run = await _hold(tx, run_id)
    if run.status not in _RETRYABLE:
        raise NotRetryable(f"This run is {run.status}. Only one that failed or was cancelled can be tried again.")
    await store.change(
        tx,
        run.id,
        status=RunStatus.PENDING,
        epoch=run.epoch + 1,
        retry_count=run.retry_count + 1,
        error_code=None,
        error_message=None,
        finished_at=None,
        lease_job=None,
        lease_until=None,
        deaths=0,
        progress_message="",
    )
    await approvals.free_cancelled(tx, run)
    await wake(tx, run.id)
    return await show.get(tx, run.id)


async def clarify(tx: Tx, run_id: UUID, answer: str) -> Run:
    """Save the answer to a run's clarification question and wake the run."""
    run = await _hold(tx, run_id)
    open_ones = [entry for entry in run.clarifications if entry["answer"] is None]
    if run.status != RunStatus.WAITING or not open_ones:
        raise NotWaiting(f"This run is {run.status} and has not asked anything. There is nothing to answer.")
    message = await replies.save_reply(tx, run, answer)
    number = len(run.clarifications)
    clarifications = [*run.clarifications[:-1], {**run.clarifications[-1], "answer": answer}]
    await store.change(tx, run.id, status=RunStatus.PENDING, clarifications=clarifications, progress_message="")
    question_id = replies.question_id(run.id, number)
    update = ClarificationUpdate(chat_message_id=question_id, needs_clarification_message=None)
    await journal.append(
        tx,
        run.id,
        (ClarificationReceived(message=message), f"clarified:{number}"),
        (UpdateMessageClarificationMessage(update=update), f"clarified:{number}:update"),
    )
    await wake(tx, run.id)
    return await show.get(tx, run.id)


async def delete(tx: Tx, run_id: UUID) -> None:
    """Delete a run with everything it found and made; a running one is cancelled first."""
    run = await _hold(tx, run_id)
    if run.conversation_id is not None:
        raise PartOfConversation(
            "This run belongs to a conversation, which would no longer make sense without it. Delete the conversation.",
            conversation_id=str(run.conversation_id),
        )
    if run.status not in ENDED:
        await cancel(tx, run.id)
    await store.remove(tx, run.id)
    await record(tx, EventType.ERASE, entity=("run", run.id), run_id=run.id)


async def _hold(tx: Tx, run_id: UUID) -> Run:
    run = await store.lock(tx, run_id)
    if run is None:
        raise show.not_found()
    return run
