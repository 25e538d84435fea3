"""Entities, the citations of messages, and the evidence of a message as a whole."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import JSONB

from intelli.migrations.policies import OWN_IN_TENANT, protect
from intelli.migrations.references import hold

revision = "0009"
down_revision = "0008"

_TYPES = (
    "('WEB_PAGE', 'EXTERNAL_API_DATA', 'GENERATED_CONTENT', 'USER_QUERY_PART', 'GENERATED_REPORT', "
    "'GENERATED_PRESENTATION', 'INTRA_ENTITY_SEARCH_RESULT', 'EXTRACTED_ENTITY', 'SEARCH_PLAN', 'KNOWLEDGE_BASE', "
    "'WEBSITE', 'GENERATED_DOCUMENT')"
)


def _now(name: str) -> sa.Column[object]:
    return sa.Column(name, sa.DateTime(timezone=True), server_default=sa.func.now(), nullable=False)


def _moment(name: str) -> sa.Column[object]:
    return sa.Column(name, sa.DateTime(timezone=True))


def _text(name: str, default: str | None = None) -> sa.Column[object]:
    return sa.Column(name, sa.Text, server_default=default, nullable=False)


def _json(name: str, default: str) -> sa.Column[object]:
    return sa.Column(name, JSONB, server_default=default, nullable=False)


def _uuids(*names: str) -> list[sa.Column[object]]:
    return [sa.Column(name, sa.Uuid) for name in names]


def _of_workspace() -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(["tenant_id"], ["workspaces.id"], ondelete="CASCADE")


def _of(column: str, table: str, ondelete: str = "CASCADE") -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(["tenant_id", column], [f"{table}.tenant_id", f"{table}.id"], ondelete=ondelete)


def _indexes(table: str, *columns: str) -> None:
    for column in columns:
        op.create_index(f"{table}_tenant_id_{column}_idx", table, ["tenant_id", column])


def upgrade() -> None:
    _entities()
    _citations()
    _evidence()


def _entities() -> None:
    op.create_table(
        "entities",
        sa.Column("tenant_id", sa.Uuid, primary_key=True),
        sa.Column("id", sa.Uuid, primary_key=True),
        _now("created_at"),
        sa.Column("user_id", sa.Uuid, nullable=False),
        *_uuids("run_id", "conversation_id", "message_id"),
        sa.Column("position", sa.Integer, server_default="0", nullable=False),
        _text("entity_type"),
        _text("identifier"),
        sa.Column("title", sa.Text),
        _text("file_name"),
        _text("mimetype"),
        *_uuids("stored_entity_id"),
        *(sa.Column(name, sa.Text) for name in ("content_artifact_id", "held_sha256", "external_url")),
        *(sa.Column(name, sa.Text) for name in ("api_subtype", "user_query")),
        _json("all_seen_entities", "[]"),
        _json("cited_entities", "[]"),
        _json("metadata", "{}"),
        _text("status", "ready"),
        _moment("due_at"),
        _now("updated_at"),
        sa.UniqueConstraint("tenant_id", "run_id", "identifier"),
        _of_workspace(),
        _of("run_id", "runs"),
        sa.ForeignKeyConstraint(["tenant_id", "held_sha256"], ["artifacts.tenant_id", "artifacts.sha256"]),
        sa.CheckConstraint(f"entity_type in {_TYPES}", name="entity_type"),
        sa.CheckConstraint("status in ('ready', 'in_progress', 'failed')", name="status"),
    )
    _indexes("entities", "user_id", "message_id", "conversation_id", "held_sha256")
    protect("entities", rows=OWN_IN_TENANT)
    hold("entities", "held_sha256")


def _citations() -> None:
    op.create_table(
        "message_citations",
        sa.Column("tenant_id", sa.Uuid, primary_key=True),
        sa.Column("id", sa.Uuid, primary_key=True),
        _now("created_at"),
        sa.Column("user_id", sa.Uuid, nullable=False),
        *_uuids("run_id", "conversation_id"),
        sa.Column("message_id", sa.Uuid, nullable=False),
        sa.Column("ordinal", sa.Integer, nullable=False),
        _text("identifier"),
        *_uuids("entity_id", "document_id"),
        sa.Column("document_version", sa.BigInteger),
        *(_text(name) for name in ("file_name", "path", "mime_type", "source_type", "fetch_strategy")),
        sa.Column("relevance_score", sa.Float, nullable=False),
        _text("sha256"),
        sa.Column("text_sha256", sa.Text),
        sa.Column("char_start", sa.BigInteger, nullable=False),
        sa.Column("char_end", sa.BigInteger, nullable=False),
        sa.Column("page", sa.Integer),
        sa.Column("section", sa.Text),
        *(_text(name) for name in ("quote", "quote_sha256", "sentence", "outcome")),
        _text("reason", ""),
        sa.Column("score", sa.Float, server_default="0", nullable=False),
        _now("checked_at"),
        sa.Column("is_stale", sa.Boolean, server_default="false", nullable=False),
        sa.Column("compared_sha256", sa.Text),
        sa.Column("decision", sa.Text),
        _text("note", ""),
        *_uuids("reviewer_id"),
        _moment("reviewed_at"),
        sa.UniqueConstraint("tenant_id", "message_id", "ordinal"),
        _of_workspace(),
        _of("run_id", "runs"),
        _of("entity_id", "entities", "SET NULL (entity_id)"),
        _of("document_id", "documents", "SET NULL (document_id)"),
        sa.CheckConstraint("outcome in ('verified', 'weak', 'failed', 'unchecked')", name="outcome"),
        sa.CheckConstraint("decision in ('accepted', 'disputed')", name="decision"),
        sa.CheckConstraint("char_start >= 0 and char_end >= char_start", name="span"),
    )
    _indexes("message_citations", "run_id", "conversation_id", "entity_id", "document_id")
    protect("message_citations", rows=OWN_IN_TENANT)


def _evidence() -> None:
    op.create_table(
        "message_evidence",
        sa.Column("tenant_id", sa.Uuid, primary_key=True),
        sa.Column("message_id", sa.Uuid, primary_key=True),
        sa.Column("user_id", sa.Uuid, nullable=False),
        *_uuids("run_id", "conversation_id"),
        *(sa.Column(name, sa.Integer, nullable=False) for name in ("found", "cited", "read_not_used", "screened_out")),
        *(_json(name, "[]") for name in ("queries", "not_found", "disagreements", "figures")),
        _now("created_at"),
        _of_workspace(),
        _of("run_id", "runs"),
        sa.CheckConstraint("found = cited + read_not_used + screened_out", name="adds_up"),
    )
    _indexes("message_evidence", "run_id", "conversation_id")
    protect("message_evidence", rows=OWN_IN_TENANT)


def downgrade() -> None:
    for table in ("message_evidence", "message_citations", "entities"):
        op.drop_table(table)
