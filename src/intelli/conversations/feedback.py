"""Feedback: what a reader thinks of a message, one opinion each, which may change."""

from uuid import UUID

from intelli.conversations import messages, wire
from intelli.conversations.store import messages as store
from intelli.kit.db import Tx


async def give(tx: Tx, message_id: UUID, request: wire.GiveFeedback) -> wire.Feedback:
    """Say what the caller thinks of a message, in place of what they said before."""
    message = await messages.get(tx, message_id)
    await store.rate(tx, message.id, rating=request.rating, remark=request.text or None)
    return wire.Feedback(rating=request.rating, text=request.text or None)


async def take_back(tx: Tx, message_id: UUID) -> None:
    """Have no opinion on a message."""
    message = await messages.get(tx, message_id)
    await store.unrate(tx, message.id)
