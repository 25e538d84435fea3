"""HTTP routes that ask in a conversation, read it, and delete it with its runs."""

from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Depends

from intelli.citations.routes import Keeping
from intelli.conversations.wire import Message, SayMessage
from intelli.deliverables import show as deliverables
from intelli.deliverables.wire import Deliverable, NewDeliverable
from intelli.kit.http import Cursor, Db, IfMatch, Limit, OnceOnly, Reader, Writer
from intelli.kit.wire import Page
from intelli.library.optimistic_lock import BaseVersion
from intelli.runs import ask, history, show, wake, wire
from intelli.runs.routes.dependencies import Rules

of_conversations = APIRouter(prefix="/conversations", tags=["conversations"])
of_messages = APIRouter(prefix="/messages", tags=["messages"])


def _basis(if_match: IfMatch = None) -> BaseVersion:
    return BaseVersion(if_match)


BasedOn = Annotated[BaseVersion, Depends(_basis)]


@of_conversations.post("/{conversation_id}/messages", status_code=202)
async def say_message(
    conversation_id: UUID, body: SayMessage, who: Writer, once: OnceOnly, db: Db, rules: Rules
) -> wire.Asked:
    """Ask, or reply to what was asked back. The answer comes over the run's stream."""

    async def begin() -> wire.Asked:
        return _answer(await ask.ask(tx, conversation_id, body, rules))

    async with db.begin(who) as tx:
        return await once.answer(tx, wire.Asked, begin)


@of_conversations.get("/{conversation_id}/messages")
async def list_messages(
    conversation_id: UUID, who: Reader, db: Db, keeping: Keeping, cursor: Cursor = None, limit: Limit = 100
) -> Page[Message]:
    """All that was said in a conversation, on every branch, in the order it came."""
    async with db.begin(who) as tx:
        return await history.list_messages(
            tx, conversation_id, cursor=cursor, limit=limit, keep_excerpts=keeping.keep_excerpts
        )


@of_conversations.delete("/{conversation_id}", status_code=204)
async def delete_conversation(conversation_id: UUID, who: Writer, db: Db, based_on: BasedOn) -> None:
    """Delete a conversation with all that was said and found in it. Runs that are at work are stopped."""
    async with db.begin(who) as tx:
        await ask.delete_conversation(tx, conversation_id, basis=based_on)


@of_messages.post("/{message_id}/retry", status_code=202)
async def ask_again(message_id: UUID, who: Writer, once: OnceOnly, db: Db, rules: Rules) -> wire.Asked:
    """Have a question answered once more, beside the answers it has. An answer stands for its question."""

    async def begin() -> wire.Asked:
        return _answer(await ask.ask_again(tx, message_id, rules))

    async with db.begin(who) as tx:
        return await once.answer(tx, wire.Asked, begin)


@of_messages.post("/{message_id}/deliverables", status_code=202)
async def deliver_message(message_id: UUID, body: NewDeliverable, who: Writer, once: OnceOnly, db: Db) -> Deliverable:
    """Have a deliverable made from an answer that is there. No new run is begun and no model is asked."""

    async def begin() -> Deliverable:
        # What executes runs is loaded by who needs it.
        from intelli.runs import redeliver

        row = await redeliver.begin(tx, message_id, body.kind)
        await wake.redeliver(tx, row.id)
        return deliverables.to_wire(row)

    async with db.begin(who) as tx:
        return await once.answer(tx, Deliverable, begin)


def _answer(asked: ask.AskedQuestion) -> wire.Asked:
    message = asked.message.model_copy(update={"run_status": asked.run.status})
    return wire.Asked(message=message, run=show.to_wire(asked.run))
