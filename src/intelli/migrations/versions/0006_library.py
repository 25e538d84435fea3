"""Folders, documents with their versions, readings and chunks."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import JSONB

from intelli.migrations.policies import protect
from intelli.migrations.references import COUNT, hold

revision = "0006"
down_revision = "0005"

_ARTIFACT = ["artifacts.tenant_id", "artifacts.sha256"]
_READING_HOLDS = ("sha256", "text_sha256", "map_sha256", "thumbnail_sha256")


def _timestamp(name: str) -> sa.Column[object]:
    return sa.Column(name, sa.DateTime(timezone=True), server_default=sa.func.now(), nullable=False)


def _tenant_columns() -> list[sa.Column[object]]:
    return [
        sa.Column("tenant_id", sa.Uuid, primary_key=True),
        sa.Column("id", sa.Uuid, primary_key=True),
        _timestamp("created_at"),
    ]


def _of_workspace() -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(["tenant_id"], ["workspaces.id"], ondelete="CASCADE")


def _of_artifact(column: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(["tenant_id", column], _ARTIFACT)


def _index(table: str, *columns: str) -> None:
    op.create_index(f"{table}_tenant_id_{'_'.join(columns)}_idx", table, ["tenant_id", *columns])


def upgrade() -> None:
    op.execute(COUNT)
    _index("artifacts", "created_at", "sha256")
    _folders()
    _documents()
    _versions()
    _readings()
    _chunks()


def _folders() -> None:
    op.create_table(
        "folders",
        *_tenant_columns(),
        sa.Column("parent_folder_id", sa.Uuid),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("path", sa.Text(collation="C"), nullable=False),
        sa.Column("scope_id", sa.Uuid),
        sa.Column("version", sa.BigInteger, server_default="1", nullable=False),
        sa.Column("created_by", sa.Uuid),
        _timestamp("updated_at"),
        sa.UniqueConstraint("tenant_id", "path"),
        _of_workspace(),
        sa.ForeignKeyConstraint(["tenant_id", "parent_folder_id"], ["folders.tenant_id", "folders.id"]),
    )
    _index("folders", "parent_folder_id")
    protect("folders")


def _documents() -> None:
    op.create_table(
        "documents",
        *_tenant_columns(),
        sa.Column("folder_id", sa.Uuid),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("path", sa.Text(collation="C"), nullable=False),
        sa.Column("artifact_sha256", sa.Text, nullable=False),
        sa.Column("file_size", sa.BigInteger, nullable=False),
        sa.Column("mime_type", sa.Text, nullable=False),
        sa.Column("version", sa.BigInteger, server_default="1", nullable=False),
        sa.Column("last_edit_by", sa.Text, server_default="user", nullable=False),
        sa.Column("source_type", sa.Text, server_default="blob_storage", nullable=False),
        sa.Column("external_id", sa.Text),
        sa.Column("external_url", sa.Text),
        sa.Column("external_metadata", JSONB, server_default="{}", nullable=False),
        sa.Column("last_synced_at", sa.DateTime(timezone=True)),
        sa.Column("created_by", sa.Uuid),
        _timestamp("updated_at"),
        sa.UniqueConstraint("tenant_id", "path"),
        _of_workspace(),
        sa.ForeignKeyConstraint(["tenant_id", "folder_id"], ["folders.tenant_id", "folders.id"]),
        sa.CheckConstraint("last_edit_by in ('user', 'agent')", name="last_edit_by"),
        sa.CheckConstraint("source_type ~ '^[a-z][a-z0-9_]{0,39}$'", name="source_type"),
    )
    name = sa.text("lower(name)")
    op.create_index("documents_in_folder_idx", "documents", ["tenant_id", "folder_id", name, "id"])
    op.create_index("documents_by_name_idx", "documents", ["tenant_id", name, "id"])
    _index("documents", "updated_at", "id")
    _index("documents", "artifact_sha256")
    _index("documents", "source_type", "external_id")
    protect("documents")


def _versions() -> None:
    op.create_table(
        "document_versions",
        sa.Column("tenant_id", sa.Uuid, primary_key=True),
        sa.Column("document_id", sa.Uuid, primary_key=True),
        sa.Column("version", sa.BigInteger, primary_key=True),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("path", sa.Text, nullable=False),
        sa.Column("artifact_sha256", sa.Text, nullable=False),
        sa.Column("file_size", sa.BigInteger, nullable=False),
        sa.Column("mime_type", sa.Text, nullable=False),
        sa.Column("change", sa.Text, nullable=False),
        sa.Column("edit_by", sa.Text, server_default="user", nullable=False),
        sa.Column("created_by", sa.Uuid),
        _timestamp("created_at"),
        _of_workspace(),
        sa.ForeignKeyConstraint(
            ["tenant_id", "document_id"], ["documents.tenant_id", "documents.id"], ondelete="CASCADE"
        ),
        _of_artifact("artifact_sha256"),
        sa.CheckConstraint("change in ('created', 'content', 'renamed', 'moved', 'restored')", name="change"),
        sa.CheckConstraint("edit_by in ('user', 'agent')", name="edit_by"),
    )
    _index("document_versions", "artifact_sha256")
    protect("document_versions", grants="select, insert")
    hold("document_versions", "artifact_sha256")


def _readings() -> None:
    op.create_table(
        "readings",
        sa.Column("tenant_id", sa.Uuid, primary_key=True),
        sa.Column("sha256", sa.Text, primary_key=True),
        sa.Column("number", sa.BigInteger, sa.Identity(always=True), nullable=False),
        sa.Column("status", sa.Text, server_default="pending", nullable=False),
        sa.Column("refusal", sa.Text),
        sa.Column("reason", sa.Text),
        sa.Column("text_sha256", sa.Text),
        sa.Column("map_sha256", sa.Text),
        sa.Column("thumbnail_sha256", sa.Text),
        sa.Column("media_type", sa.Text),
        sa.Column("title", sa.Text),
        sa.Column("language", sa.Text),
        sa.Column("properties", JSONB, server_default="{}", nullable=False),
        sa.Column("page_count", sa.Integer),
        sa.Column("char_count", sa.BigInteger),
        sa.Column("chunk_count", sa.Integer),
        sa.Column("chunks_done", sa.Integer, server_default="0", nullable=False),
        sa.Column("extractor", sa.Text),
        _timestamp("created_at"),
        _timestamp("updated_at"),
        sa.UniqueConstraint("tenant_id", "number"),
        _of_workspace(),
        *(_of_artifact(column) for column in _READING_HOLDS),
        sa.CheckConstraint("status in ('pending', 'in_progress', 'completed', 'failed')", name="status"),
    )
    for column in ("text_sha256", "map_sha256", "thumbnail_sha256", "status", "updated_at"):
        _index("readings", column)
    protect("readings")
    hold("readings", *_READING_HOLDS)


def _chunks() -> None:
    op.create_table(
        "chunks",
        sa.Column("tenant_id", sa.Uuid, primary_key=True),
        sa.Column("reading", sa.BigInteger, primary_key=True),
        sa.Column("chunk_index", sa.Integer, primary_key=True),
        sa.Column("char_start", sa.BigInteger, nullable=False),
        sa.Column("char_end", sa.BigInteger, nullable=False),
        sa.Column("page", sa.Integer),
        sa.Column("section", sa.Text),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("tokens", sa.Integer, nullable=False),
        sa.Column("body", sa.Text, nullable=False),
        _of_workspace(),
        sa.ForeignKeyConstraint(
            ["tenant_id", "reading"], ["readings.tenant_id", "readings.number"], ondelete="CASCADE"
        ),
    )
    protect("chunks", grants="select, insert, delete")


def downgrade() -> None:
    for table in ("chunks", "readings", "document_versions", "documents", "folders"):
        op.drop_table(table)
    op.drop_index("artifacts_tenant_id_created_at_sha256_idx")
