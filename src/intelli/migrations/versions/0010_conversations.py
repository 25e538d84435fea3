"""Conversations with their messages and the feedback on them; runs belong to a conversation and know what was said."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import JSONB, TSVECTOR

from intelli.migrations.policies import IN_TENANT, OWN_IN_TENANT, protect, share

revision = "0010"
down_revision = "0009"

# What a conversation is read with.
_BELONGINGS = ("messages", "entities", "message_citations", "message_evidence")


def _now(name: str) -> sa.Column[object]:
    return sa.Column(name, sa.DateTime(timezone=True), server_default=sa.func.now(), nullable=False)


def _text(name: str, default: str | None = None) -> sa.Column[object]:
    return sa.Column(name, sa.Text, server_default=default, nullable=False)


def _number(name: str, kind: type[sa.Integer] = sa.BigInteger, default: str = "0") -> sa.Column[object]:
    return sa.Column(name, kind, server_default=default, nullable=False)


def _flag(name: str) -> sa.Column[object]:
    return sa.Column(name, sa.Boolean, server_default="false", nullable=False)


def _list(name: str) -> sa.Column[object]:
    return sa.Column(name, JSONB, server_default="[]", nullable=False)


def _tenant_columns() -> list[sa.Column[object]]:
    return [
        sa.Column("tenant_id", sa.Uuid, primary_key=True),
        sa.Column("id", sa.Uuid, primary_key=True),
        _now("created_at"),
    ]


def _of_workspace() -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(["tenant_id"], ["workspaces.id"], ondelete="CASCADE")


def _of(column: str, table: str, ondelete: str | None = "CASCADE") -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(["tenant_id", column], [f"{table}.tenant_id", f"{table}.id"], ondelete=ondelete)


def _index(table: str, *columns: str) -> None:
    op.create_index(f"{table}_tenant_id_{'_'.join(columns)}_idx", table, ["tenant_id", *columns])


def upgrade() -> None:
    _conversations()
    _messages()
    _feedback()
    for table in ("conversations", "messages", "message_feedback"):
        protect(table, rows=OWN_IN_TENANT)
    share("conversations", rows=f"{IN_TENANT} and is_shared")
    for table in _BELONGINGS:
        shared = f"c.tenant_id = {table}.tenant_id and c.id = {table}.conversation_id and c.is_shared"
        share(table, rows=f"{IN_TENANT} and exists (select from conversations c where {shared})")
    _runs()


def _conversations() -> None:
    op.create_table(
        "conversations",
        *_tenant_columns(),
        sa.Column("user_id", sa.Uuid, nullable=False),
        sa.Column("title", sa.Text),
        _text("initialization_context", "new_chat"),
        sa.Column("initialization_path", sa.Text),
        _flag("is_pinned"),
        _flag("is_archived"),
        _flag("is_shared"),
        _text("last_message_preview", ""),
        _now("last_activity_at"),
        _number("message_count", sa.Integer),
        _number("total_tokens_used"),
        _number("request_count", sa.Integer),
        _number("version", default="1"),
        _now("updated_at"),
        _of_workspace(),
        sa.CheckConstraint("initialization_context in ('new_chat', 'file', 'folder')", name="initialization_context"),
    )
    _index("conversations", "user_id", "last_activity_at", "id")


def _messages() -> None:
    op.create_table(
        "messages",
        *_tenant_columns(),
        sa.Column("conversation_id", sa.Uuid, nullable=False),
        sa.Column("user_id", sa.Uuid, nullable=False),
        sa.Column("position", sa.Integer, nullable=False),
        sa.Column("parent_message_id", sa.Uuid),
        _text("role"),
        _text("content"),
        sa.Column("words", TSVECTOR, nullable=False),
        sa.Column("run_id", sa.Uuid),
        sa.Column("confidence_score", sa.Float),
        _number("input_tokens"),
        _number("output_tokens"),
        sa.Column("cost_cents", sa.Numeric(20, 10), server_default="0", nullable=False),
        sa.Column("deliverable_type", sa.Text),
        sa.Column("needs_clarification_message", sa.Text),
        _list("context_references"),
        _list("follow_ups"),
        _list("problems"),
        sa.UniqueConstraint("tenant_id", "conversation_id", "position"),
        _of_workspace(),
        _of("conversation_id", "conversations"),
        _of("parent_message_id", "messages", None),
        sa.CheckConstraint("role in ('user', 'agent')", name="role"),
    )
    _index("messages", "parent_message_id")


def _feedback() -> None:
    op.create_table(
        "message_feedback",
        *_tenant_columns(),
        sa.Column("message_id", sa.Uuid, nullable=False),
        sa.Column("user_id", sa.Uuid, nullable=False),
        _text("rating"),
        sa.Column("text", sa.Text),
        _now("updated_at"),
        sa.UniqueConstraint("tenant_id", "message_id", "user_id"),
        _of_workspace(),
        _of("message_id", "messages"),
        sa.CheckConstraint("rating in ('thumbs_up', 'thumbs_down')", name="rating"),
    )


def _runs() -> None:
    op.add_column("runs", _list("turns"))
    op.create_foreign_key(
        "runs_tenant_id_conversation_id_fkey",
        "runs",
        "conversations",
        ["tenant_id", "conversation_id"],
        ["tenant_id", "id"],
        ondelete="CASCADE",
    )
    _index("runs", "conversation_id")


def downgrade() -> None:
    op.drop_index("runs_tenant_id_conversation_id_idx", "runs")
    op.drop_constraint("runs_tenant_id_conversation_id_fkey", "runs")
    op.drop_column("runs", "turns")
    for table in _BELONGINGS:
        op.execute(f"drop policy {table}_sharing on {table}")
    for table in ("message_feedback", "messages", "conversations"):
        op.drop_table(table)
