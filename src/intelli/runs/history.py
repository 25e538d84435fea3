"""Message history of a conversation: each message with the status of its run and everything attached to it."""

from uuid import UUID

from intelli.conversations import conversations, show
from intelli.conversations.wire import Feedback, Message
from intelli.kit import pagination
from intelli.kit.db import Tx
from intelli.kit.wire import Page
from intelli.runs.store import messages as store
from intelli.runs.store.messages import SeenMessage


async def list_messages(
    tx: Tx, conversation_id: UUID, *, cursor: str | None, limit: int, keep_excerpts: bool
) -> Page[Message]:
    """Return a page of the whole message tree, in order of creation. Takes three queries, whatever the length."""
    after = pagination.decode_number(cursor) or 0
    rows = await store.page(tx, conversation_id, after=after, limit=limit + 1)
    if rows is None:
        raise conversations.not_found()
    messages = await show.attach_details(tx, [_to_wire(row) for row in rows[:limit]], keep_excerpts=keep_excerpts)
    next_cursor = pagination.encode(rows[limit - 1].message.position) if len(rows) > limit else None
    return Page(items=messages, next_cursor=next_cursor)


def _to_wire(seen: SeenMessage) -> Message:
    feedback = Feedback.model_validate(seen.feedback) if seen.feedback is not None else None
    return show.to_wire(seen.message, run_status=seen.run_status, reasoner=seen.reasoner, feedback=feedback)
