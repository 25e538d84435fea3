"""SQL queries on conversations."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from sqlalchemy import ColumnElement, Select, delete, func, or_, select, text, true, tuple_, update
from sqlalchemy.orm import InstrumentedAttribute
from sqlalchemy.sql.selectable import LateralFromClause

from intelli.conversations.tables import Conversation, Message
from intelli.entities.tables import Entity
from intelli.kit.db import Tx


@dataclass(frozen=True, slots=True)
class ConversationQuery:
    """Conditions of a list; None means any. `tsquery` searches for words, `literally` for a substring."""

    user_id: UUID | None = None
    not_user_id: UUID | None = None
    is_archived: bool | None = None
    is_pinned: bool | None = None
    tsquery: str | None = None
    literally: str | None = None


@dataclass(frozen=True, slots=True)
class FoundConversation:
    """Conversation with its newest matching message; None without a search, or when only the title matches."""

    conversation: Conversation
    content: str | None


def add(tx: Tx, conversation: Conversation) -> None:
    """Add a conversation to the session."""
    tx.session.add(conversation)


async def flush(tx: Tx) -> None:
    """Write pending changes, so that later statements see them."""
    await tx.session.flush()


async def find(tx: Tx, conversation_id: UUID) -> Conversation | None:
    """Return the conversation if the caller may read it; else None."""
    return await tx.session.scalar(_select_one(tx, conversation_id))


async def lock(tx: Tx, conversation_id: UUID) -> Conversation | None:
    """Return one of the caller's own conversations and lock its row until the transaction ends; else None."""
    locked = _select_one(tx, conversation_id).with_for_update(key_share=True)
    return await tx.session.scalar(locked)


async def change(tx: Tx, conversation_id: UUID, **values: object) -> None:
    """Update columns of a conversation."""
    columns: dict[InstrumentedAttribute[object], object] = {
        getattr(Conversation, name): value for name, value in values.items()
    }
    statement = update(Conversation).where(*_has_id(tx, conversation_id))
    await tx.session.execute(statement.values({**columns, Conversation.updated_at: text("now()")}))


async def remove(tx: Tx, conversation_id: UUID) -> None:
    """Delete a conversation with its messages and everything found in it."""
    await tx.session.execute(delete(Conversation).where(*_has_id(tx, conversation_id)))


async def list_by_activity(
    tx: Tx, which: ConversationQuery, *, after: tuple[datetime, UUID] | None, limit: int
) -> list[FoundConversation]:
    """Return matching conversations, the one with the latest activity first."""
    mine = select(Conversation).where(Conversation.tenant_id == tx.tenant_id, *_conditions(which))
    if after is not None:
        mine = mine.where(tuple_(Conversation.last_activity_at, Conversation.id) < tuple_(*after))
    ordered = mine.order_by(Conversation.last_activity_at.desc(), Conversation.id.desc()).limit(limit)
    if which.tsquery is None:
        return [FoundConversation(each, None) for each in (await tx.session.scalars(ordered)).all()]
    hit = _select_match(which)
    in_title = func.to_tsvector("simple", func.coalesce(Conversation.title, "")).op("@@")(_tsquery(which))
    is_found = or_(in_title, hit.c.content.is_not(None))
    searched = ordered.add_columns(hit.c.content).outerjoin(hit, true()).where(is_found)
    return [FoundConversation(row[0], row[1]) for row in await tx.session.execute(searched)]


async def filter_in_progress(tx: Tx, conversation_ids: Sequence[UUID]) -> set[UUID]:
    """Return those of the conversations that have an entity in progress."""
    statement = select(Entity.conversation_id).where(
        Entity.tenant_id == tx.tenant_id,
        Entity.conversation_id.in_(conversation_ids),
        Entity.status == "in_progress",
        Entity.due_at > func.now(),
    )
    return {each for each in await tx.session.scalars(statement.distinct()) if each is not None}


def _select_match(which: ConversationQuery) -> LateralFromClause:
    """Select the content of the newest matching message of each conversation."""
    matches: list[ColumnElement[bool]] = [Message.words.op("@@")(_tsquery(which))]
    if which.literally is not None:
        matches.append(func.strpos(func.lower(Message.content), func.lower(which.literally)) > 0)
    newest = (
        select(Message.content)
        .where(Message.tenant_id == Conversation.tenant_id, Message.conversation_id == Conversation.id, or_(*matches))
        .order_by(Message.position.desc())
        .limit(1)
    )
    return newest.correlate(Conversation).lateral("hit")


def _tsquery(which: ConversationQuery) -> ColumnElement[str]:
    return func.to_tsquery("simple", which.tsquery)


def _conditions(which: ConversationQuery) -> list[ColumnElement[bool]]:
    conditions: list[ColumnElement[bool]] = []
    if which.user_id is not None:
        conditions.append(Conversation.user_id == which.user_id)
    if which.not_user_id is not None:
        conditions.append(Conversation.user_id != which.not_user_id)
    if which.is_archived is not None:
        conditions.append(Conversation.is_archived == which.is_archived)
    if which.is_pinned is not None:
        conditions.append(Conversation.is_pinned == which.is_pinned)
    return conditions


def _has_id(tx: Tx, conversation_id: UUID) -> tuple[ColumnElement[bool], ...]:
    return Conversation.tenant_id == tx.tenant_id, Conversation.id == conversation_id


def _select_one(tx: Tx, conversation_id: UUID) -> Select[Conversation]:
    statement = select(Conversation).where(*_has_id(tx, conversation_id))
    return statement.execution_options(populate_existing=True)
