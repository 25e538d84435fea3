"""Statements of a message with their verdicts, and what the confidence in an answer rests on."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import JSONB

revision = "0021"
down_revision = "0020"


def upgrade() -> None:
    op.add_column("message_evidence", sa.Column("statements", JSONB, server_default="[]", nullable=False))
    op.add_column("message_evidence", sa.Column("newest_source", sa.Date))
    op.add_column("message_evidence", sa.Column("unanswered_parts", sa.Integer, server_default="0", nullable=False))
    op.add_column("messages", sa.Column("confidence", JSONB))


def downgrade() -> None:
    op.drop_column("messages", "confidence")
    op.drop_column("message_evidence", "unanswered_parts")
    op.drop_column("message_evidence", "newest_source")
    op.drop_column("message_evidence", "statements")
