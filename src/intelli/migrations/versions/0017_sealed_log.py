"""Seals in the audit log: a keyed hash of each entry, and the name of its key. Older entries stay as they are."""

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0015"


def upgrade() -> None:
    op.add_column("audit_log_entries", sa.Column("key_id", sa.Text))
    op.add_column("audit_log_entries", sa.Column("seal", sa.Text))
    op.execute(
        "alter table audit_log_entries add constraint audit_log_entries_sealed_check "
        "check (key_id is not null and seal is not null) not valid"
    )


def downgrade() -> None:
    op.drop_column("audit_log_entries", "seal")
    op.drop_column("audit_log_entries", "key_id")
