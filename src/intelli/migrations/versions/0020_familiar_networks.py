"""Throttles that belong to an account, and the networks it was signed in to from, under hashes."""

import sqlalchemy as sa
from alembic import op

revision = "0020"
down_revision = "0019"


def upgrade() -> None:
    op.add_column("throttles", sa.Column("account_hash", sa.Text))
    op.create_index("throttles_account_hash_idx", "throttles", ["account_hash"])
    op.create_table(
        "familiar_networks",
        sa.Column("name_hash", sa.Text, primary_key=True),
        sa.Column("last_at", sa.DateTime(timezone=True), server_default=sa.func.now(), nullable=False),
    )
    op.execute("grant select, insert, update, delete on familiar_networks to intelli_app")


def downgrade() -> None:
    op.drop_table("familiar_networks")
    op.drop_index("throttles_account_hash_idx", "throttles")
    op.drop_column("throttles", "account_hash")
