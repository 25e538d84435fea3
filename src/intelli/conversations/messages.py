"""Messages of a conversation. Inserting one locks the conversation, so that each gets its own position."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any
from uuid import UUID

from intelli.citations.wire import Confidence
from intelli.conversations import conversations, show, wire
from intelli.conversations.errors import MessageNotFound
from intelli.conversations.plain_text import preview, strip_citations, truncate
from intelli.conversations.store import messages as store
from intelli.conversations.wire import Speaker
from intelli.entities import entities
from intelli.entities.wire import Entity
from intelli.kit.db import Tx
from intelli.kit.wire import Page
from intelli.reasoning.values import Turn

# Context of the next question: the last messages of the branch, and the beginning of each.
_MOST_TURNS = 12
_TURN_CHARACTERS = 2000
_SPEAKERS = {Speaker.USER: "user", Speaker.AGENT: "assistant"}


@dataclass(frozen=True, slots=True)
class MessageDraft:
    """Message to save. Its id is chosen beforehand, so that saving it twice changes nothing."""

    id: UUID
    conversation_id: UUID
    parent_message_id: UUID | None
    content: str
    run_id: UUID | None = None
    deliverable_type: str | None = None
    context_references: Sequence[wire.ContextReference] = ()


@dataclass(frozen=True, slots=True)
class AnswerDetails:
    """Fields of an answer beside its text: confidence, usage and cost, problems, follow-ups, question back."""

    confidence_score: float | None = None
    confidence: Confidence | None = None
    input_tokens: int = 0
    output_tokens: int = 0
    cost_cents: Decimal = Decimal(0)
    problems: list[str] = field(default_factory=list)
    follow_ups: list[str] = field(default_factory=list)
    needs_clarification_message: str | None = None


async def get(tx: Tx, message_id: UUID) -> wire.Message:
    """Return a message that the caller may read. Raises MessageNotFound."""
    message = await store.find(tx, message_id)
    if message is None:
        raise not_found()
    return show.to_wire(message)


async def get_in_conversation(tx: Tx, conversation_id: UUID, message_id: UUID) -> wire.Message:
    """Return a message of this conversation. Raises MessageNotFound."""
    message = await get(tx, message_id)
    if message.conversation_id != conversation_id:
        raise not_found()
    return message


async def list_entities(tx: Tx, message_id: UUID, *, cursor: str | None, limit: int) -> Page[Entity]:
    """Return a page of the entities of a message. Raises MessageNotFound.

    A message id of a run without a conversation has no row; it is valid when it has entities.
    """
    page = await entities.list_entities(tx, message_id=message_id, cursor=cursor, limit=limit)
    if not page.items and cursor is None:
        await get(tx, message_id)
    return page


async def find_newest(tx: Tx, conversation_id: UUID) -> wire.Message | None:
    """Return the latest message of a conversation; None when it is empty."""
    message = await store.find_newest(tx, conversation_id)
    return show.to_wire(message) if message else None


async def save_question(tx: Tx, draft: MessageDraft) -> wire.Message:
    """Save a user's message."""
    references = [each.model_dump(mode="json") for each in draft.context_references]
    return await _save(tx, draft, Speaker.USER, {"context_references": references})


async def save_answer(tx: Tx, draft: MessageDraft, details: AnswerDetails) -> wire.Message:
    """Save an answer."""
    values = {name: getattr(details, name) for name in AnswerDetails.__dataclass_fields__}
    values["confidence"] = details.confidence.model_dump(mode="json") if details.confidence else None
    return await _save(tx, draft, Speaker.AGENT, values)


async def clear_clarification(tx: Tx, message_id: UUID) -> None:
    """Clear the question back to the user."""
    await store.change(tx, message_id, needs_clarification_message=None)


async def set_run(tx: Tx, conversation_id: UUID, message_id: UUID, *, run_id: UUID) -> wire.Message:
    """Set the newest run of a question and increment the conversation's number of requests."""
    await store.change(tx, message_id, run_id=run_id)
    await store.increment_requests(tx, conversation_id)
    return await get(tx, message_id)


async def load_turns(tx: Tx, message_id: UUID | None) -> tuple[Turn, ...]:
    """Return the last turns of the branch up to and including a message, oldest first, each shortened."""
    if message_id is None:
        return ()
    branch = await store.load_branch(tx, message_id, depth=_MOST_TURNS)
    return tuple(
        Turn.model_validate(
            {"role": _SPEAKERS[Speaker(role)], "text": truncate(strip_citations(content), _TURN_CHARACTERS)}
        )
        for role, content in branch
    )


def not_found() -> MessageNotFound:
    """Return the error for a message that does not exist for the caller."""
    return MessageNotFound("There is no such message. Read the conversation again to see what there is.")


async def _save(tx: Tx, draft: MessageDraft, role: Speaker, values: dict[str, Any]) -> wire.Message:
    """Insert or rewrite a message with its conversation locked, and update the conversation's totals."""
    conversation = await conversations.lock(tx, draft.conversation_id)
    known = await store.find(tx, draft.id)
    words = strip_citations(draft.content)
    row = {
        "conversation_id": conversation.id,
        "user_id": conversation.user_id,
        "position": conversation.message_count + 1,
        "parent_message_id": draft.parent_message_id,
        "role": role,
        "content": draft.content,
        "run_id": draft.run_id,
        "deliverable_type": draft.deliverable_type,
        **values,
    }
    await store.upsert(tx, draft.id, row, plain=words)
    before = known.input_tokens + known.output_tokens if known else 0
    tokens = values.get("input_tokens", 0) + values.get("output_tokens", 0) - before
    counts = {"messages": 0 if known else 1, "tokens": tokens}
    await store.add_to_totals(tx, conversation.id, preview=preview(draft.content), **counts)
    return await get(tx, draft.id)
