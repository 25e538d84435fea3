"""Tables of checks. A check and its statements are private to the person who asked for it."""

from datetime import datetime
from decimal import Decimal
from typing import Any
from uuid import UUID

from sqlalchemy import BigInteger, CheckConstraint, Computed, ForeignKeyConstraint, Index, Numeric, func
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column

from intelli.kit.tables import Base, TenantRow

STATUSES = "('pending', 'processing', 'completed', 'failed', 'cancelled')"
SOURCES = "('text', 'file', 'document', 'deliverable')"
VERDICTS = "('supported', 'partly', 'not_supported', 'contradicted', 'unchecked')"
OUTCOMES = "('verified', 'weak', 'failed', 'unchecked')"
_OF_WORKSPACE = (["tenant_id"], ["workspaces.id"])


class TextCheck(TenantRow, Base):
    """A check of a text and its progress. `text` is what is shown; `cited_text` is the same with its citation tags.

    `skipped` are ranges of it that are headings or page furniture. `source_sha256` is of the bytes that the text was
    read from: they are no evidence for themselves. `file_sha256` is set when the file came with the check, which then
    holds it.
    """

    __tablename__ = "text_checks"
    __table_args__ = (
        ForeignKeyConstraint(*_OF_WORKSPACE, ondelete="CASCADE"),
        ForeignKeyConstraint(
            ["tenant_id", "document_id"], ["documents.tenant_id", "documents.id"], ondelete="SET NULL (document_id)"
        ),
        ForeignKeyConstraint(
            ["tenant_id", "deliverable_id"],
            ["deliverables.tenant_id", "deliverables.id"],
            ondelete="SET NULL (deliverable_id)",
        ),
        ForeignKeyConstraint(
            ["tenant_id", "file_sha256", "owner_id"],
            ["artifacts.tenant_id", "artifacts.sha256", "artifacts.owner_id"],
        ),
        CheckConstraint(f"status in {STATUSES}", name="status"),
        CheckConstraint(f"source in {SOURCES}", name="source"),
        CheckConstraint("progress between 0 and 1", name="progress"),
        Index(None, "tenant_id", "user_id", "created_at"),
        Index(None, "tenant_id", "document_id"),
        Index(None, "tenant_id", "deliverable_id"),
        Index(None, "tenant_id", "file_sha256"),
    )

    user_id: Mapped[UUID]
    owner_id: Mapped[UUID] = mapped_column(Computed("user_id", persisted=True))
    title: Mapped[str]
    status: Mapped[str] = mapped_column(server_default="pending")
    progress: Mapped[float] = mapped_column(server_default="0")
    message: Mapped[str] = mapped_column(server_default="")
    source: Mapped[str]
    document_id: Mapped[UUID | None]
    document_version: Mapped[int | None] = mapped_column(BigInteger)
    deliverable_id: Mapped[UUID | None]
    file_sha256: Mapped[str | None]
    file_name: Mapped[str | None]
    media_type: Mapped[str | None]
    source_sha256: Mapped[str | None]
    context: Mapped[dict[str, Any]] = mapped_column(JSONB, server_default="{}")
    text: Mapped[str | None]
    cited_text: Mapped[str | None]
    skipped: Mapped[list[list[int]]] = mapped_column(JSONB, server_default="[]")
    total: Mapped[int | None]
    model: Mapped[str] = mapped_column(server_default="")
    input_tokens: Mapped[int] = mapped_column(BigInteger, server_default="0")
    output_tokens: Mapped[int] = mapped_column(BigInteger, server_default="0")
    cost_cents: Mapped[Decimal] = mapped_column(Numeric(20, 10), server_default="0")
    error_code: Mapped[str | None]
    error_message: Mapped[str | None]
    started_at: Mapped[datetime | None]
    finished_at: Mapped[datetime | None]
    updated_at: Mapped[datetime] = mapped_column(server_default=func.now())


class TextStatement(Base):
    """A statement of a checked text with its verdict. `number` counts the statements of the text from 0."""

    __tablename__ = "checked_statements"
    __table_args__ = (
        ForeignKeyConstraint(*_OF_WORKSPACE, ondelete="CASCADE"),
        ForeignKeyConstraint(
            ["tenant_id", "check_id"], ["text_checks.tenant_id", "text_checks.id"], ondelete="CASCADE"
        ),
        CheckConstraint(f"verdict in {VERDICTS}", name="verdict"),
        CheckConstraint(f"outcome in {OUTCOMES}", name="outcome"),
        CheckConstraint("char_start >= 0 and char_end >= char_start", name="span"),
    )

    tenant_id: Mapped[UUID] = mapped_column(primary_key=True)
    check_id: Mapped[UUID] = mapped_column(primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    user_id: Mapped[UUID]
    kind: Mapped[str]
    text: Mapped[str]
    char_start: Mapped[int]
    char_end: Mapped[int]
    verdict: Mapped[str]
    check: Mapped[str] = mapped_column("outcome")
    reason: Mapped[str] = mapped_column(server_default="")
    judged_by: Mapped[str]
    calculations: Mapped[list[dict[str, Any]]] = mapped_column(JSONB, server_default="[]")
    citations: Mapped[list[dict[str, Any]]] = mapped_column(JSONB, server_default="[]")
    created_at: Mapped[datetime] = mapped_column(server_default=func.now())
