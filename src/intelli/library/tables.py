"""Tables of the library. Document versions and readings reference artifacts; see `migrations.references`."""

from datetime import datetime
from uuid import UUID

from sqlalchemy import (
    BigInteger,
    CheckConstraint,
    Computed,
    ForeignKeyConstraint,
    Identity,
    Index,
    Text,
    UniqueConstraint,
    func,
    text,
)
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, MappedColumn, mapped_column

from intelli.kit.tables import Base, TenantRow

STATUSES = "('pending', 'in_progress', 'completed', 'failed')"
# The artifacts that are made of a file when it is read.
_READ_FILES = ("text_sha256", "map_sha256", "structure_sha256", "thumbnail_sha256")
SOURCES = "source_type ~ '^[a-z][a-z0-9_]{0,39}$'"


# Compared by bytes, all paths below one path are one range of the index, whatever the database's collation is.
Path = Text(collation="C")


def _workspace_key() -> ForeignKeyConstraint:
    return ForeignKeyConstraint(["tenant_id"], ["workspaces.id"], ondelete="CASCADE")


def _artifact_key(column: str) -> ForeignKeyConstraint:
    named = ["artifacts.tenant_id", "artifacts.sha256", "artifacts.owner_id"]
    return ForeignKeyConstraint(["tenant_id", column, "owner_id"], named)


def _workspace_owner() -> MappedColumn[UUID]:
    """Column with the owner of a document's content: the workspace, since documents are for everyone in it."""
    return mapped_column(Computed("tenant_id", persisted=True))


class Folder(TenantRow, Base):
    """A folder. `path` is `/` and the names from the top, joined by `/`; the top itself has no row."""

    __tablename__ = "folders"
    __table_args__ = (
        UniqueConstraint("tenant_id", "path"),
        _workspace_key(),
        ForeignKeyConstraint(["tenant_id", "parent_folder_id"], ["folders.tenant_id", "folders.id"]),
        Index(None, "tenant_id", "parent_folder_id"),
    )

    parent_folder_id: Mapped[UUID | None]
    name: Mapped[str]
    path: Mapped[str] = mapped_column(Path)
    scope_id: Mapped[UUID | None]
    version: Mapped[int] = mapped_column(BigInteger, server_default="1")
    created_by: Mapped[UUID | None]
    updated_at: Mapped[datetime] = mapped_column(server_default=func.now())


class Document(TenantRow, Base):
    """A file with a name and a folder. Its current content is the artifact of its newest version."""

    __tablename__ = "documents"
    __table_args__ = (
        UniqueConstraint("tenant_id", "path"),
        _workspace_key(),
        ForeignKeyConstraint(["tenant_id", "folder_id"], ["folders.tenant_id", "folders.id"]),
        CheckConstraint("last_edit_by in ('user', 'agent')", name="last_edit_by"),
        CheckConstraint(SOURCES, name="source_type"),
        Index("documents_in_folder_idx", "tenant_id", "folder_id", text("lower(name)"), "id"),
        Index("documents_by_name_idx", "tenant_id", text("lower(name)"), "id"),
        Index(None, "tenant_id", "updated_at", "id"),
        Index(None, "tenant_id", "artifact_sha256"),
        Index(None, "tenant_id", "source_type", "external_id"),
    )

    folder_id: Mapped[UUID | None]
    name: Mapped[str]
    path: Mapped[str] = mapped_column(Path)
    artifact_sha256: Mapped[str]
    file_size: Mapped[int] = mapped_column(BigInteger)
    mime_type: Mapped[str]
    version: Mapped[int] = mapped_column(BigInteger, server_default="1")
    last_edit_by: Mapped[str] = mapped_column(server_default="user")
    source_type: Mapped[str] = mapped_column(server_default="blob_storage")
    external_id: Mapped[str | None]
    external_url: Mapped[str | None]
    external_metadata: Mapped[dict[str, object]] = mapped_column(JSONB, server_default="{}")
    last_synced_at: Mapped[datetime | None]
    corrected_facts: Mapped[dict[str, object]] = mapped_column(JSONB, server_default="{}")
    created_by: Mapped[UUID | None]
    updated_at: Mapped[datetime] = mapped_column(server_default=func.now())


class DocumentVersion(Base):
    """State of a document from `created_at` until the next version. Every change to a document adds one."""

    __tablename__ = "document_versions"
    __table_args__ = (
        _workspace_key(),
        ForeignKeyConstraint(["tenant_id", "document_id"], ["documents.tenant_id", "documents.id"], ondelete="CASCADE"),
        _artifact_key("artifact_sha256"),
        CheckConstraint("change in ('created', 'content', 'renamed', 'moved', 'restored')", name="change"),
        CheckConstraint("edit_by in ('user', 'agent')", name="edit_by"),
        Index(None, "tenant_id", "artifact_sha256"),
        Index(
            "document_versions_by_agent_idx",
            "tenant_id",
            "document_id",
            postgresql_where=text("edit_by = 'agent'"),
        ),
    )

    tenant_id: Mapped[UUID] = mapped_column(primary_key=True)
    document_id: Mapped[UUID] = mapped_column(primary_key=True)
    version: Mapped[int] = mapped_column(BigInteger, primary_key=True)
    name: Mapped[str]
    path: Mapped[str]
    artifact_sha256: Mapped[str]
    owner_id: Mapped[UUID] = _workspace_owner()
    file_size: Mapped[int] = mapped_column(BigInteger)
    mime_type: Mapped[str]
    change: Mapped[str]
    edit_by: Mapped[str] = mapped_column(server_default="user")
    created_by: Mapped[UUID | None]
    created_at: Mapped[datetime] = mapped_column(server_default=func.now())


class DocumentQuestions(Base):
    """Questions that a document answers as it was at `artifact_sha256`; empty where none was found that it does."""

    __tablename__ = "document_questions"
    __table_args__ = (
        _workspace_key(),
        ForeignKeyConstraint(["tenant_id", "document_id"], ["documents.tenant_id", "documents.id"], ondelete="CASCADE"),
    )

    tenant_id: Mapped[UUID] = mapped_column(primary_key=True)
    document_id: Mapped[UUID] = mapped_column(primary_key=True)
    artifact_sha256: Mapped[str]
    questions: Mapped[list[str]] = mapped_column(JSONB)
    tried_at: Mapped[datetime] = mapped_column(server_default=func.now())


class Reading(Base):
    """Result and status of extracting an artifact. `number` is its short id in the indexes.

    `status` covers extraction and indexing: `completed` once the chunks are indexed too. `chunks_done` of
    `chunk_count` are indexed. Triggers count in `held_count` what rests on it beside documents, such as citations.
    """

    __tablename__ = "readings"
    __table_args__ = (
        UniqueConstraint("tenant_id", "number"),
        _workspace_key(),
        *(_artifact_key(column) for column in ("sha256", *_READ_FILES)),
        CheckConstraint(f"status in {STATUSES}", name="status"),
        *(Index(None, "tenant_id", column) for column in _READ_FILES),
        Index(None, "tenant_id", "status"),
        Index(None, "tenant_id", "structure_version"),
        Index(None, "tenant_id", "updated_at"),
    )

    tenant_id: Mapped[UUID] = mapped_column(primary_key=True)
    sha256: Mapped[str] = mapped_column(primary_key=True)
    owner_id: Mapped[UUID] = _workspace_owner()
    number: Mapped[int] = mapped_column(BigInteger, Identity(always=True))
    status: Mapped[str] = mapped_column(server_default="pending")
    refusal: Mapped[str | None]
    reason: Mapped[str | None]
    text_sha256: Mapped[str | None]
    map_sha256: Mapped[str | None]
    structure_sha256: Mapped[str | None]
    thumbnail_sha256: Mapped[str | None]
    media_type: Mapped[str | None]
    title: Mapped[str | None]
    language: Mapped[str | None]
    properties: Mapped[dict[str, object]] = mapped_column(JSONB, server_default="{}")
    warnings: Mapped[list[str]] = mapped_column(JSONB, server_default="[]")
    page_count: Mapped[int | None]
    char_count: Mapped[int | None] = mapped_column(BigInteger)
    chunk_count: Mapped[int | None]
    chunks_done: Mapped[int] = mapped_column(server_default="0")
    extractor: Mapped[str | None]
    structure_version: Mapped[str | None]
    held_count: Mapped[int] = mapped_column(BigInteger, server_default="0")
    facts: Mapped[dict[str, object]] = mapped_column(JSONB, server_default="{}")
    created_at: Mapped[datetime] = mapped_column(server_default=func.now())
    updated_at: Mapped[datetime] = mapped_column(server_default=func.now())


class Chunk(Base):
    """A chunk: the reading's text from `char_start` to `char_end`, stored here too so that a search can show it."""

    __tablename__ = "chunks"
    __table_args__ = (
        _workspace_key(),
        ForeignKeyConstraint(["tenant_id", "reading"], ["readings.tenant_id", "readings.number"], ondelete="CASCADE"),
    )

    tenant_id: Mapped[UUID] = mapped_column(primary_key=True)
    reading: Mapped[int] = mapped_column(BigInteger, primary_key=True)
    chunk_index: Mapped[int] = mapped_column(primary_key=True)
    char_start: Mapped[int] = mapped_column(BigInteger)
    char_end: Mapped[int] = mapped_column(BigInteger)
    page: Mapped[int | None]
    section: Mapped[str | None]
    kind: Mapped[str]
    tokens: Mapped[int]
    body: Mapped[str]
