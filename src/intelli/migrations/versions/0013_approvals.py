"""Approvals: what a tool wants to change, who decided on it, and finding open changes of one path quickly."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import JSONB

from intelli.migrations.policies import IN_TENANT, share

revision = "0013"
down_revision = "0012"

_TABLE = "agent_interactions"


def upgrade() -> None:
    for column in (
        sa.Column("path", sa.Text),
        sa.Column("proposal", JSONB),
        sa.Column("conversation_id", sa.Uuid),
        sa.Column("confirmed_by", sa.Uuid),
    ):
        op.add_column(_TABLE, column)
    op.create_check_constraint(
        "confirmation", _TABLE, "confirmation_status in ('pending', 'approved', 'rejected', 'cancelled')"
    )
    op.create_index(
        f"{_TABLE}_tenant_id_path_idx",
        _TABLE,
        ["tenant_id", "path"],
        postgresql_where=sa.text("requires_confirmation and finished_at is null"),
    )
    # Who reads a shared conversation may see what waits for a decision in it.
    shared = f"c.tenant_id = {_TABLE}.tenant_id and c.id = {_TABLE}.conversation_id and c.is_shared"
    share(_TABLE, rows=f"{IN_TENANT} and exists (select from conversations c where {shared})")


def downgrade() -> None:
    op.execute(f"drop policy {_TABLE}_sharing on {_TABLE}")
    op.drop_index(f"{_TABLE}_tenant_id_path_idx", _TABLE)
    op.drop_constraint(op.f(f"{_TABLE}_confirmation_check"), _TABLE)
    for column in ("confirmed_by", "conversation_id", "proposal", "path"):
        op.drop_column(_TABLE, column)
