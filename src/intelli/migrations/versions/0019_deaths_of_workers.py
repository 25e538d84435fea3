"""How often a worker died under a run since that last got further, so that one which kills its workers is given up."""

import sqlalchemy as sa
from alembic import op

revision = "0019"
down_revision = "0018"


def upgrade() -> None:
    op.add_column("runs", sa.Column("deaths", sa.Integer, server_default="0", nullable=False))
    op.add_column("runs", sa.Column("death_epoch", sa.BigInteger))
    op.add_column("runs", sa.Column("steps_at_claim", sa.BigInteger, server_default="0", nullable=False))


def downgrade() -> None:
    for column in ("steps_at_claim", "death_epoch", "deaths"):
        op.drop_column("runs", column)
