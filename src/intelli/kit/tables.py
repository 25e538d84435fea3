"""Declarative base, the columns of every tenant table, and the kit's own tables."""

from collections.abc import Iterable
from datetime import datetime
from uuid import UUID

from sqlalchemy import (
    BigInteger,
    DateTime,
    ForeignKeyConstraint,
    Index,
    LargeBinary,
    MetaData,
    Text,
    UniqueConstraint,
    Uuid,
    func,
)
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column


def one_of(column: str, values: Iterable[str]) -> str:
    """Build the SQL condition that a column has one of the values, for check constraints."""
    names = ", ".join(f"'{value}'" for value in values)
    return f"{column} in ({names})"


class Base(DeclarativeBase):
    """Base of all tables. Constraint names follow a convention so that migrations can refer to them."""

    metadata = MetaData(
        naming_convention={
            "ix": "%(table_name)s_%(column_0_N_name)s_idx",
            "uq": "%(table_name)s_%(column_0_N_name)s_key",
            "ck": "%(table_name)s_%(constraint_name)s_check",
            "fk": "%(table_name)s_%(column_0_N_name)s_fkey",
            "pk": "%(table_name)s_pkey",
        }
    )
    type_annotation_map = {datetime: DateTime(timezone=True), str: Text, UUID: Uuid}


class TenantRow:
    """Columns of every tenant table. The key begins with the tenant, so a reference across tenants cannot be stored."""

    tenant_id: Mapped[UUID] = mapped_column(primary_key=True)
    id: Mapped[UUID] = mapped_column(primary_key=True)
    created_at: Mapped[datetime] = mapped_column(server_default=func.now())


class Effect(TenantRow, Base):
    """Ledger of effects: a job that finds its key here has done the effect before and skips it."""

    __tablename__ = "effects"
    __table_args__ = (
        UniqueConstraint("tenant_id", "key"),
        ForeignKeyConstraint(["tenant_id"], ["workspaces.id"], ondelete="CASCADE"),
    )

    key: Mapped[str]
    job_id: Mapped[int | None] = mapped_column(BigInteger)
    attempt: Mapped[int | None]


class IdempotentAnswer(TenantRow, Base):
    """Stored answer to a request with an Idempotency-Key, returned again when the request is repeated.

    The body is encrypted with a key derived from the client's Idempotency-Key, of which only a hash is stored: an
    answer may contain a secret that is shown once.
    """

    __tablename__ = "idempotent_answers"
    __table_args__ = (
        UniqueConstraint("tenant_id", "user_id", "key_hash"),
        ForeignKeyConstraint(["tenant_id"], ["workspaces.id"], ondelete="CASCADE"),
        Index(None, "created_at"),
    )

    user_id: Mapped[UUID]
    key_hash: Mapped[str]
    request_hash: Mapped[str]
    body: Mapped[bytes | None] = mapped_column(LargeBinary)
