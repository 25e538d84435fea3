"""What a reader should know of a reading, beside it: that only a part of the file was read, that it is damaged."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import JSONB

revision = "0015"
down_revision = "0014"


def upgrade() -> None:
    op.add_column("readings", sa.Column("warnings", JSONB, server_default="[]", nullable=False))


def downgrade() -> None:
    op.drop_column("readings", "warnings")
