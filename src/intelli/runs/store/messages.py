"""Query of messages with the status and reasoner of their runs and the reader's own feedback."""

from dataclasses import dataclass
from uuid import UUID

from sqlalchemy import and_, select

from intelli.conversations.tables import Conversation, Feedback, Message
from intelli.kit.db import Tx
from intelli.runs.tables import Run


@dataclass(frozen=True, slots=True)
class SeenMessage:
    """A message, the reader's feedback on it, and status and reasoner of its run as far as the reader may know them."""

    message: Message
    feedback: Feedback | None
    run_status: str | None
    reasoner: str | None


async def page(tx: Tx, conversation_id: UUID, *, after: int, limit: int) -> list[SeenMessage] | None:
    """List the next messages of a conversation; None when the caller may not read it."""
    of_conversation = and_(
        Message.tenant_id == Conversation.tenant_id,
        Message.conversation_id == Conversation.id,
        Message.position > after,
    )
    by_reader = and_(
        Feedback.tenant_id == Message.tenant_id,
        Feedback.message_id == Message.id,
        Feedback.user_id == tx.person_id,
    )
    behind = and_(Run.tenant_id == Message.tenant_id, Run.id == Message.run_id)
    statement = (
        select(Conversation.id, Message, Feedback, Run.status, Run.reasoner, Message.position)
        .outerjoin(Message, of_conversation)
        .outerjoin(Feedback, by_reader)
        .outerjoin(Run, behind)
        .where(Conversation.tenant_id == tx.tenant_id, Conversation.id == conversation_id)
        .order_by(Message.position)
        .limit(limit)
    )
    rows = (await tx.session.execute(statement)).all()
    if not rows:
        return None
    # A conversation in which nothing was said yet is one row without a message.
    return [SeenMessage(row[1], row[2], row[3], row[4]) for row in rows if row.position is not None]
