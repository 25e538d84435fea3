"""Questions that a document answers, which people are shown to begin with; each was tried before it was kept."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import JSONB

from intelli.migrations.policies import protect

revision = "0034"
down_revision = "0033"


def upgrade() -> None:
    op.create_table(
        "document_questions",
        sa.Column("tenant_id", sa.Uuid, primary_key=True),
        sa.Column("document_id", sa.Uuid, primary_key=True),
        sa.Column("artifact_sha256", sa.Text, nullable=False),
        sa.Column("questions", JSONB, nullable=False),
        sa.Column("tried_at", sa.DateTime(timezone=True), server_default=sa.func.now(), nullable=False),
        sa.ForeignKeyConstraint(["tenant_id"], ["workspaces.id"], ondelete="CASCADE"),
        sa.ForeignKeyConstraint(
            ["tenant_id", "document_id"], ["documents.tenant_id", "documents.id"], ondelete="CASCADE"
        ),
    )
    protect("document_questions")


def downgrade() -> None:
    op.drop_table("document_questions")
