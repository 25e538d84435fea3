"""Start a run: insert the row and its first event, and defer its job, in one transaction."""

from dataclasses import dataclass
from decimal import Decimal
from uuid import UUID

from intelli.audit.record import record
from intelli.audit.wire import EventType
from intelli.identity import accounts, workspaces
from intelli.kit.db import Tx
from intelli.kit.ids import uuid7
from intelli.library import documents, folders
from intelli.library.errors import DocumentNotFound, FolderNotFound
from intelli.reasoning.values import Turn
from intelli.runs import journal, wire
from intelli.runs.context import OUTLINES
from intelli.runs.errors import BudgetTooLarge
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


async def _check_places(tx: Tx, context: wire.Context) -> None:
    """Raise DocumentNotFound or FolderNotFound for a place to look in that is not there."""
    missing = set(context.document_ids) - await documents.find_existing(tx, context.document_ids)
    if missing:
        raise DocumentNotFound(f"There is no document {min(missing)}. List your documents to find it.")
    for folder in context.folders:
        if folder.strip("/") and not await folders.is_folder(tx, f"/{folder.strip('/')}"):
            raise FolderNotFound(f"There is no folder {folder}. It may have been renamed; choose it again.")


async def _choose_budget(tx: Tx, wanted: Decimal | None, settings: RunSettings) -> Decimal:
    """Return what a run may cost: what is wanted for it, up to the workspace's most. Raises BudgetTooLarge."""
    rule = (await workspaces.get(tx)).run_budget_cents
    most = settings.cents_per_run if rule is None else rule
    if wanted is not None and wanted > most:
        raise BudgetTooLarge(
            f"One run may cost at most {format(most.normalize(), 'f')} cents here. An admin of the workspace can allow "
            "more in its settings."
        )
    return most if wanted is None else wanted


async def start(tx: Tx, request: wire.StartRun, settings: RunSettings, *, origin: QuestionOrigin = NOWHERE) -> Run:
    """Insert a run for a question and wake a worker.

    Raises DocumentNotFound, FolderNotFound or BudgetTooLarge.
    """
    await _check_places(tx, request.context)
    uses_memory = request.context.memory and await accounts.uses_memory(tx, tx.person_id)
    run = Run(
        tenant_id=tx.tenant_id,
        id=uuid7(),
        user_id=tx.person_id,
        conversation_id=origin.conversation_id,
        message_id=origin.message_id,
        turns=[turn.model_dump() for turn in origin.turns],
        question=request.question,
        deliverable_type=request.deliverable_type,
        context={
            **request.context.model_copy(update={"memory": uses_memory}).model_dump(mode="json"),
            OUTLINES: True,
        },
        budget_cents=await _choose_budget(tx, request.budget_cents, settings),
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
