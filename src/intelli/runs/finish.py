"""End a run's work: completed, waiting for the person, or failed. Status and last event commit together."""

import hashlib
from dataclasses import dataclass, replace

from intelli.audit.record import record
from intelli.audit.wire import EventType
from intelli.citations import save
from intelli.conversations import conversations, show
from intelli.conversations.wire import Message
from intelli.deliverables import build, control
from intelli.kit import clock
from intelli.kit.db import Tx
from intelli.kit.errors import IntelliError
from intelli.memory.settings import MemorySettings
from intelli.reasoning.usage import EXTRACTIVE
from intelli.runs import approvals, journal, outcome, remember, replies
from intelli.runs.events import ChatTitleGenerated, ClarificationNeeded, Done, RunFailed
from intelli.runs.lease import Lease
from intelli.runs.store import checkpoints, interactions, plans
from intelli.runs.store import runs as store
from intelli.runs.tables import Run
from intelli.runs.wake import wake
from intelli.runs.wire import RunStatus

_OURS = "Something went wrong on our side. What was found is kept; try the run again."
_AT_REST = {"lease_job": None, "lease_until": None}


def answer_hash(text: str) -> str:
    """Return the SHA-256 of an answer's text, in hex."""
    return hashlib.sha256(text.encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class RunEnd:
    """Results of the graph beside the answer.

    `problems` are its shortcomings, `closing` tells how requested changes ended, `follow_ups` are suggested questions.
    """

    problems: list[str]
    closing: str
    keep_excerpts: bool
    follow_ups: list[str]


async def complete(lease: Lease, end: RunEnd, *, memory: MemorySettings) -> None:
    """Mark the run completed, save the answer message, and enqueue what the person stated for memory."""
    async with lease.begin() as tx:
        reached = await outcome.load_outcome(tx, await _run(tx, lease), closing=end.closing)
        await store.change(
            tx,
            lease.run_id,
            status=RunStatus.COMPLETED,
            agent_response=reached.text,
            answer_sha256=answer_hash(reached.text),
            confidence_score=reached.confidence.score if reached.confidence else None,
            title=reached.title,
            problems=end.problems,
            progress=1.0,
            progress_message="",
            finished_at=clock.now(),
            # Until now it named the model that was to be asked.
            **({"reasoner": EXTRACTIVE} if reached.is_extract else {}),
            **_AT_REST,
        )
        run = await _run(tx, lease)
        plan_set = await plans.find_set(tx, run.id)
        if plan_set is not None:
            await plans.end_plans(tx, plan_set.id, status="success")
        await build.enqueue_all(tx, run.id)
        message = await _save_answer(tx, run, reached, end.follow_ups)
        if await _name_conversation(tx, run, reached.title):
            await journal.append(tx, run.id, (ChatTitleGenerated(title=reached.title), "title"))
        (whole,) = await show.attach_details(tx, [message], keep_excerpts=end.keep_excerpts)
        done = Done(message=whole, has_async_entities_pending=whole.has_async_entities_in_progress)
        await journal.append(tx, run.id, (done, f"done:{run.retry_count}"))
        await remember.enqueue_stated(tx, run, memory)
        await record(tx, EventType.COMPLETION, run_id=run.id, conversation_id=run.conversation_id)
        await checkpoints.delete_of_run(tx, run.id)


async def wait_for_clarification(lease: Lease, question: str) -> None:
    """Save the run's clarification question as a message and mark the run waiting."""
    async with lease.begin() as tx:
        run = await _run(tx, lease)
        message = await replies.save_question(tx, run, question)
        await store.change(
            tx,
            run.id,
            status=RunStatus.WAITING,
            progress_message="Waiting for your answer",
            clarifications=[*run.clarifications, {"question": question, "answer": None}],
            **_AT_REST,
        )
        number = len(run.clarifications) + 1
        await journal.append(tx, run.id, (ClarificationNeeded(message=message), f"clarification:{number}"))


async def wait_for_decision(lease: Lease) -> None:
    """Mark the run waiting until all its changes are decided; when they already are, wake it instead."""
    async with lease.begin() as tx:
        if await interactions.has_pending(tx, lease.run_id):
            words = "Waiting for your approval"
            await store.change(tx, lease.run_id, status=RunStatus.WAITING, progress_message=words, **_AT_REST)
            return
        await store.change(tx, lease.run_id, status=RunStatus.PENDING, **_AT_REST)
        await wake(tx, lease.run_id)


async def fail(lease: Lease, error: Exception) -> None:
    """Mark the run failed. An error that is not an `IntelliError` is reported without any internal detail."""
    code = error.code if isinstance(error, IntelliError) else "internal"
    words = error.detail if isinstance(error, IntelliError) else _OURS
    async with lease.begin() as tx:
        run = await _run(tx, lease)
        await store.change(
            tx,
            run.id,
            status=RunStatus.FAILED,
            error_code=code,
            error_message=words,
            agent_response=await replies.save_broken_off(tx, run, words),
            progress_message="Failed",
            finished_at=clock.now(),
            **_AT_REST,
        )
        await control.cancel_of_run(tx, run.id)
        await approvals.cancel_open(tx, run)
        failed = RunFailed(error_type=code, error_message=words)
        await journal.append(tx, run.id, (failed, f"error:{run.retry_count}"))
        await record(tx, EventType.ERROR, run_id=run.id, success=False, code=code)


async def release(lease: Lease) -> None:
    """Clear the lease, so that the next worker need not wait for it to expire."""
    async with lease.begin() as tx:
        await store.change(tx, lease.run_id, **_AT_REST)


async def _run(tx: Tx, lease: Lease) -> Run:
    run = await store.find(tx, lease.run_id)
    assert run is not None, "a run that is held is there"
    return run


async def _name_conversation(tx: Tx, run: Run, title: str) -> bool:
    """Name the conversation; a repeated first question may replace the title that its earlier runs gave."""
    if run.conversation_id is None:
        return False
    former = () if run.turns else await store.list_first_titles(tx, run.conversation_id, but=run.id)
    return await conversations.set_title(tx, run.conversation_id, title, in_place_of=former)


async def _save_answer(tx: Tx, run: Run, reached: outcome.RunOutcome, follow_ups: list[str]) -> Message:
    """Save the answer message with its cost and follow-up questions."""
    account = replace(
        replies.build_details(run, problems=run.problems),
        confidence_score=reached.confidence.score if reached.confidence else None,
        confidence=reached.confidence,
        follow_ups=follow_ups,
    )
    said = await replies.save_answer(tx, run, reached.text, account)
    # Nothing was looked for where something was only changed; that is known of an answer too.
    cited_message = save.CitedMessage(said.id, run.id, run.conversation_id, entities={})
    await save.save_empty_evidence(tx, cited_message, user_id=run.user_id)
    return said
