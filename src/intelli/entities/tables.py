"""Table of entities. They are private to the user whose run made them; `user_id` is for the row-level policy."""

from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import CheckConstraint, Computed, ForeignKeyConstraint, Index, UniqueConstraint, func
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column

from intelli.entities.entity_types import EntityType
from intelli.kit.tables import Base, TenantRow, one_of

_ARTIFACT = ["artifacts.tenant_id", "artifacts.sha256", "artifacts.owner_id"]


class Entity(TenantRow, Base):
    """Entity that a run found or made. `held_sha256` is its content where that is its own, and retains the artifact.

    A passage of a document only names the text it is in: citing a document does not prevent its deletion. An entity
    that is still being made is `in_progress` until `due_at`; whoever makes it extends that time.
    """

    __tablename__ = "entities"
    __table_args__ = (
        UniqueConstraint("tenant_id", "run_id", "identifier"),
        ForeignKeyConstraint(["tenant_id"], ["workspaces.id"], ondelete="CASCADE"),
        ForeignKeyConstraint(["tenant_id", "run_id"], ["runs.tenant_id", "runs.id"], ondelete="CASCADE"),
        ForeignKeyConstraint(["tenant_id", "held_sha256", "owner_id"], _ARTIFACT),
        CheckConstraint(one_of("entity_type", EntityType), name="entity_type"),
        CheckConstraint("status in ('ready', 'in_progress', 'failed')", name="status"),
        Index(None, "tenant_id", "user_id"),
        Index(None, "tenant_id", "message_id"),
        Index(None, "tenant_id", "conversation_id"),
        Index(None, "tenant_id", "held_sha256"),
    )

    user_id: Mapped[UUID]
    run_id: Mapped[UUID | None]
    conversation_id: Mapped[UUID | None]
    message_id: Mapped[UUID | None]
    owner_id: Mapped[UUID] = mapped_column(Computed("coalesce(conversation_id, run_id, user_id)", persisted=True))
    position: Mapped[int] = mapped_column(server_default="0")
    entity_type: Mapped[str]
    identifier: Mapped[str]
    title: Mapped[str | None]
    file_name: Mapped[str]
    mimetype: Mapped[str]
    stored_entity_id: Mapped[UUID | None]
    content_artifact_id: Mapped[str | None]
    held_sha256: Mapped[str | None]
    external_url: Mapped[str | None]
    api_subtype: Mapped[str | None]
    user_query: Mapped[str | None]
    all_seen_entities: Mapped[list[str]] = mapped_column(JSONB, server_default="[]")
    cited_entities: Mapped[list[str]] = mapped_column(JSONB, server_default="[]")
    details: Mapped[dict[str, Any]] = mapped_column("metadata", JSONB, server_default="{}")
    status: Mapped[str] = mapped_column(server_default="ready")
    due_at: Mapped[datetime | None]
    updated_at: Mapped[datetime] = mapped_column(server_default=func.now())
