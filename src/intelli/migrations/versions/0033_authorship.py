"""Versions that our agent wrote are found by themselves: each search for evidence asks for them."""

from alembic import op

revision = "0033"
down_revision = "0028"


def upgrade() -> None:
    op.execute(
        "create index document_versions_by_agent_idx on document_versions (tenant_id, document_id)"
        " where edit_by = 'agent'"
    )


def downgrade() -> None:
    op.execute("drop index document_versions_by_agent_idx")
