"""Artifacts, manifests and pointers; reference counts that triggers keep."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import JSONB

from intelli.migrations.policies import protect
from intelli.migrations.references import COUNT, GUARD, hold

revision = "0005"
down_revision = "0004"

_MANIFEST = ["manifests.tenant_id", "manifests.sha256"]


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


def _is_hash() -> sa.CheckConstraint:
    return sa.CheckConstraint("sha256 ~ '^[0-9a-f]{64}$'", name="sha256")


def upgrade() -> None:
    _artifacts()
    _manifests()
    _pointers()
    op.execute(COUNT)
    op.execute(GUARD)
    op.execute(
        "create trigger artifacts_guard before insert or update on artifacts "
        "for each row execute function content_guard()"
    )
    hold("manifest_entries", "artifact_sha256")


def _artifacts() -> None:
    op.create_table(
        "artifacts",
        sa.Column("tenant_id", sa.Uuid, primary_key=True),
        sa.Column("sha256", sa.Text, primary_key=True),
        sa.Column("media_type", sa.Text, nullable=False),
        sa.Column("size_bytes", sa.BigInteger, nullable=False),
        sa.Column("filename", sa.Text),
        sa.Column("storage_uri", sa.Text, nullable=False),
        sa.Column("storage_class", sa.Text, server_default="standard", nullable=False),
        sa.Column("entity_type", sa.Text, nullable=False),
        sa.Column("entity_metadata", JSONB, nullable=False),
        sa.Column("reference_count", sa.BigInteger, server_default="0", nullable=False),
        sa.Column("unreferenced_since", sa.DateTime(timezone=True)),
        sa.Column("created_by", sa.Uuid),
        _timestamp("created_at"),
        _timestamp("updated_at"),
        _of_workspace(),
        _is_hash(),
        sa.CheckConstraint("reference_count >= 0", name="reference_count"),
        sa.CheckConstraint("size_bytes >= 0", name="size_bytes"),
    )
    op.create_index("artifacts_tenant_id_unreferenced_since_idx", "artifacts", ["tenant_id", "unreferenced_since"])
    protect("artifacts")


def _manifests() -> None:
    op.create_table(
        "manifests",
        sa.Column("tenant_id", sa.Uuid, primary_key=True),
        sa.Column("sha256", sa.Text, primary_key=True),
        sa.Column("parent_sha256", sa.Text),
        sa.Column("message", sa.Text, nullable=False),
        sa.Column("entry_count", sa.BigInteger, nullable=False),
        sa.Column("total_size_bytes", sa.BigInteger, nullable=False),
        sa.Column("created_by", sa.Uuid),
        _timestamp("created_at"),
        _timestamp("committed_at"),
        _of_workspace(),
        sa.ForeignKeyConstraint(["tenant_id", "parent_sha256"], _MANIFEST),
        _is_hash(),
    )
    op.create_index("manifests_tenant_id_parent_sha256_idx", "manifests", ["tenant_id", "parent_sha256"])
    op.create_index("manifests_tenant_id_committed_at_idx", "manifests", ["tenant_id", "committed_at"])
    protect("manifests")
    op.create_table(
        "manifest_entries",
        sa.Column("tenant_id", sa.Uuid, primary_key=True),
        sa.Column("manifest_sha256", sa.Text, primary_key=True),
        sa.Column("path", sa.Text, primary_key=True),
        sa.Column("artifact_sha256", sa.Text, nullable=False),
        sa.Column("media_type", sa.Text, nullable=False),
        sa.Column("entity_type", sa.Text, nullable=False),
        sa.Column("size_bytes", sa.BigInteger, nullable=False),
        _of_workspace(),
        sa.ForeignKeyConstraint(["tenant_id", "manifest_sha256"], _MANIFEST, ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["tenant_id", "artifact_sha256"], ["artifacts.tenant_id", "artifacts.sha256"]),
    )
    op.create_index(
        "manifest_entries_tenant_id_artifact_sha256_idx", "manifest_entries", ["tenant_id", "artifact_sha256"]
    )
    protect("manifest_entries", grants="select, insert")


def _pointers() -> None:
    op.create_table(
        "pointers",
        *_tenant_columns(),
        sa.Column("namespace", sa.Text, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("manifest_sha256", sa.Text),
        sa.Column("pointer_type", sa.Text, nullable=False),
        sa.Column("description", sa.Text, nullable=False),
        sa.Column("meta", JSONB, nullable=False),
        sa.Column("version", sa.BigInteger, server_default="0", nullable=False),
        _timestamp("updated_at"),
        sa.Column("deleted_at", sa.DateTime(timezone=True)),
        sa.UniqueConstraint("tenant_id", "namespace", "name"),
        _of_workspace(),
        sa.ForeignKeyConstraint(["tenant_id", "manifest_sha256"], _MANIFEST),
        sa.CheckConstraint("pointer_type in ('bundle', 'corpus', 'snapshot')", name="pointer_type"),
    )
    op.create_index("pointers_tenant_id_manifest_sha256_idx", "pointers", ["tenant_id", "manifest_sha256"])
    protect("pointers", grants="select, insert, update")
    op.create_table(
        "pointer_history",
        *_tenant_columns(),
        sa.Column("pointer_id", sa.Uuid, nullable=False),
        sa.Column("version", sa.BigInteger, nullable=False),
        sa.Column("from_sha256", sa.Text),
        sa.Column("to_sha256", sa.Text),
        sa.Column("reason", sa.Text, nullable=False),
        sa.Column("changed_by", sa.Uuid),
        sa.UniqueConstraint("tenant_id", "pointer_id", "version"),
        _of_workspace(),
        sa.ForeignKeyConstraint(["tenant_id", "pointer_id"], ["pointers.tenant_id", "pointers.id"], ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["tenant_id", "from_sha256"], _MANIFEST),
        sa.ForeignKeyConstraint(["tenant_id", "to_sha256"], _MANIFEST),
    )
    for column in ("from_sha256", "to_sha256"):
        op.create_index(f"pointer_history_tenant_id_{column}_idx", "pointer_history", ["tenant_id", column])
    protect("pointer_history", grants="select, insert")


def downgrade() -> None:
    for table in ("pointer_history", "pointers", "manifest_entries", "manifests", "artifacts"):
        op.drop_table(table)
    op.execute("drop function content_count()")
    op.execute("drop function content_guard()")
