"""Feedback of readers on messages: one rating per reader, which may be changed."""

from uuid import UUID

from intelli.conversations import messages, wire
from intelli.conversations.store import messages as store
from intelli.kit.db import Tx


async def save(tx: Tx, message_id: UUID, request: wire.GiveFeedback) -> wire.Feedback:
    """Save the caller's rating of a message in place of an earlier one."""
    message = await messages.get(tx, message_id)
    await store.upsert_feedback(tx, message.id, rating=request.rating, remark=request.text or None)
    return wire.Feedback(rating=request.rating, text=request.text or None)


async def delete(tx: Tx, message_id: UUID) -> None:
    """Delete the caller's rating of a message."""
    message = await messages.get(tx, message_id)
    await store.delete_feedback(tx, message.id)
