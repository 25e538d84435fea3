"""Sessions with rotating refresh tokens, invitations, API keys and the throttle of failed attempts."""

import sqlalchemy as sa
from alembic import op

from intelli.migrations.policies import IN_TENANT, OWN_IN_TENANT, PROOF, USER, protect

revision = "0002"
down_revision = "0001"


def _tenant_columns() -> list[sa.Column[object]]:
    return [
        sa.Column("tenant_id", sa.Uuid, primary_key=True),
        sa.Column("id", sa.Uuid, primary_key=True),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.func.now(), nullable=False),
    ]


def _of_member() -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(
        ["tenant_id", "user_id"], ["memberships.tenant_id", "memberships.user_id"], ondelete="CASCADE"
    )


def upgrade() -> None:
    op.create_table(
        "sessions",
        *_tenant_columns(),
        sa.Column("user_id", sa.Uuid, nullable=False),
        sa.Column("client", sa.Text, nullable=False),
        sa.Column("last_used_at", sa.DateTime(timezone=True), server_default=sa.func.now(), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("ended_at", sa.DateTime(timezone=True)),
        _of_member(),
    )
    op.create_index("sessions_tenant_id_user_id_idx", "sessions", ["tenant_id", "user_id"])
    # A person sees and ends their sessions in all their workspaces; the composite key still ties each to a membership.
    protect("sessions", rows=f"user_id = {USER} or {OWN_IN_TENANT}")
    op.create_table(
        "refresh_tokens",
        *_tenant_columns(),
        sa.Column("session_id", sa.Uuid, nullable=False),
        sa.Column("user_id", sa.Uuid, nullable=False),
        sa.Column("token_hash", sa.Text, nullable=False, unique=True),
        sa.Column("used_at", sa.DateTime(timezone=True)),
        sa.ForeignKeyConstraint(["tenant_id", "session_id"], ["sessions.tenant_id", "sessions.id"], ondelete="CASCADE"),
    )
    op.create_index("refresh_tokens_tenant_id_session_id_idx", "refresh_tokens", ["tenant_id", "session_id"])
    protect(
        "refresh_tokens",
        rows=f"user_id = {USER} or {OWN_IN_TENANT} or token_hash = {PROOF}",
        writes=OWN_IN_TENANT,
    )
    op.create_table(
        "invitations",
        *_tenant_columns(),
        sa.Column("role", sa.Text, nullable=False),
        sa.Column("email", sa.Text),
        sa.Column("invited_by", sa.Uuid),
        sa.Column("token_hash", sa.Text, nullable=False, unique=True),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("accepted_at", sa.DateTime(timezone=True)),
        sa.ForeignKeyConstraint(["tenant_id"], ["workspaces.id"], ondelete="CASCADE"),
        sa.CheckConstraint("role in ('admin', 'member', 'viewer')", name="role"),
    )
    protect("invitations", rows=f"{IN_TENANT} or token_hash = {PROOF}", writes=IN_TENANT)
    op.create_table(
        "api_keys",
        *_tenant_columns(),
        sa.Column("user_id", sa.Uuid, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("prefix", sa.Text, nullable=False),
        sa.Column("key_hash", sa.Text, nullable=False, unique=True),
        sa.Column("scopes", sa.ARRAY(sa.Text), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True)),
        sa.Column("last_used_at", sa.DateTime(timezone=True)),
        _of_member(),
    )
    op.create_index("api_keys_tenant_id_user_id_idx", "api_keys", ["tenant_id", "user_id"])
    protect("api_keys", rows=f"{OWN_IN_TENANT} or key_hash = {PROOF}", writes=OWN_IN_TENANT)
    op.create_table(
        "throttles",
        sa.Column("name_hash", sa.Text, primary_key=True),
        sa.Column("failures", sa.Integer, server_default="0", nullable=False),
        sa.Column("first_at", sa.DateTime(timezone=True), server_default=sa.func.now(), nullable=False),
        sa.Column("blocked_until", sa.DateTime(timezone=True)),
    )
    op.execute("grant select, insert, update, delete on throttles to intelli_app")


def downgrade() -> None:
    for table in ("throttles", "api_keys", "invitations", "refresh_tokens", "sessions"):
        op.drop_table(table)
