"""How a run at work comes to rest: answered, waiting for the person, or failed.

Status and last event commit together.
"""

import hashlib
from uuid import uuid5

from intelli.audit.record import record
from intelli.audit.wire import EventType
from intelli.kit import clock
from intelli.kit.db import Tx
from intelli.kit.errors import IntelliError
from intelli.reasoning import thoughts
from intelli.runs import journal
from intelli.runs.events import ClarificationNeeded, Done, RunFailed
from intelli.runs.lease import Lease
from intelli.runs.steps import ANSWER, TITLE
from intelli.runs.store import calls, checkpoints, plans
from intelli.runs.store import runs as store
from intelli.runs.tables import Run
from intelli.runs.telling import Message, Role
from intelli.runs.wire import RunStatus

_OURS = "Something went wrong on our side. What was found is kept; try the run again."
_AT_REST = {"lease_job": None, "lease_until": None}


def answer_hash(text: str) -> str:
    """The hash by which an answer is known."""
    return hashlib.sha256(text.encode()).hexdigest()


async def complete(lease: Lease, *, problems: list[str]) -> None:
    """The run is answered."""
    async with lease.begin() as tx:
        answer = thoughts.Answer.model_validate(await _recorded(tx, lease, ANSWER))
        title = thoughts.Title.model_validate(await _recorded(tx, lease, TITLE))
        run = await _run(tx, lease)
        await store.change(
            tx,
            run.id,
            status=RunStatus.COMPLETED,
            agent_response=answer.text,
            answer_sha256=answer_hash(answer.text),
            confidence_score=answer.confidence,
            title=title.title,
            problems=problems,
            progress=1.0,
            progress_message="",
            finished_at=clock.now(),
            **_AT_REST,
        )
        plan_set = await plans.find_set(tx, run.id)
        if plan_set is not None:
            await plans.end_plans(tx, plan_set.id, status="success")
        await journal.append(tx, run.id, (Done(message=_message(run, answer)), f"done:{run.retry_count}"))
        await record(tx, EventType.COMPLETION, run_id=run.id)
        await checkpoints.forget(tx, run.id)


async def wait(lease: Lease, question: str) -> None:
    """The run asks back and waits."""
    async with lease.begin() as tx:
        run = await _run(tx, lease)
        number = len(run.clarifications) + 1
        message = Message(
            id=uuid5(run.id, f"question:{number}"),
            role=Role.AGENT,
            content=question,
            run_id=run.id,
            conversation_id=run.conversation_id,
            needs_clarification_message=question,
        )
        await store.change(
            tx,
            run.id,
            status=RunStatus.WAITING,
            progress_message="Waiting for your answer",
            clarifications=[*run.clarifications, {"question": question, "answer": None}],
            **_AT_REST,
        )
        await journal.append(tx, run.id, (ClarificationNeeded(message=message), f"clarification:{number}"))


async def fail(lease: Lease, error: Exception) -> None:
    """The run cannot go on. What happened is told in words that are true and give nothing away."""
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
            progress_message="Failed",
            finished_at=clock.now(),
            **_AT_REST,
        )
        failed = RunFailed(error_type=code, error_message=words)
        await journal.append(tx, run.id, (failed, f"error:{run.retry_count}"))
        await record(tx, EventType.ERROR, run_id=run.id, success=False, code=code)


async def release(lease: Lease) -> None:
    """Let the next worker take the run without waiting for the lease to run out."""
    async with lease.begin() as tx:
        await store.change(tx, lease.run_id, **_AT_REST)


async def _run(tx: Tx, lease: Lease) -> Run:
    run = await store.find(tx, lease.run_id)
    assert run is not None, "a run that is held is there"
    return run


async def _recorded(tx: Tx, lease: Lease, key: str) -> object:
    call = await calls.find(tx, lease.run_id, key)
    assert call is not None, "a graph that ended has recorded its last steps"
    return call.answer


def _message(run: Run, answer: thoughts.Answer) -> Message:
    return Message(
        id=uuid5(run.id, "answer"),
        role=Role.AGENT,
        content=answer.text,
        run_id=run.id,
        conversation_id=run.conversation_id,
        confidence_score=answer.confidence,
    )
