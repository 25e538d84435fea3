"""Table of the log. The application role may insert and select rows; nothing may change them."""

from uuid import UUID

from sqlalchemy import BigInteger, ForeignKeyConstraint, Index, UniqueConstraint
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column

from intelli.kit.tables import Base, TenantRow


class AuditLogEntry(TenantRow, Base):
    """One entry of a workspace's chain. It names people and things by id: erasing those leaves it whole."""

    __tablename__ = "audit_log_entries"
    __table_args__ = (
        UniqueConstraint("tenant_id", "seq"),
        ForeignKeyConstraint(["tenant_id"], ["workspaces.id"], ondelete="CASCADE"),
        Index(None, "tenant_id", "user_id", "seq"),
        Index(None, "tenant_id", "event_type", "seq"),
        Index(None, "tenant_id", "run_id"),
    )

    seq: Mapped[int] = mapped_column(BigInteger)
    event_type: Mapped[str]
    user_id: Mapped[UUID | None]
    conversation_id: Mapped[UUID | None]
    run_id: Mapped[UUID | None]
    entity_type: Mapped[str | None]
    entity_id: Mapped[UUID | None]
    success: Mapped[bool]
    details: Mapped[dict[str, str | int | bool | None]] = mapped_column(JSONB)
    previous_hash: Mapped[str]
    hash: Mapped[str]
    seal_key: Mapped[str | None]
    seal: Mapped[str | None]
