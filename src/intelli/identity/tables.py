"""Rows of identity. `users` and `installation` belong to no tenant; all others begin their key with one."""

from datetime import datetime
from uuid import UUID

from sqlalchemy import ARRAY, CheckConstraint, ForeignKey, ForeignKeyConstraint, Index, Text, UniqueConstraint, func
from sqlalchemy.orm import Mapped, mapped_column

from intelli.kit.tables import Base, TenantRow


class Installation(Base):
    """The one row that says who owns this installation. Inserting it is how the first account wins."""

    __tablename__ = "installation"
    __table_args__ = (CheckConstraint("id = 1", name="one_row"),)

    id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    owner_id: Mapped[UUID]
    claimed_at: Mapped[datetime] = mapped_column(server_default=func.now())


class User(Base):
    """An account, known by its e-mail address in lower case."""

    __tablename__ = "users"
    __table_args__ = (UniqueConstraint("email"),)

    id: Mapped[UUID] = mapped_column(primary_key=True)
    email: Mapped[str]
    name: Mapped[str]
    password_hash: Mapped[str]
    version: Mapped[int] = mapped_column(server_default="1")
    created_at: Mapped[datetime] = mapped_column(server_default=func.now())


class Workspace(Base):
    """A tenant. Its `id` is the `tenant_id` of everything in it."""

    __tablename__ = "workspaces"

    id: Mapped[UUID] = mapped_column(primary_key=True)
    name: Mapped[str]
    version: Mapped[int] = mapped_column(server_default="1")
    created_at: Mapped[datetime] = mapped_column(server_default=func.now())


class Membership(Base):
    """A user's role in a workspace."""

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


def _of_member() -> ForeignKeyConstraint:
    """What belongs to a member goes with the membership."""
    return ForeignKeyConstraint(
        ["tenant_id", "user_id"], ["memberships.tenant_id", "memberships.user_id"], ondelete="CASCADE"
    )


class Session(TenantRow, Base):
    """A place where a member is signed in: the family of all refresh tokens that were rotated there."""

    __tablename__ = "sessions"
    __table_args__ = (_of_member(), Index(None, "tenant_id", "user_id"))

    user_id: Mapped[UUID]
    client: Mapped[str]
    last_used_at: Mapped[datetime] = mapped_column(server_default=func.now())
    expires_at: Mapped[datetime]
    ended_at: Mapped[datetime | None]


class RefreshToken(TenantRow, Base):
    """One refresh token of a session. A token with `used_at` that is shown again proves theft."""

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
    """A link that lets its holder join, once."""

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
    """A credential for programs. It goes with its owner's membership."""

    __tablename__ = "api_keys"
    __table_args__ = (_of_member(), UniqueConstraint("key_hash"), Index(None, "tenant_id", "user_id"))

    user_id: Mapped[UUID]
    name: Mapped[str]
    prefix: Mapped[str]
    key_hash: Mapped[str]
    scopes: Mapped[list[str]] = mapped_column(ARRAY(Text))
    expires_at: Mapped[datetime | None]
    last_used_at: Mapped[datetime | None]


class Throttle(Base):
    """Failed attempts under a hashed name (an account or an address), shared by all processes."""

    __tablename__ = "throttles"

    name_hash: Mapped[str] = mapped_column(primary_key=True)
    account_hash: Mapped[str | None] = mapped_column(index=True)
    failures: Mapped[int] = mapped_column(server_default="0")
    first_at: Mapped[datetime] = mapped_column(server_default=func.now())
    blocked_until: Mapped[datetime | None]


class FamiliarNetwork(Base):
    """That an account was signed in to from a network, under a hash of both."""

    __tablename__ = "familiar_networks"

    name_hash: Mapped[str] = mapped_column(primary_key=True)
    last_at: Mapped[datetime] = mapped_column(server_default=func.now())
