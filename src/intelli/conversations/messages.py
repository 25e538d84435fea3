"""Messages: what is said in a conversation. Whoever adds one holds the conversation, so that each has its place."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any
from uuid import UUID

from intelli.conversations import conversations, show, wire
from intelli.conversations.errors import MessageNotFound
from intelli.conversations.plain_text import cut, plain, preview
from intelli.conversations.store import messages as store
from intelli.conversations.wire import Speaker
from intelli.entities import entities
from intelli.entities.wire import Entity
from intelli.kit.db import Tx
from intelli.kit.wire import Page
from intelli.reasoning.values import Turn

# What the next question is read in the light of: the end of the branch, and of each message its beginning.
_MOST_TURNS = 12
_TURN_CHARACTERS = 2000
_SPEAKERS = {Speaker.USER: "user", Speaker.AGENT: "assistant"}


@dataclass(frozen=True, slots=True)
class MessageDraft:
    """A message to keep. Its id is known beforehand, so that to say it again changes nothing."""

    id: UUID
    conversation_id: UUID
    parent_message_id: UUID | None
    content: str
    run_id: UUID | None = None
    deliverable_type: str | None = None
    context_references: Sequence[wire.ContextReference] = ()


@dataclass(frozen=True, slots=True)
class AnswerDetails:
    """What an answer comes with: how sure it is, what it cost, what it had to do without and what it leads to."""

    confidence_score: float | None = None
    input_tokens: int = 0
    output_tokens: int = 0
    cost_cents: Decimal = Decimal(0)
    problems: list[str] = field(default_factory=list)
    follow_ups: list[str] = field(default_factory=list)
    needs_clarification_message: str | None = None


async def get(tx: Tx, message_id: UUID) -> wire.Message:
    """A message that the caller may read."""
    message = await store.find(tx, message_id)
    if message is None:
        raise missing()
    return show.bare(message)


async def get_in(tx: Tx, conversation_id: UUID, message_id: UUID) -> wire.Message:
    """A message of a conversation."""
    message = await get(tx, message_id)
    if message.conversation_id != conversation_id:
        raise missing()
    return message


async def entities_of(tx: Tx, message_id: UUID, *, cursor: str | None, limit: int) -> Page[Entity]:
    """A page of what was found and made for a message; that of a run without a conversation is known by having some."""
    page = await entities.list_entities(tx, message_id=message_id, cursor=cursor, limit=limit)
    if not page.items and cursor is None:
        await get(tx, message_id)
    return page


async def find_newest(tx: Tx, conversation_id: UUID) -> wire.Message | None:
    """The message that came last."""
    message = await store.newest(tx, conversation_id)
    return show.bare(message) if message else None


async def say(tx: Tx, spoken: MessageDraft) -> wire.Message:
    """Keep what a person said."""
    references = [each.model_dump(mode="json") for each in spoken.context_references]
    return await _keep(tx, spoken, Speaker.USER, {"context_references": references})


async def answer(tx: Tx, spoken: MessageDraft, account: AnswerDetails) -> wire.Message:
    """Keep what was answered."""
    values = {name: getattr(account, name) for name in AnswerDetails.__dataclass_fields__}
    return await _keep(tx, spoken, Speaker.AGENT, values)


async def settle(tx: Tx, message_id: UUID) -> None:
    """Note that nothing is asked back any more."""
    await store.change(tx, message_id, needs_clarification_message=None)


async def belong(tx: Tx, conversation_id: UUID, message_id: UUID, *, run_id: UUID) -> wire.Message:
    """Note the newest run of a question."""
    await store.change(tx, message_id, run_id=run_id)
    await store.count_request(tx, conversation_id)
    return await get(tx, message_id)


async def turns(tx: Tx, message_id: UUID | None) -> tuple[Turn, ...]:
    """What was said up to a message and in it, as context for what comes next."""
    if message_id is None:
        return ()
    said = await store.branch(tx, message_id, depth=_MOST_TURNS)
    return tuple(
        Turn.model_validate({"role": _SPEAKERS[Speaker(role)], "text": cut(plain(content), _TURN_CHARACTERS)})
        for role, content in said
    )


def missing() -> MessageNotFound:
    """There is no such message for the caller."""
    return MessageNotFound("There is no such message. Read the conversation again to see what there is.")


async def _keep(tx: Tx, spoken: MessageDraft, role: Speaker, values: dict[str, Any]) -> wire.Message:
    conversation = await conversations.hold(tx, spoken.conversation_id)
    known = await store.find(tx, spoken.id)
    words = plain(spoken.content)
    row = {
        "conversation_id": conversation.id,
        "user_id": conversation.user_id,
        "position": conversation.message_count + 1,
        "parent_message_id": spoken.parent_message_id,
        "role": role,
        "content": spoken.content,
        "run_id": spoken.run_id,
        "deliverable_type": spoken.deliverable_type,
        **values,
    }
    await store.put(tx, spoken.id, row, plain=words)
    before = known.input_tokens + known.output_tokens if known else 0
    tokens = values.get("input_tokens", 0) + values.get("output_tokens", 0) - before
    counts = {"messages": 0 if known else 1, "tokens": tokens}
    await store.count_up(tx, conversation.id, preview=preview(spoken.content), **counts)
    return await get(tx, spoken.id)
