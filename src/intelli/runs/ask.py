"""Ask in a conversation: insert the message and its run, and defer the run's job, in one transaction.

Locks are taken in one order everywhere, a run before its conversation, so that no deadlock arises.
"""

from dataclasses import dataclass
from decimal import Decimal
from uuid import UUID

from intelli.conversations import context_references, conversations, messages
from intelli.conversations.messages import MessageDraft
from intelli.conversations.wire import ContextReference, Message, ReferenceType, SayMessage
from intelli.deliverable_kinds import DeliverableType
from intelli.kit.db import Tx
from intelli.kit.ids import uuid7
from intelli.library.optimistic_lock import BaseVersion
from intelli.runs import control, replies, wire
from intelli.runs.settings import RunSettings
from intelli.runs.start import QuestionOrigin, start
from intelli.runs.store import runs as store
from intelli.runs.tables import Run
from intelli.runs.wire import ENDED, RunStatus


@dataclass(frozen=True, slots=True)
class AskedQuestion:
    """A question message and the run that answers it."""

    message: Message
    run: Run


async def ask(tx: Tx, conversation_id: UUID, request: SayMessage, settings: RunSettings) -> AskedQuestion:
    """Post a message: a reply to the run that waits for a clarification, else a question that starts a run."""
    conversation = await conversations.get(tx, conversation_id)
    waiting = await _find_waiting_run(tx, conversation_id, request)
    if waiting is not None:
        return await _reply(tx, waiting, request.content)
    await conversations.lock(tx, conversation_id)
    parent_id = await _parent_id(tx, conversation_id, request)
    is_chosen = "context_references" in request.model_fields_set
    focus = request.context_references if is_chosen else conversations.get_focus(conversation)
    named = await context_references.resolve(tx, focus)
    draft = MessageDraft(
        id=uuid7(),
        conversation_id=conversation_id,
        parent_message_id=parent_id,
        content=request.content,
        deliverable_type=request.deliverable_type,
        context_references=named,
    )
    question = await messages.save_question(tx, draft)
    limits = RunLimits(memory=request.memory, budget_cents=request.budget_cents)
    return await _start_run(tx, conversation_id, question, settings, limits=limits)


async def ask_again(tx: Tx, message_id: UUID, settings: RunSettings) -> AskedQuestion:
    """Start another run for a question, beside its earlier answers; an answer's id selects its question."""
    message = await messages.get(tx, message_id)
    assert message.conversation_id is not None, "what is kept stands in a conversation"
    await conversations.lock(tx, message.conversation_id)
    question = await _question_of(tx, message)
    before = await store.find(tx, question.run_id) if question.run_id else None
    limits = RunLimits(memory=before is None or bool(before.context.get("memory")))
    return await _start_run(tx, message.conversation_id, question, settings, limits=limits)


async def delete_conversation(tx: Tx, conversation_id: UUID, *, basis: BaseVersion) -> None:
    """Delete a conversation with its runs. Running ones are cancelled first, which fences off their workers."""
    await conversations.get(tx, conversation_id)
    running = [run for run in await store.lock_of_conversation(tx, conversation_id) if run.status not in ENDED]
    await conversations.lock(tx, conversation_id)
    for run in running:
        await control.cancel(tx, run.id)
    await conversations.delete(tx, conversation_id, basis=basis)


async def _find_waiting_run(tx: Tx, conversation_id: UUID, request: SayMessage) -> Run | None:
    """Lock and return the run that waits for this message as its clarification, else None."""
    if "parent_message_id" not in request.model_fields_set:
        before = await messages.find_newest(tx, conversation_id)
    elif request.parent_message_id is not None:
        before = await messages.get_in_conversation(tx, conversation_id, request.parent_message_id)
    else:
        return None
    if before is None or before.needs_clarification_message is None or before.run_id is None:
        return None
    run = await store.lock(tx, before.run_id)
    return run if run is not None and run.status == RunStatus.WAITING else None


async def _reply(tx: Tx, run: Run, content: str) -> AskedQuestion:
    run = await control.clarify(tx, run.id, content)
    return AskedQuestion(await messages.get(tx, replies.reply_id(run.id, len(run.clarifications))), run)


async def _parent_id(tx: Tx, conversation_id: UUID, request: SayMessage) -> UUID | None:
    if "parent_message_id" not in request.model_fields_set:
        before = await messages.find_newest(tx, conversation_id)
        return before.id if before else None
    if request.parent_message_id is None:
        return None
    return (await messages.get_in_conversation(tx, conversation_id, request.parent_message_id)).id


async def _question_of(tx: Tx, message: Message) -> Message:
    """Return the question of the message's run; a message without a run is its own question."""
    run = await store.find(tx, message.run_id) if message.run_id else None
    return await messages.get(tx, run.message_id) if run is not None and run.message_id else message


@dataclass(frozen=True, slots=True)
class RunLimits:
    """Whether memory is used for a question, and what its answer may cost; None is the workspace's most."""

    memory: bool = True
    budget_cents: Decimal | None = None


async def _start_run(
    tx: Tx, conversation_id: UUID, question: Message, settings: RunSettings, *, limits: RunLimits
) -> AskedQuestion:
    turns = await messages.load_turns(tx, question.parent_message_id)
    uses_memory = limits.memory and (await conversations.get(tx, conversation_id)).uses_memory
    request = wire.StartRun(
        question=question.content,
        deliverable_type=question.deliverable_type or DeliverableType.STANDARD,
        context=_search_context(question.context_references).model_copy(update={"memory": uses_memory}),
        budget_cents=limits.budget_cents,
    )
    run = await start(tx, request, settings, origin=QuestionOrigin(conversation_id, question.id, turns))
    return AskedQuestion(await messages.set_run(tx, conversation_id, question.id, run_id=run.id), run)


def _search_context(named: list[ContextReference]) -> wire.Context:
    """Return the search scope of the references: everywhere as soon as one names the whole library."""
    if any(each.reference_type is ReferenceType.ALL_FILESYSTEM for each in named):
        return wire.Context()
    return wire.Context(
        document_ids=list(dict.fromkeys(each.document_id for each in named if each.document_id)),
        folders=list(dict.fromkeys(each.folder_path for each in named if each.folder_path)),
    )
