"""The application role, workspaces, users and memberships, and the function that binds every transaction."""

import sqlalchemy as sa
from alembic import op

from intelli.migrations.policies import CENSUS, PROOF, TENANT, USER, protect

revision = "0001"
down_revision = None

# Raised with an SQLSTATE of our own, which kit.db turns into "sign in again".
_ENTER = """
create function intelli_enter(
    the_tenant text, the_user text, the_role text, the_session text, the_key text, the_proof text, the_census text
) returns void language plpgsql as $$
begin
    perform set_config('intelli.tenant_id', coalesce(the_tenant, ''), true),
            set_config('intelli.user_id', coalesce(the_user, ''), true),
            set_config('intelli.proof', coalesce(the_proof, ''), true),
            set_config('intelli.census', coalesce(the_census, ''), true);
    if the_role is null then
        return;
    end if;
    if not exists (
        select from memberships
        where tenant_id = the_tenant::uuid and user_id = the_user::uuid and role = the_role
    ) then
        raise exception 'the member has lost this role' using errcode = 'IN401';
    end if;
    if the_session is not null and not exists (
        select from sessions
        where tenant_id = the_tenant::uuid and id = the_session::uuid and user_id = the_user::uuid
          and ended_at is null and expires_at > now()
    ) then
        raise exception 'the session has ended' using errcode = 'IN401';
    end if;
    if the_key is not null and not exists (
        select from api_keys
        where tenant_id = the_tenant::uuid and id = the_key::uuid and (expires_at is null or expires_at > now())
    ) then
        raise exception 'the key was revoked or has expired' using errcode = 'IN401';
    end if;
end $$
"""

_APP_ROLE = """
do $$ begin
    if not exists (select from pg_roles where rolname = 'intelli_app') then
        create role intelli_app nologin nosuperuser nobypassrls;
    end if;
    if current_user <> 'intelli_app' and not pg_has_role(current_user, 'intelli_app', 'set') then
        execute format('grant intelli_app to %I', current_user);
    end if;
end $$
"""


def _timestamp(name: str) -> sa.Column[object]:
    return sa.Column(name, sa.DateTime(timezone=True), server_default=sa.func.now(), nullable=False)


def upgrade() -> None:
    op.execute(_APP_ROLE)
    op.execute("grant usage on schema public to intelli_app")
    op.execute("create table if not exists alembic_version (version_num varchar(32) primary key)")
    op.execute("grant select on alembic_version to intelli_app")
    op.create_table(
        "installation",
        sa.Column("id", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("owner_id", sa.Uuid, nullable=False),
        _timestamp("claimed_at"),
        sa.CheckConstraint("id = 1", name="one_row"),
    )
    op.execute("grant select, insert on installation to intelli_app")
    op.create_table(
        "users",
        sa.Column("id", sa.Uuid, primary_key=True),
        sa.Column("email", sa.Text, nullable=False, unique=True),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("password_hash", sa.Text, nullable=False),
        sa.Column("version", sa.Integer, server_default="1", nullable=False),
        _timestamp("created_at"),
    )
    op.create_table(
        "workspaces",
        sa.Column("id", sa.Uuid, primary_key=True),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("version", sa.Integer, server_default="1", nullable=False),
        _timestamp("created_at"),
    )
    op.create_table(
        "memberships",
        sa.Column("tenant_id", sa.Uuid, sa.ForeignKey("workspaces.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("user_id", sa.Uuid, sa.ForeignKey("users.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("role", sa.Text, nullable=False),
        _timestamp("joined_at"),
        sa.Column("last_entered_at", sa.DateTime(timezone=True)),
        sa.CheckConstraint("role in ('owner', 'admin', 'member', 'viewer')", name="role"),
    )
    op.create_index("memberships_user_id_idx", "memberships", ["user_id"])
    colleague = f"exists (select from memberships m where m.tenant_id = {TENANT} and m.user_id = users.id)"
    protect(
        "users",
        rows=f"id = {USER} or email = {PROOF} or {colleague}",
        writes=f"id = {USER} or email = {PROOF}",
    )
    mine = f"exists (select from memberships m where m.tenant_id = workspaces.id and m.user_id = {USER})"
    protect("workspaces", rows=f"id = {TENANT} or {mine} or {CENSUS}", writes=f"id = {TENANT}")
    protect("memberships", rows=f"tenant_id = {TENANT} or user_id = {USER}", writes=f"tenant_id = {TENANT}")
    op.execute(_ENTER)


def downgrade() -> None:
    op.execute("drop function intelli_enter(text, text, text, text, text, text, text)")
    # These two look at memberships, which therefore could not go.
    for table in ("users", "workspaces"):
        op.execute(f"drop policy {table}_isolation on {table}")
    for table in ("memberships", "workspaces", "users", "installation"):
        op.drop_table(table)
