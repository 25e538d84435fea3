"""Start a run: insert the row and its first event, and defer its job, in one transaction."""

from dataclasses import dataclass
from uuid import UUID

from intelli.audit.record import record
from intelli.audit.wire import EventType
from intelli.kit.db import Tx
from intelli.kit.ids import uuid7
from intelli.reasoning.values import Turn
from intelli.runs import journal, wire
from intelli.runs.context import OUTLINES
from intelli.runs.events import StreamStart
from intelli.runs.settings import RunSettings
from intelli.runs.store import runs as store
from intelli.runs.tables import Run
from intelli.runs.wake import wake


@dataclass(frozen=True, slots=True)
class QuestionOrigin:
    """Conversation and message of a question, and the turns before it."""

    conversation_id: UUID | None = None
    message_id: UUID | None = None
    turns: tuple[Turn, ...] = ()


NOWHERE = QuestionOrigin()


async def start(tx: Tx, request: wire.StartRun, settings: RunSettings, *, origin: QuestionOrigin = NOWHERE) -> Run:
    """Insert a run for a question and wake a worker."""
    run = Run(
        tenant_id=tx.tenant_id,
        id=uuid7(),
        user_id=tx.person_id,
        conversation_id=origin.conversation_id,
        message_id=origin.message_id,
        turns=[turn.model_dump() for turn in origin.turns],
        question=request.question,
        deliverable_type=request.deliverable_type,
        context={**request.context.model_dump(mode="json"), OUTLINES: True},
        budget_cents=settings.cents_per_run,
    )
    store.add(tx, run)
    await store.flush(tx)
    begun = StreamStart(
        chat_id=run.conversation_id,
        creator_user_id=run.user_id,
        user_chat_message_id=run.message_id,
        workspace_id=tx.tenant_id,
        run_id=run.id,
    )
    await journal.append(tx, run.id, (begun, "stream_start"))
    await wake(tx, run.id)
    await record(tx, EventType.REQUEST_START, run_id=run.id, conversation_id=run.conversation_id)
    return run
