"""Tables of content. Triggers write `reference_count` and `unreferenced_since`; see `migrations.references`.

Each row has an owner, which is part of its key: the workspace, or what a person's own content belongs to. `user_id` is
that person, and null where the owner is the workspace. See `content.ownership`.
"""

from datetime import datetime
from uuid import UUID

from sqlalchemy import (
    BigInteger,
    CheckConstraint,
    Computed,
    ForeignKeyConstraint,
    Index,
    UniqueConstraint,
    false,
    func,
)
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column

from intelli.kit.tables import Base, TenantRow


def _workspace_foreign_key() -> ForeignKeyConstraint:
    """Return a foreign key to the workspace, needed on every table.

    Also on tables whose rows are deleted with another row: otherwise the rows that they reference would be deleted
    before them, which fails.
    """
    return ForeignKeyConstraint(["tenant_id"], ["workspaces.id"], ondelete="CASCADE")


def _manifest_foreign_key(column: str, *, ondelete: str | None = None) -> ForeignKeyConstraint:
    named = ["manifests.tenant_id", "manifests.sha256", "manifests.owner_id"]
    return ForeignKeyConstraint(["tenant_id", column, "owner_id"], named, ondelete=ondelete)


def _artifact_foreign_key(column: str) -> ForeignKeyConstraint:
    named = ["artifacts.tenant_id", "artifacts.sha256", "artifacts.owner_id"]
    return ForeignKeyConstraint(["tenant_id", column, "owner_id"], named)


_OWNED = "(user_id is null) = (owner_id = tenant_id)"


class Artifact(Base):
    """Immutable bytes of one owner; owners of the same bytes share the blob. A personal one is never shared.

    `storage_uri` is relative to the root of the blob store, so that the store can be moved.
    """

    __tablename__ = "artifacts"
    __table_args__ = (
        _workspace_foreign_key(),
        CheckConstraint("sha256 ~ '^[0-9a-f]{64}$'", name="sha256"),
        CheckConstraint("reference_count >= 0", name="reference_count"),
        CheckConstraint("size_bytes >= 0", name="size_bytes"),
        CheckConstraint(_OWNED, name="owner"),
        Index(None, "tenant_id", "unreferenced_since"),
        Index(None, "tenant_id", "created_at", "sha256"),
    )

    tenant_id: Mapped[UUID] = mapped_column(primary_key=True)
    sha256: Mapped[str] = mapped_column(primary_key=True)
    owner_id: Mapped[UUID] = mapped_column(primary_key=True)
    user_id: Mapped[UUID | None]
    media_type: Mapped[str]
    size_bytes: Mapped[int] = mapped_column(BigInteger)
    filename: Mapped[str | None]
    storage_uri: Mapped[str]
    storage_class: Mapped[str] = mapped_column(server_default="standard")
    entity_type: Mapped[str]
    entity_metadata: Mapped[dict[str, object]] = mapped_column(JSONB)
    reference_count: Mapped[int] = mapped_column(BigInteger, server_default="0")
    unreferenced_since: Mapped[datetime | None]
    created_by: Mapped[UUID | None]
    is_personal: Mapped[bool] = mapped_column(server_default=false())
    created_at: Mapped[datetime] = mapped_column(server_default=func.now())
    updated_at: Mapped[datetime] = mapped_column(server_default=func.now())


class Manifest(Base):
    """Immutable tree without its entries. `committed_at` is when it was last stored, which may be repeatedly."""

    __tablename__ = "manifests"
    __table_args__ = (
        _workspace_foreign_key(),
        _manifest_foreign_key("parent_sha256"),
        CheckConstraint("sha256 ~ '^[0-9a-f]{64}$'", name="sha256"),
        CheckConstraint(_OWNED, name="owner"),
        Index(None, "tenant_id", "parent_sha256"),
        Index(None, "tenant_id", "committed_at"),
    )

    tenant_id: Mapped[UUID] = mapped_column(primary_key=True)
    sha256: Mapped[str] = mapped_column(primary_key=True)
    owner_id: Mapped[UUID] = mapped_column(primary_key=True)
    user_id: Mapped[UUID | None]
    parent_sha256: Mapped[str | None]
    message: Mapped[str]
    entry_count: Mapped[int] = mapped_column(BigInteger)
    total_size_bytes: Mapped[int] = mapped_column(BigInteger)
    created_by: Mapped[UUID | None]
    created_at: Mapped[datetime] = mapped_column(server_default=func.now())
    committed_at: Mapped[datetime] = mapped_column(server_default=func.now())


class ManifestEntry(Base):
    """Path of a manifest. Each entry counts as a reference to its artifact."""

    __tablename__ = "manifest_entries"
    __table_args__ = (
        _workspace_foreign_key(),
        _manifest_foreign_key("manifest_sha256", ondelete="CASCADE"),
        _artifact_foreign_key("artifact_sha256"),
        Index(None, "tenant_id", "artifact_sha256"),
    )

    tenant_id: Mapped[UUID] = mapped_column(primary_key=True)
    manifest_sha256: Mapped[str] = mapped_column(primary_key=True)
    owner_id: Mapped[UUID] = mapped_column(primary_key=True)
    path: Mapped[str] = mapped_column(primary_key=True)
    artifact_sha256: Mapped[str]
    media_type: Mapped[str]
    entity_type: Mapped[str]
    size_bytes: Mapped[int] = mapped_column(BigInteger)


class Pointer(TenantRow, Base):
    """Name of a current manifest. A deleted one keeps its row for the grace period, so that it can be restored.

    One that belongs to a conversation or a run is deleted with it.
    """

    __tablename__ = "pointers"
    __table_args__ = (
        UniqueConstraint("tenant_id", "namespace", "name", "owner_id"),
        _workspace_foreign_key(),
        _manifest_foreign_key("manifest_sha256"),
        ForeignKeyConstraint(
            ["tenant_id", "conversation_id"], ["conversations.tenant_id", "conversations.id"], ondelete="CASCADE"
        ),
        ForeignKeyConstraint(["tenant_id", "run_id"], ["runs.tenant_id", "runs.id"], ondelete="CASCADE"),
        CheckConstraint("user_id is not null or (conversation_id is null and run_id is null)", name="owner"),
        CheckConstraint("pointer_type in ('bundle', 'corpus', 'snapshot')", name="pointer_type"),
        Index(None, "tenant_id", "manifest_sha256"),
        Index(None, "tenant_id", "conversation_id"),
        Index(None, "tenant_id", "run_id"),
    )

    user_id: Mapped[UUID | None]
    conversation_id: Mapped[UUID | None]
    run_id: Mapped[UUID | None]
    owner_id: Mapped[UUID] = mapped_column(
        Computed("coalesce(conversation_id, run_id, user_id, tenant_id)", persisted=True)
    )
    namespace: Mapped[str]
    name: Mapped[str]
    manifest_sha256: Mapped[str | None]
    pointer_type: Mapped[str]
    description: Mapped[str]
    created_by: Mapped[UUID | None]
    meta: Mapped[dict[str, str | int | bool | None]] = mapped_column(JSONB)
    version: Mapped[int] = mapped_column(BigInteger, server_default="0")
    updated_at: Mapped[datetime] = mapped_column(server_default=func.now())
    deleted_at: Mapped[datetime | None]


class PointerMove(TenantRow, Base):
    """Move of a pointer. `version` is the pointer's version after it; the moves in this order give its state."""

    __tablename__ = "pointer_history"
    __table_args__ = (
        UniqueConstraint("tenant_id", "pointer_id", "version"),
        _workspace_foreign_key(),
        ForeignKeyConstraint(["tenant_id", "pointer_id"], ["pointers.tenant_id", "pointers.id"], ondelete="CASCADE"),
        _manifest_foreign_key("from_sha256"),
        _manifest_foreign_key("to_sha256"),
        Index(None, "tenant_id", "from_sha256"),
        Index(None, "tenant_id", "to_sha256"),
    )

    pointer_id: Mapped[UUID]
    owner_id: Mapped[UUID]
    version: Mapped[int] = mapped_column(BigInteger)
    from_sha256: Mapped[str | None]
    to_sha256: Mapped[str | None]
    reason: Mapped[str]
    changed_by: Mapped[UUID | None]
