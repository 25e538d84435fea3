"""The forward index of terms by chunk, and the best hits of frequent terms."""

import sqlalchemy as sa
from alembic import op

from intelli.migrations.policies import protect

revision = "0025"
down_revision = "0024"


def upgrade() -> None:
    op.create_table(
        "chunk_terms",
        sa.Column("tenant_id", sa.Uuid, primary_key=True),
        sa.Column("reading", sa.BigInteger, primary_key=True),
        sa.Column("chunk_index", sa.Integer, primary_key=True),
        sa.Column("length", sa.Integer, nullable=False),
        sa.Column("digest", sa.BigInteger, nullable=False),
        sa.Column("terms", sa.LargeBinary, nullable=False),
        sa.Column("counts", sa.LargeBinary, nullable=False),
        sa.ForeignKeyConstraint(["tenant_id"], ["workspaces.id"], ondelete="CASCADE"),
        sa.ForeignKeyConstraint(
            ["tenant_id", "reading"], ["readings.tenant_id", "readings.number"], ondelete="CASCADE"
        ),
    )
    # Hashes do not compress, and a search reads only the beginning of the best hits.
    op.execute("alter table chunk_terms alter column terms set storage external")
    op.execute("alter table chunk_terms alter column counts set storage external")
    protect("chunk_terms")
    # They are counted anew, and chosen, as the workspace grows or within the day.
    op.execute("delete from frequent_terms")
    op.drop_column("frequent_terms", "rows")
    op.add_column("frequent_terms", sa.Column("until", sa.BigInteger, nullable=False))
    op.add_column("frequent_terms", sa.Column("hits", sa.LargeBinary, nullable=False))
    op.execute("alter table frequent_terms alter column hits set storage external")
    op.execute("update lexicons set counted = 0")


def downgrade() -> None:
    op.execute("delete from frequent_terms")
    op.drop_column("frequent_terms", "until")
    op.drop_column("frequent_terms", "hits")
    op.add_column("frequent_terms", sa.Column("rows", sa.BigInteger, nullable=False))
    op.execute("update lexicons set counted = 0")
    op.drop_table("chunk_terms")
