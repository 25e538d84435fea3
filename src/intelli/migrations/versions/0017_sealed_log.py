"""Seals in the audit log: a keyed hash of each entry, and the name of its key. Older entries stay as they are."""

import sqlalchemy as sa
from alembic import op

from intelli.migrations.policies import IN_TENANT

revision = "0017"
down_revision = "0016"

# In the policy and no constraint, for older entries have none: a process of an earlier version adds no more of them.
_WRITES = "alter policy audit_log_entries_isolation on audit_log_entries with check ({})"


def upgrade() -> None:
    op.add_column("audit_log_entries", sa.Column("seal_key", sa.Text))
    op.add_column("audit_log_entries", sa.Column("seal", sa.Text))
    op.execute(_WRITES.format(f"{IN_TENANT} and seal_key is not null and seal is not null"))


def downgrade() -> None:
    op.execute(_WRITES.format(IN_TENANT))
    op.drop_column("audit_log_entries", "seal")
    op.drop_column("audit_log_entries", "seal_key")
