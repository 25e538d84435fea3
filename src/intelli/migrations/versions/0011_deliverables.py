"""Deliverables, and their exports in other forms."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import JSONB

from intelli.migrations.policies import IN_TENANT, OWN_IN_TENANT, protect, share
from intelli.migrations.references import hold

revision = "0011"
down_revision = "0010"

_KINDS = "('REPORT', 'WEBSITE', 'SLIDES', 'DOCUMENT')"
_STATUSES = "('pending', 'in_progress', 'completed', 'failed', 'cancelled')"


def _now(name: str) -> sa.Column[object]:
    return sa.Column(name, sa.DateTime(timezone=True), server_default=sa.func.now(), nullable=False)


def _moment(name: str) -> sa.Column[object]:
    return sa.Column(name, sa.DateTime(timezone=True))


def _text(name: str, default: str | None = None) -> sa.Column[object]:
    return sa.Column(name, sa.Text, server_default=default, nullable=False)


def _maybe(*names: str) -> list[sa.Column[object]]:
    return [sa.Column(name, sa.Text) for name in names]


def _count(name: str) -> sa.Column[object]:
    return sa.Column(name, sa.Integer, server_default="0", nullable=False)


def _share(name: str) -> sa.Column[object]:
    return sa.Column(name, sa.Float, server_default="0", nullable=False)


def _tenant_columns() -> list[sa.Column[object]]:
    return [
        sa.Column("tenant_id", sa.Uuid, primary_key=True),
        sa.Column("id", sa.Uuid, primary_key=True),
        _now("created_at"),
    ]


def _of_workspace() -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(["tenant_id"], ["workspaces.id"], ondelete="CASCADE")


def _of(column: str, table: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(["tenant_id", column], [f"{table}.tenant_id", f"{table}.id"], ondelete="CASCADE")


def _of_artifact(column: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(["tenant_id", column], ["artifacts.tenant_id", "artifacts.sha256"])


def _index(table: str, *columns: str) -> None:
    op.create_index(f"{table}_tenant_id_{'_'.join(columns)}_idx", table, ["tenant_id", *columns])


def upgrade() -> None:
    _deliverables()
    _exports()


def _deliverables() -> None:
    op.create_table(
        "deliverables",
        *_tenant_columns(),
        sa.Column("user_id", sa.Uuid, nullable=False),
        *(sa.Column(name, sa.Uuid) for name in ("run_id", "conversation_id", "message_id")),
        _text("kind"),
        _text("title", ""),
        _text("status", "pending"),
        _text("phase", ""),
        _share("progress"),
        *(_count(name) for name in ("sections_done", "sections_total", "words")),
        *_maybe("error_code", "error_message"),
        _count("version"),
        sa.Column("entity_id", sa.Uuid),
        *_maybe("manifest_hash", "brief_sha256", "content_sha256"),
        sa.Column("files", JSONB, server_default="[]", nullable=False),
        _moment("started_at"),
        _moment("finished_at"),
        _now("updated_at"),
        _of_workspace(),
        _of("run_id", "runs"),
        _of("conversation_id", "conversations"),
        _of_artifact("brief_sha256"),
        _of_artifact("content_sha256"),
        sa.CheckConstraint(f"kind in {_KINDS}", name="kind"),
        sa.CheckConstraint(f"status in {_STATUSES}", name="status"),
        sa.CheckConstraint("progress between 0 and 1", name="progress"),
    )
    for columns in (("user_id",), ("run_id",), ("conversation_id", "kind"), ("brief_sha256",), ("content_sha256",)):
        _index("deliverables", *columns)
    protect("deliverables", rows=OWN_IN_TENANT)
    shared = "c.tenant_id = deliverables.tenant_id and c.id = deliverables.conversation_id and c.is_shared"
    share("deliverables", rows=f"{IN_TENANT} and exists (select from conversations c where {shared})")
    hold("deliverables", "brief_sha256", "content_sha256")


def _exports() -> None:
    op.create_table(
        "deliverable_exports",
        *_tenant_columns(),
        sa.Column("deliverable_id", sa.Uuid, nullable=False),
        _text("format"),
        _text("status", "pending"),
        _share("progress"),
        *_maybe("error", "name", "media_type"),
        sa.Column("size_bytes", sa.BigInteger),
        *_maybe("sha256"),
        _now("updated_at"),
        sa.UniqueConstraint("tenant_id", "deliverable_id", "format"),
        _of_workspace(),
        _of("deliverable_id", "deliverables"),
        _of_artifact("sha256"),
        sa.CheckConstraint(f"status in {_STATUSES}", name="status"),
    )
    _index("deliverable_exports", "sha256")
    seen = "d.tenant_id = deliverable_exports.tenant_id and d.id = deliverable_exports.deliverable_id"
    protect("deliverable_exports", rows=f"{IN_TENANT} and exists (select from deliverables d where {seen})")
    hold("deliverable_exports", "sha256")


def downgrade() -> None:
    op.drop_table("deliverable_exports")
    op.drop_table("deliverables")
