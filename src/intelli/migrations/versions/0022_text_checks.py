"""Checks of texts from elsewhere, and their statements."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import JSONB

from intelli.migrations.policies import OWN_IN_TENANT, protect
from intelli.migrations.references import hold

revision = "0022"
down_revision = "0021"

_STATUSES = "('pending', 'processing', 'completed', 'failed', 'cancelled')"
_SOURCES = "('text', 'file', 'document', 'deliverable')"
_VERDICTS = "('supported', 'partly', 'not_supported', 'contradicted', 'unchecked')"
_OUTCOMES = "('verified', 'weak', 'failed', 'unchecked')"


def _now(name: str) -> sa.Column[object]:
    return sa.Column(name, sa.DateTime(timezone=True), server_default=sa.func.now(), nullable=False)


def _text(name: str, default: str | None = None) -> sa.Column[object]:
    return sa.Column(name, sa.Text, server_default=default, nullable=False)


def _maybe(*names: str) -> list[sa.Column[object]]:
    return [sa.Column(name, sa.Text) for name in names]


def _count(name: str) -> sa.Column[object]:
    return sa.Column(name, sa.BigInteger, server_default="0", nullable=False)


def _of_workspace() -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(["tenant_id"], ["workspaces.id"], ondelete="CASCADE")


def _of(column: str, table: str, ondelete: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(["tenant_id", column], [f"{table}.tenant_id", f"{table}.id"], ondelete=ondelete)


def _index(*columns: str) -> None:
    op.create_index(f"text_checks_tenant_id_{'_'.join(columns)}_idx", "text_checks", ["tenant_id", *columns])


def upgrade() -> None:
    _checks()
    _statements()


def _checks() -> None:
    op.create_table(
        "text_checks",
        sa.Column("tenant_id", sa.Uuid, primary_key=True),
        sa.Column("id", sa.Uuid, primary_key=True),
        _now("created_at"),
        sa.Column("user_id", sa.Uuid, nullable=False),
        sa.Column("owner_id", sa.Uuid, sa.Computed("user_id", persisted=True), nullable=False),
        _text("title"),
        _text("status", "pending"),
        sa.Column("progress", sa.Float, server_default="0", nullable=False),
        _text("message", ""),
        _text("source"),
        sa.Column("document_id", sa.Uuid),
        sa.Column("document_version", sa.BigInteger),
        sa.Column("deliverable_id", sa.Uuid),
        *_maybe("file_sha256", "file_name", "media_type", "source_sha256"),
        sa.Column("context", JSONB, server_default="{}", nullable=False),
        *_maybe("text", "cited_text"),
        sa.Column("skipped", JSONB, server_default="[]", nullable=False),
        sa.Column("total", sa.Integer),
        _text("model", ""),
        _count("input_tokens"),
        _count("output_tokens"),
        sa.Column("cost_cents", sa.Numeric(20, 10), server_default="0", nullable=False),
        *_maybe("error_code", "error_message"),
        sa.Column("started_at", sa.DateTime(timezone=True)),
        sa.Column("finished_at", sa.DateTime(timezone=True)),
        _now("updated_at"),
        _of_workspace(),
        _of("document_id", "documents", "SET NULL (document_id)"),
        _of("deliverable_id", "deliverables", "SET NULL (deliverable_id)"),
        sa.ForeignKeyConstraint(
            ["tenant_id", "file_sha256", "owner_id"],
            ["artifacts.tenant_id", "artifacts.sha256", "artifacts.owner_id"],
        ),
        sa.CheckConstraint(f"status in {_STATUSES}", name="status"),
        sa.CheckConstraint(f"source in {_SOURCES}", name="source"),
        sa.CheckConstraint("progress between 0 and 1", name="progress"),
    )
    for columns in (("user_id", "created_at"), ("document_id",), ("deliverable_id",), ("file_sha256",)):
        _index(*columns)
    protect("text_checks", rows=OWN_IN_TENANT)
    hold("text_checks", "file_sha256")


def _statements() -> None:
    op.create_table(
        "checked_statements",
        sa.Column("tenant_id", sa.Uuid, primary_key=True),
        sa.Column("check_id", sa.Uuid, primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("user_id", sa.Uuid, nullable=False),
        _text("kind"),
        _text("text"),
        sa.Column("char_start", sa.Integer, nullable=False),
        sa.Column("char_end", sa.Integer, nullable=False),
        _text("verdict"),
        _text("outcome"),
        _text("reason", ""),
        _text("judged_by"),
        sa.Column("calculations", JSONB, server_default="[]", nullable=False),
        sa.Column("citations", JSONB, server_default="[]", nullable=False),
        _now("created_at"),
        _of_workspace(),
        _of("check_id", "text_checks", "CASCADE"),
        sa.CheckConstraint(f"verdict in {_VERDICTS}", name="verdict"),
        sa.CheckConstraint(f"outcome in {_OUTCOMES}", name="outcome"),
        sa.CheckConstraint("char_start >= 0 and char_end >= char_start", name="span"),
    )
    protect("checked_statements", rows=OWN_IN_TENANT)


def downgrade() -> None:
    op.drop_table("checked_statements")
    op.drop_table("text_checks")
