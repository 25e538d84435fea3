"""Tables of conversations. Rows belong to the user who asked; the whole workspace reads a shared conversation."""

from datetime import datetime
from decimal import Decimal
from typing import Any
from uuid import UUID

from sqlalchemy import BigInteger, CheckConstraint, ForeignKeyConstraint, Index, Numeric, UniqueConstraint, func
from sqlalchemy.dialects.postgresql import JSONB, TSVECTOR
from sqlalchemy.orm import Mapped, mapped_column

from intelli.kit.tables import Base, TenantRow

_OF_WORKSPACE = (["tenant_id"], ["workspaces.id"])


class Conversation(TenantRow, Base):
    """Thread of questions and answers. `version` counts changes by its owner, not messages."""

    __tablename__ = "conversations"
    __table_args__ = (
        ForeignKeyConstraint(*_OF_WORKSPACE, ondelete="CASCADE"),
        Index(None, "tenant_id", "user_id", "last_activity_at", "id"),
        ForeignKeyConstraint(
            ["tenant_id", "initialization_document_id"],
            ["documents.tenant_id", "documents.id"],
            ondelete="SET NULL (initialization_document_id)",
        ),
        Index(None, "tenant_id", "initialization_document_id"),
        CheckConstraint("initialization_context in ('new_chat', 'file', 'folder')", name="initialization_context"),
    )

    user_id: Mapped[UUID]
    title: Mapped[str | None]
    initialization_context: Mapped[str] = mapped_column(server_default="new_chat")
    initialization_path: Mapped[str | None]
    initialization_document_id: Mapped[UUID | None]
    uses_memory: Mapped[bool] = mapped_column(server_default="true")
    is_pinned: Mapped[bool] = mapped_column(server_default="false")
    is_archived: Mapped[bool] = mapped_column(server_default="false")
    is_shared: Mapped[bool] = mapped_column(server_default="false")
    last_message_preview: Mapped[str] = mapped_column(server_default="")
    last_activity_at: Mapped[datetime] = mapped_column(server_default=func.now())
    message_count: Mapped[int] = mapped_column(server_default="0")
    total_tokens_used: Mapped[int] = mapped_column(BigInteger, server_default="0")
    request_count: Mapped[int] = mapped_column(server_default="0")
    version: Mapped[int] = mapped_column(BigInteger, server_default="1")
    updated_at: Mapped[datetime] = mapped_column(server_default=func.now())


class Message(TenantRow, Base):
    """Turn of a conversation. `position` counts from 1 over all branches; `words` is the full-text search vector."""

    __tablename__ = "messages"
    __table_args__ = (
        UniqueConstraint("tenant_id", "conversation_id", "position"),
        ForeignKeyConstraint(*_OF_WORKSPACE, ondelete="CASCADE"),
        ForeignKeyConstraint(
            ["tenant_id", "conversation_id"], ["conversations.tenant_id", "conversations.id"], ondelete="CASCADE"
        ),
        ForeignKeyConstraint(["tenant_id", "parent_message_id"], ["messages.tenant_id", "messages.id"]),
        Index(None, "tenant_id", "parent_message_id"),
        CheckConstraint("role in ('user', 'agent')", name="role"),
    )

    conversation_id: Mapped[UUID]
    user_id: Mapped[UUID]
    position: Mapped[int]
    parent_message_id: Mapped[UUID | None]
    role: Mapped[str]
    content: Mapped[str]
    words: Mapped[str] = mapped_column(TSVECTOR)
    # The newest run of a question, or the one that wrote an answer. Runs come after conversations: no reference.
    run_id: Mapped[UUID | None]
    confidence_score: Mapped[float | None]
    confidence: Mapped[dict[str, Any] | None] = mapped_column(JSONB(none_as_null=True))
    input_tokens: Mapped[int] = mapped_column(BigInteger, server_default="0")
    output_tokens: Mapped[int] = mapped_column(BigInteger, server_default="0")
    cost_cents: Mapped[Decimal] = mapped_column(Numeric(20, 10), server_default="0")
    deliverable_type: Mapped[str | None]
    needs_clarification_message: Mapped[str | None]
    context_references: Mapped[list[dict[str, Any]]] = mapped_column(JSONB, server_default="[]")
    follow_ups: Mapped[list[str]] = mapped_column(JSONB, server_default="[]")
    problems: Mapped[list[str]] = mapped_column(JSONB, server_default="[]")


class Feedback(TenantRow, Base):
    """Rating of a message by one reader."""

    __tablename__ = "message_feedback"
    __table_args__ = (
        UniqueConstraint("tenant_id", "message_id", "user_id"),
        ForeignKeyConstraint(*_OF_WORKSPACE, ondelete="CASCADE"),
        ForeignKeyConstraint(["tenant_id", "message_id"], ["messages.tenant_id", "messages.id"], ondelete="CASCADE"),
        CheckConstraint("rating in ('thumbs_up', 'thumbs_down')", name="rating"),
    )

    message_id: Mapped[UUID]
    user_id: Mapped[UUID]
    rating: Mapped[str]
    text: Mapped[str | None]
    updated_at: Mapped[datetime] = mapped_column(server_default=func.now())
