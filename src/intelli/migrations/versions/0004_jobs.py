"""The job queue (Procrastinate, in a schema of its own), the ledger of effects, and kept answers."""

import sqlalchemy as sa
from alembic import op
from procrastinate.schema import SchemaManager

from intelli.migrations.policies import OWN_IN_TENANT, protect

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    op.execute("create schema jobs")
    op.execute("set local search_path = jobs")
    # Run as one script by the driver: the file holds many statements and percent signs.
    driver = op.get_bind().connection.driver_connection
    assert driver is not None, "migrations run on an open connection"
    driver.execute(SchemaManager.get_schema())
    op.execute("set local search_path = public")
    op.execute("grant usage on schema jobs to intelli_app")
    op.execute("grant select, insert, update, delete on all tables in schema jobs to intelli_app")
    op.execute("grant usage, select on all sequences in schema jobs to intelli_app")
    op.create_table(
        "effects",
        sa.Column("tenant_id", sa.Uuid, primary_key=True),
        sa.Column("id", sa.Uuid, primary_key=True),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.func.now(), nullable=False),
        sa.Column("key", sa.Text, nullable=False),
        sa.Column("job_id", sa.BigInteger),
        sa.Column("attempt", sa.Integer),
        sa.UniqueConstraint("tenant_id", "key"),
        sa.ForeignKeyConstraint(["tenant_id"], ["workspaces.id"], ondelete="CASCADE"),
    )
    protect("effects")
    op.create_table(
        "idempotent_answers",
        sa.Column("tenant_id", sa.Uuid, primary_key=True),
        sa.Column("id", sa.Uuid, primary_key=True),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.func.now(), nullable=False),
        sa.Column("user_id", sa.Uuid, nullable=False),
        sa.Column("key_hash", sa.Text, nullable=False),
        sa.Column("request_hash", sa.Text, nullable=False),
        sa.Column("body", sa.LargeBinary),
        sa.UniqueConstraint("tenant_id", "user_id", "key_hash"),
        sa.ForeignKeyConstraint(["tenant_id"], ["workspaces.id"], ondelete="CASCADE"),
    )
    op.create_index("idempotent_answers_created_at_idx", "idempotent_answers", ["created_at"])
    protect("idempotent_answers", rows=OWN_IN_TENANT)


def downgrade() -> None:
    op.drop_table("idempotent_answers")
    op.drop_table("effects")
    op.execute("drop schema jobs cascade")
