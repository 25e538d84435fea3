"""Tables of deliverables and their exports. A deliverable is private to the person whose run made it."""

from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import BigInteger, CheckConstraint, Computed, ForeignKeyConstraint, Index, UniqueConstraint, func
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column

from intelli.deliverable_kinds import KINDS
from intelli.deliverables.forms import Edition
from intelli.kit.tables import Base, TenantRow, one_of

STATUSES = "('pending', 'in_progress', 'completed', 'failed', 'cancelled')"
_OF_WORKSPACE = (["tenant_id"], ["workspaces.id"])


def _of_artifact(column: str) -> ForeignKeyConstraint:
    named = ["artifacts.tenant_id", "artifacts.sha256", "artifacts.owner_id"]
    return ForeignKeyConstraint(["tenant_id", column, "owner_id"], named)


class Deliverable(TenantRow, Base):
    """A deliverable and its progress. `version` counts those of its kind in its conversation, from 1.

    A version that was made of another one names it in `based_on`, and in `change` what was done.

    The row itself references brief and content, so that those of an unfinished build are not collected as garbage.
    """

    __tablename__ = "deliverables"
    __table_args__ = (
        ForeignKeyConstraint(*_OF_WORKSPACE, ondelete="CASCADE"),
        ForeignKeyConstraint(["tenant_id", "run_id"], ["runs.tenant_id", "runs.id"], ondelete="CASCADE"),
        ForeignKeyConstraint(
            ["tenant_id", "conversation_id"], ["conversations.tenant_id", "conversations.id"], ondelete="CASCADE"
        ),
        _of_artifact("brief_sha256"),
        _of_artifact("content_sha256"),
        CheckConstraint(one_of("kind", (kind.name for kind in KINDS)), name="kind"),
        CheckConstraint(f"status in {STATUSES}", name="status"),
        CheckConstraint("progress between 0 and 1", name="progress"),
        Index(None, "tenant_id", "user_id"),
        Index(None, "tenant_id", "run_id"),
        Index(None, "tenant_id", "conversation_id", "kind"),
        Index(None, "tenant_id", "brief_sha256"),
        Index(None, "tenant_id", "content_sha256"),
        Index(None, "tenant_id", "deleted_at"),
    )

    user_id: Mapped[UUID]
    run_id: Mapped[UUID | None]
    conversation_id: Mapped[UUID | None]
    message_id: Mapped[UUID | None]
    owner_id: Mapped[UUID] = mapped_column(Computed("coalesce(conversation_id, run_id, user_id)", persisted=True))
    kind: Mapped[str]
    title: Mapped[str] = mapped_column(server_default="")
    status: Mapped[str] = mapped_column(server_default="pending")
    phase: Mapped[str] = mapped_column(server_default="")
    progress: Mapped[float] = mapped_column(server_default="0")
    sections_done: Mapped[int] = mapped_column(server_default="0")
    sections_total: Mapped[int] = mapped_column(server_default="0")
    words: Mapped[int] = mapped_column(server_default="0")
    error_code: Mapped[str | None]
    error_message: Mapped[str | None]
    version: Mapped[int] = mapped_column(server_default="0")
    entity_id: Mapped[UUID | None]
    manifest_hash: Mapped[str | None]
    brief_sha256: Mapped[str | None]
    content_sha256: Mapped[str | None]
    files: Mapped[list[dict[str, Any]]] = mapped_column(JSONB, server_default="[]")
    started_at: Mapped[datetime | None]
    finished_at: Mapped[datetime | None]
    based_on: Mapped[UUID | None]
    change: Mapped[str] = mapped_column(server_default="")
    deleted_at: Mapped[datetime | None]
    updated_at: Mapped[datetime] = mapped_column(server_default=func.now())


class Export(TenantRow, Base):
    """A deliverable in another form: rendered once, visible to whoever sees the deliverable."""

    __tablename__ = "deliverable_exports"
    __table_args__ = (
        UniqueConstraint("tenant_id", "deliverable_id", "format", "edition"),
        ForeignKeyConstraint(*_OF_WORKSPACE, ondelete="CASCADE"),
        ForeignKeyConstraint(
            ["tenant_id", "deliverable_id"], ["deliverables.tenant_id", "deliverables.id"], ondelete="CASCADE"
        ),
        _of_artifact("sha256"),
        CheckConstraint(one_of("edition", Edition), name="edition"),
        CheckConstraint(f"status in {STATUSES}", name="status"),
        Index(None, "tenant_id", "sha256"),
    )

    deliverable_id: Mapped[UUID]
    owner_id: Mapped[UUID]
    format: Mapped[str]
    edition: Mapped[str] = mapped_column(server_default="clean")
    status: Mapped[str] = mapped_column(server_default="pending")
    progress: Mapped[float] = mapped_column(server_default="0")
    error: Mapped[str | None]
    name: Mapped[str | None]
    media_type: Mapped[str | None]
    size_bytes: Mapped[int | None] = mapped_column(BigInteger)
    sha256: Mapped[str | None]
    updated_at: Mapped[datetime] = mapped_column(server_default=func.now())
