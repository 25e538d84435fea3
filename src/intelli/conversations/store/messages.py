"""SQL queries on messages and feedback."""

import re
from collections.abc import Sequence
from typing import Any
from uuid import UUID

from sqlalchemy import Function, delete, func, select, text, update
from sqlalchemy.dialects.postgresql import insert

from intelli.conversations.tables import Conversation, Feedback, Message
from intelli.kit.db import Tx
from intelli.kit.ids import uuid7

# PostgreSQL keeps no more than a megabyte of words for one text.
_MOST_SEARCHED = 100_000
_LONG_RUN = re.compile(r"(\S{100})(?=\S)")
_BRANCH = text("""
    with recursive branch as (
        select id, parent_message_id, role, content, 1 as depth from messages
         where tenant_id = :tenant_id and id = :message_id
        union all
        select m.id, m.parent_message_id, m.role, m.content, b.depth + 1 from branch b
          join messages m on m.tenant_id = :tenant_id and m.id = b.parent_message_id
         where b.depth < :depth)
    select role, content from branch order by depth desc
""")


async def find(tx: Tx, message_id: UUID) -> Message | None:
    """Return the message if the caller may read it; else None."""
    statement = select(Message).where(Message.tenant_id == tx.tenant_id, Message.id == message_id)
    return await tx.session.scalar(statement.execution_options(populate_existing=True))


async def find_newest(tx: Tx, conversation_id: UUID) -> Message | None:
    """Return the message with the highest position, which has no replies; None when there is none."""
    mine = select(Message).where(Message.tenant_id == tx.tenant_id, Message.conversation_id == conversation_id)
    return await tx.session.scalar(mine.order_by(Message.position.desc()).limit(1))


async def upsert(tx: Tx, message_id: UUID, values: dict[str, object], *, plain: str) -> None:
    """Insert a message or rewrite an existing one. Its search vector is built from the plain text."""
    row = {"tenant_id": tx.tenant_id, "id": message_id, **values, "words": build_search_vector(plain)}
    statement = insert(Message).values(row)
    kept = {name: statement.excluded[name] for name in row if name not in {"tenant_id", "id", "position"}}
    await tx.session.execute(statement.on_conflict_do_update(index_elements=["tenant_id", "id"], set_=kept))


def build_search_vector(plain: str) -> Function[Any]:
    """Build the search vector of a text.

    PostgreSQL's parser looks back over a whole run of characters without blanks, and ahead from every `<` that may open
    a comment: splitting long runs and removing `<` keeps its time proportional to the length of the text.
    """
    return func.to_tsvector("simple", _LONG_RUN.sub(r"\1 ", plain[:_MOST_SEARCHED].replace("<", " ")))


async def change(tx: Tx, message_id: UUID, **values: object) -> None:
    """Update columns of a message."""
    mine = update(Message).where(Message.tenant_id == tx.tenant_id, Message.id == message_id)
    await tx.session.execute(mine.values(values))


async def load_branch(tx: Tx, message_id: UUID, *, depth: int) -> list[tuple[str, str]]:
    """Return role and content of a message and its ancestors, oldest first; at most `depth`, nearest to the message."""
    rows = await tx.session.execute(_BRANCH, {"tenant_id": tx.tenant_id, "message_id": message_id, "depth": depth})
    return [(row.role, row.content) for row in rows]


async def list_messages(tx: Tx, conversation_id: UUID) -> Sequence[Message]:
    """Return every message of a conversation, ordered by position."""
    mine = select(Message).where(Message.tenant_id == tx.tenant_id, Message.conversation_id == conversation_id)
    return (await tx.session.scalars(mine.order_by(Message.position))).all()


async def upsert_feedback(tx: Tx, message_id: UUID, *, rating: str, remark: str | None) -> None:
    """Insert the caller's feedback on a message or replace an earlier one."""
    row = {"tenant_id": tx.tenant_id, "id": uuid7(), "message_id": message_id, "user_id": tx.person_id}
    statement = insert(Feedback).values({**row, "rating": rating, "text": remark})
    await tx.session.execute(
        statement.on_conflict_do_update(
            index_elements=["tenant_id", "message_id", "user_id"],
            set_={"rating": rating, "text": remark, "updated_at": text("now()")},
        )
    )


async def delete_feedback(tx: Tx, message_id: UUID) -> None:
    """Delete the caller's feedback on a message."""
    mine = (Feedback.tenant_id == tx.tenant_id, Feedback.message_id == message_id, Feedback.user_id == tx.person_id)
    await tx.session.execute(delete(Feedback).where(*mine))


async def add_to_totals(tx: Tx, conversation_id: UUID, *, preview: str, messages: int, tokens: int) -> None:
    """Add to the conversation's number of messages and tokens; set preview and time of the latest activity."""
    mine = update(Conversation).where(Conversation.tenant_id == tx.tenant_id, Conversation.id == conversation_id)
    await tx.session.execute(
        mine.values(
            message_count=Conversation.message_count + messages,
            total_tokens_used=Conversation.total_tokens_used + tokens,
            last_message_preview=preview,
            last_activity_at=func.greatest(func.clock_timestamp(), Conversation.last_activity_at),
        )
    )


async def increment_requests(tx: Tx, conversation_id: UUID) -> None:
    """Increment the conversation's number of requests."""
    mine = update(Conversation).where(Conversation.tenant_id == tx.tenant_id, Conversation.id == conversation_id)
    await tx.session.execute(mine.values(request_count=Conversation.request_count + 1))
