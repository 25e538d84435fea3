"""Tables of identity. `users` and `installation` belong to no tenant; the keys of all others begin with one."""

from datetime import datetime
from decimal import Decimal
from uuid import UUID

from sqlalchemy import ARRAY, CheckConstraint, ForeignKey, ForeignKeyConstraint, Index, Text, UniqueConstraint, func
from sqlalchemy.orm import Mapped, mapped_column

from intelli.kit.tables import Base, TenantRow


class Installation(Base):
    """The single row that names the installation's owner. The first account is the one that inserts it."""

    __tablename__ = "installation"
    __table_args__ = (CheckConstraint("id = 1", name="one_row"),)

    id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    owner_id: Mapped[UUID]
    claimed_at: Mapped[datetime] = mapped_column(server_default=func.now())


class User(Base):
    """Account, identified by its e-mail address in lower case."""

    __tablename__ = "users"
    __table_args__ = (UniqueConstraint("email"),)

    id: Mapped[UUID] = mapped_column(primary_key=True)
    email: Mapped[str]
    name: Mapped[str]
    password_hash: Mapped[str]
    uses_memory: Mapped[bool] = mapped_column(server_default="true")
    version: Mapped[int] = mapped_column(server_default="1")
    created_at: Mapped[datetime] = mapped_column(server_default=func.now())


class Workspace(Base):
    """Tenant. Its `id` is the `tenant_id` of everything in it."""

    __tablename__ = "workspaces"
    __table_args__ = (CheckConstraint("run_budget_cents >= 0", name="run_budget_cents"),)

    id: Mapped[UUID] = mapped_column(primary_key=True)
    name: Mapped[str]
    keeps_evidence: Mapped[bool] = mapped_column(server_default="true")
    requires_review: Mapped[bool] = mapped_column(server_default="false")
    run_budget_cents: Mapped[Decimal | None]
    version: Mapped[int] = mapped_column(server_default="1")
    created_at: Mapped[datetime] = mapped_column(server_default=func.now())


class Membership(Base):
    """Role of a user in a workspace."""

    __tablename__ = "memberships"
    __table_args__ = (
        CheckConstraint("role in ('owner', 'admin', 'member', 'viewer')", name="role"),
        Index(None, "user_id"),
    )

    tenant_id: Mapped[UUID] = mapped_column(ForeignKey("workspaces.id", ondelete="CASCADE"), primary_key=True)
    user_id: Mapped[UUID] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), primary_key=True)
    role: Mapped[str]
    joined_at: Mapped[datetime] = mapped_column(server_default=func.now())
    last_entered_at: Mapped[datetime | None]


def _member_foreign_key() -> ForeignKeyConstraint:
    """Return a foreign key to the membership, with cascading deletes."""
    return ForeignKeyConstraint(
        ["tenant_id", "user_id"], ["memberships.tenant_id", "memberships.user_id"], ondelete="CASCADE"
    )


class Session(TenantRow, Base):
    """Sign-in of a member on one client: the family of all refresh tokens rotated there."""

    __tablename__ = "sessions"
    __table_args__ = (_member_foreign_key(), Index(None, "tenant_id", "user_id"))

    user_id: Mapped[UUID]
    client: Mapped[str]
    last_used_at: Mapped[datetime] = mapped_column(server_default=func.now())
    expires_at: Mapped[datetime]
    ended_at: Mapped[datetime | None]


class RefreshToken(TenantRow, Base):
    """Refresh token of a session. Sending one that has `used_at` again, after the grace, proves theft."""

    __tablename__ = "refresh_tokens"
    __table_args__ = (
        ForeignKeyConstraint(["tenant_id", "session_id"], ["sessions.tenant_id", "sessions.id"], ondelete="CASCADE"),
        UniqueConstraint("token_hash"),
        Index(None, "tenant_id", "session_id"),
    )

    session_id: Mapped[UUID]
    user_id: Mapped[UUID]
    token_hash: Mapped[str]
    used_at: Mapped[datetime | None]


class Invitation(TenantRow, Base):
    """Invitation link that lets its holder join once."""

    __tablename__ = "invitations"
    __table_args__ = (
        ForeignKeyConstraint(["tenant_id"], ["workspaces.id"], ondelete="CASCADE"),
        CheckConstraint("role in ('admin', 'member', 'viewer')", name="role"),
        UniqueConstraint("token_hash"),
    )

    role: Mapped[str]
    email: Mapped[str | None]
    invited_by: Mapped[UUID | None]
    token_hash: Mapped[str]
    expires_at: Mapped[datetime]
    accepted_at: Mapped[datetime | None]


class ApiKey(TenantRow, Base):
    """API key for programs. It is deleted with its owner's membership."""

    __tablename__ = "api_keys"
    __table_args__ = (_member_foreign_key(), UniqueConstraint("key_hash"), Index(None, "tenant_id", "user_id"))

    user_id: Mapped[UUID]
    name: Mapped[str]
    prefix: Mapped[str]
    key_hash: Mapped[str]
    scopes: Mapped[list[str]] = mapped_column(ARRAY(Text))
    expires_at: Mapped[datetime | None]
    last_used_at: Mapped[datetime | None]


class Throttle(Base):
    """Counter of attempts under a hashed key (an account or a network), shared by all processes."""

    __tablename__ = "throttles"

    name_hash: Mapped[str] = mapped_column(primary_key=True)
    account_hash: Mapped[str | None] = mapped_column(index=True)
    failures: Mapped[int] = mapped_column(server_default="0")
    first_at: Mapped[datetime] = mapped_column(server_default=func.now())
    blocked_until: Mapped[datetime | None]


class FamiliarNetwork(Base):
    """Network from which an account was signed in to, stored as one hash of both."""

    __tablename__ = "familiar_networks"

    name_hash: Mapped[str] = mapped_column(primary_key=True)
    last_at: Mapped[datetime] = mapped_column(server_default=func.now())
