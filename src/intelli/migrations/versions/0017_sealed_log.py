"""Seals in the audit log: a keyed hash of each entry, and the name of its key. Older entries stay as they are."""

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0015"


def upgrade() -> None:
    op.add_column("audit_log_entries", sa.Column("seal_key", sa.Text))
    op.add_column("audit_log_entries", sa.Column("seal", sa.Text))
    # A policy instead of a constraint, for older entries have none: a process of an earlier version adds no more.
    op.execute(
        "create policy audit_log_entries_sealed on audit_log_entries as restrictive for insert "
        "with check (seal_key is not null and seal is not null)"
    )


def downgrade() -> None:
    op.execute("drop policy audit_log_entries_sealed on audit_log_entries")
    op.drop_column("audit_log_entries", "seal")
    op.drop_column("audit_log_entries", "seal_key")
