"""Tables of models: endpoints with their encrypted keys, the models of a workspace, and what tests of them showed."""

from datetime import datetime
from decimal import Decimal
from typing import Any
from uuid import UUID

from sqlalchemy import CheckConstraint, ForeignKeyConstraint, Index, LargeBinary, Numeric, UniqueConstraint, func, text
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column

from intelli.kit.tables import Base, TenantRow

ROLES = "('thinking', 'small')"
SHAPES = "('full', 'short')"
_OF_WORKSPACE = (["tenant_id"], ["workspaces.id"])


class ModelEndpoint(TenantRow, Base):
    """Address of a provider. `api_key` is encrypted with a key that is derived from the installation's secret."""

    __tablename__ = "model_endpoints"
    __table_args__ = (ForeignKeyConstraint(*_OF_WORKSPACE, ondelete="CASCADE"),)

    provider: Mapped[str]
    base_url: Mapped[str]
    api_key: Mapped[bytes | None] = mapped_column(LargeBinary)
    key_hint: Mapped[str | None]
    version: Mapped[int] = mapped_column(server_default="1")
    updated_at: Mapped[datetime] = mapped_column(server_default=func.now())


class WorkspaceModel(TenantRow, Base):
    """A model of an endpoint, its limits and prices. At most one model of a workspace has a role."""

    __tablename__ = "models"
    __table_args__ = (
        ForeignKeyConstraint(*_OF_WORKSPACE, ondelete="CASCADE"),
        ForeignKeyConstraint(
            ["tenant_id", "endpoint_id"], ["model_endpoints.tenant_id", "model_endpoints.id"], ondelete="CASCADE"
        ),
        UniqueConstraint("tenant_id", "endpoint_id", "name"),
        CheckConstraint(f"role in {ROLES}", name="role"),
        CheckConstraint("context_tokens >= 2 * output_tokens", name="tokens"),
        Index("models_tenant_id_role_key", "tenant_id", "role", unique=True, postgresql_where=text("role is not null")),
    )

    endpoint_id: Mapped[UUID]
    name: Mapped[str]
    role: Mapped[str | None]
    context_tokens: Mapped[int]
    output_tokens: Mapped[int]
    timeout_s: Mapped[float]
    concurrency: Mapped[int]
    input_price: Mapped[Decimal | None] = mapped_column(Numeric(20, 10))
    output_price: Mapped[Decimal | None] = mapped_column(Numeric(20, 10))
    version: Mapped[int] = mapped_column(server_default="1")
    updated_at: Mapped[datetime] = mapped_column(server_default=func.now())


class ModelTest(Base):
    """The last test of a model, by its address and name: models of the settings have no row of their own.

    `shape` is what the last test that ended showed; it holds while the next one is at work.
    """

    __tablename__ = "model_tests"
    __table_args__ = (
        ForeignKeyConstraint(*_OF_WORKSPACE, ondelete="CASCADE"),
        CheckConstraint(f"shape in {SHAPES}", name="shape"),
    )

    tenant_id: Mapped[UUID] = mapped_column(primary_key=True)
    base_url: Mapped[str] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(primary_key=True)
    started_at: Mapped[datetime] = mapped_column(server_default=func.now())
    finished_at: Mapped[datetime | None]
    abilities: Mapped[list[dict[str, Any]]] = mapped_column(JSONB, server_default="[]")
    shape: Mapped[str | None]
    takes_schema: Mapped[bool] = mapped_column(server_default=text("true"))
    problem: Mapped[str | None]
    first_word_s: Mapped[float | None]
