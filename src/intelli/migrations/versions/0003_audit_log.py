"""The audit log: the application may insert and select, nothing else."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import JSONB

from intelli.migrations.policies import protect

revision = "0003"
down_revision = "0002"

# Locks first and looks second, each with its own snapshot: the entry that the lock waited for is seen.
_TAIL = """
create function audit_tail(the_tenant uuid) returns table (seq bigint, hash text) language plpgsql volatile as $$
begin
    perform pg_advisory_xact_lock(hashtextextended('audit:' || the_tenant, 0));
    return query
        select entry.seq, entry.hash from audit_log_entries entry
        where entry.tenant_id = the_tenant order by entry.seq desc limit 1;
end $$
"""


def upgrade() -> None:
    op.create_table(
        "audit_log_entries",
        sa.Column("tenant_id", sa.Uuid, primary_key=True),
        sa.Column("id", sa.Uuid, primary_key=True),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.func.now(), nullable=False),
        sa.Column("seq", sa.BigInteger, nullable=False),
        sa.Column("event_type", sa.Text, nullable=False),
        sa.Column("user_id", sa.Uuid),
        sa.Column("conversation_id", sa.Uuid),
        sa.Column("run_id", sa.Uuid),
        sa.Column("entity_type", sa.Text),
        sa.Column("entity_id", sa.Uuid),
        sa.Column("success", sa.Boolean, nullable=False),
        sa.Column("details", JSONB, nullable=False),
        sa.Column("previous_hash", sa.Text, nullable=False),
        sa.Column("hash", sa.Text, nullable=False),
        sa.ForeignKeyConstraint(["tenant_id"], ["workspaces.id"], ondelete="CASCADE"),
        sa.UniqueConstraint("tenant_id", "seq"),
    )
    for columns in (["tenant_id", "user_id", "seq"], ["tenant_id", "event_type", "seq"], ["tenant_id", "run_id"]):
        op.create_index(f"audit_log_entries_{'_'.join(columns)}_idx", "audit_log_entries", columns)
    protect("audit_log_entries", grants="select, insert")
    op.execute(_TAIL)


def downgrade() -> None:
    op.execute("drop function audit_tail(uuid)")
    op.drop_table("audit_log_entries")
