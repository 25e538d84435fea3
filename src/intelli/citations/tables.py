"""Tables of citations. They are private to the person whose message it is, so each row names them for its policy."""

from datetime import date, datetime
from typing import Any
from uuid import UUID

from sqlalchemy import BigInteger, CheckConstraint, ForeignKeyConstraint, Index, UniqueConstraint, func
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column

from intelli.kit.tables import Base, TenantRow

_OF_WORKSPACE = (["tenant_id"], ["workspaces.id"])
_OF_RUN = (["tenant_id", "run_id"], ["runs.tenant_id", "runs.id"])


class Citation(TenantRow, Base):
    """One citation of a message. It names bytes and a span, and copies what it shows: no change elsewhere can move it.

    `held_sha256` keeps what was read of the bytes from being swept, so that the citation can be opened and checked
    when the document is gone. `compared_sha256` is the newer content of the document in which the quote was last
    searched.
    """

    __tablename__ = "message_citations"
    __table_args__ = (
        UniqueConstraint("tenant_id", "message_id", "ordinal"),
        ForeignKeyConstraint(*_OF_WORKSPACE, ondelete="CASCADE"),
        ForeignKeyConstraint(*_OF_RUN, ondelete="CASCADE"),
        ForeignKeyConstraint(
            ["tenant_id", "entity_id"], ["entities.tenant_id", "entities.id"], ondelete="SET NULL (entity_id)"
        ),
        ForeignKeyConstraint(
            ["tenant_id", "document_id"], ["documents.tenant_id", "documents.id"], ondelete="SET NULL (document_id)"
        ),
        ForeignKeyConstraint(["tenant_id", "held_sha256"], ["readings.tenant_id", "readings.sha256"]),
        CheckConstraint("outcome in ('verified', 'weak', 'failed', 'unchecked')", name="outcome"),
        CheckConstraint("decision in ('accepted', 'disputed')", name="decision"),
        CheckConstraint("char_start >= 0 and char_end >= char_start", name="span"),
        Index(None, "tenant_id", "run_id"),
        Index(None, "tenant_id", "conversation_id"),
        Index(None, "tenant_id", "entity_id"),
        Index(None, "tenant_id", "document_id"),
        Index(None, "tenant_id", "held_sha256"),
    )

    user_id: Mapped[UUID]
    run_id: Mapped[UUID | None]
    conversation_id: Mapped[UUID | None]
    message_id: Mapped[UUID]
    ordinal: Mapped[int]
    identifier: Mapped[str]
    entity_id: Mapped[UUID | None]
    episode_id: Mapped[UUID | None]
    document_id: Mapped[UUID | None]
    document_version: Mapped[int | None] = mapped_column(BigInteger)
    file_name: Mapped[str]
    path: Mapped[str]
    mime_type: Mapped[str]
    source_type: Mapped[str]
    fetch_strategy: Mapped[str]
    relevance_score: Mapped[float]
    sha256: Mapped[str]
    text_sha256: Mapped[str | None]
    held_sha256: Mapped[str | None]
    char_start: Mapped[int] = mapped_column(BigInteger)
    char_end: Mapped[int] = mapped_column(BigInteger)
    page: Mapped[int | None]
    section: Mapped[str | None]
    quote: Mapped[str]
    quote_sha256: Mapped[str]
    sentence: Mapped[str]
    check: Mapped[str] = mapped_column("outcome")
    reason: Mapped[str] = mapped_column(server_default="")
    score: Mapped[float] = mapped_column(server_default="0")
    checked_at: Mapped[datetime] = mapped_column(server_default=func.now())
    is_stale: Mapped[bool] = mapped_column(server_default="false")
    compared_sha256: Mapped[str | None]
    decision: Mapped[str | None]
    note: Mapped[str] = mapped_column(server_default="")
    reviewer_id: Mapped[UUID | None]
    reviewed_at: Mapped[datetime | None]


class Evidence(Base):
    """Research behind a message: the counts of what was found and used, and every figure with its origin."""

    __tablename__ = "message_evidence"
    __table_args__ = (
        ForeignKeyConstraint(*_OF_WORKSPACE, ondelete="CASCADE"),
        ForeignKeyConstraint(*_OF_RUN, ondelete="CASCADE"),
        CheckConstraint("found = cited + read_not_used + screened_out", name="adds_up"),
        Index(None, "tenant_id", "run_id"),
        Index(None, "tenant_id", "conversation_id"),
    )

    tenant_id: Mapped[UUID] = mapped_column(primary_key=True)
    message_id: Mapped[UUID] = mapped_column(primary_key=True)
    user_id: Mapped[UUID]
    run_id: Mapped[UUID | None]
    conversation_id: Mapped[UUID | None]
    found: Mapped[int]
    cited: Mapped[int]
    read_not_used: Mapped[int]
    screened_out: Mapped[int]
    queries: Mapped[list[dict[str, Any]]] = mapped_column(JSONB, server_default="[]")
    not_found: Mapped[list[str]] = mapped_column(JSONB, server_default="[]")
    disagreements: Mapped[list[dict[str, Any]]] = mapped_column(JSONB, server_default="[]")
    figures: Mapped[list[dict[str, Any]]] = mapped_column(JSONB, server_default="[]")
    statements: Mapped[list[dict[str, Any]]] = mapped_column(JSONB, server_default="[]")
    newest_source: Mapped[date | None]
    unanswered_parts: Mapped[int] = mapped_column(server_default="0")
    created_at: Mapped[datetime] = mapped_column(server_default=func.now())
