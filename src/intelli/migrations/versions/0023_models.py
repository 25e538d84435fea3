"""Models of workspaces: endpoints with their encrypted keys, models, and tests of them."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import JSONB

from intelli.migrations.policies import protect

revision = "0023"
down_revision = "0022"


def _now(name: str) -> sa.Column[object]:
    return sa.Column(name, sa.DateTime(timezone=True), server_default=sa.func.now(), nullable=False)


def _text(name: str, *, nullable: bool = False) -> sa.Column[object]:
    return sa.Column(name, sa.Text, nullable=nullable)


def _version() -> sa.Column[object]:
    return sa.Column("version", sa.Integer, server_default="1", nullable=False)


def _of_workspace() -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(["tenant_id"], ["workspaces.id"], ondelete="CASCADE")


def upgrade() -> None:
    _endpoints()
    _models()
    _tests()


def _endpoints() -> None:
    op.create_table(
        "model_endpoints",
        sa.Column("tenant_id", sa.Uuid, primary_key=True),
        sa.Column("id", sa.Uuid, primary_key=True),
        _now("created_at"),
        _text("provider"),
        _text("base_url"),
        sa.Column("api_key", sa.LargeBinary),
        _text("key_hint", nullable=True),
        _version(),
        _now("updated_at"),
        _of_workspace(),
    )
    protect("model_endpoints")


def _models() -> None:
    op.create_table(
        "models",
        sa.Column("tenant_id", sa.Uuid, primary_key=True),
        sa.Column("id", sa.Uuid, primary_key=True),
        _now("created_at"),
        sa.Column("endpoint_id", sa.Uuid, nullable=False),
        _text("name"),
        _text("role", nullable=True),
        *(sa.Column(name, sa.Integer, nullable=False) for name in ("context_tokens", "output_tokens")),
        sa.Column("timeout_s", sa.Float, nullable=False),
        sa.Column("concurrency", sa.Integer, nullable=False),
        *(sa.Column(name, sa.Numeric(20, 10)) for name in ("input_price", "output_price")),
        _version(),
        _now("updated_at"),
        _of_workspace(),
        sa.ForeignKeyConstraint(
            ["tenant_id", "endpoint_id"], ["model_endpoints.tenant_id", "model_endpoints.id"], ondelete="CASCADE"
        ),
        sa.UniqueConstraint("tenant_id", "endpoint_id", "name"),
        sa.CheckConstraint("role in ('thinking', 'small')", name="role"),
        sa.CheckConstraint("context_tokens >= 2 * output_tokens", name="tokens"),
    )
    op.create_index(
        "models_tenant_id_role_key",
        "models",
        ["tenant_id", "role"],
        unique=True,
        postgresql_where=sa.text("role is not null"),
    )
    protect("models")


def _tests() -> None:
    op.create_table(
        "model_tests",
        sa.Column("tenant_id", sa.Uuid, primary_key=True),
        sa.Column("base_url", sa.Text, primary_key=True),
        sa.Column("name", sa.Text, primary_key=True),
        _now("started_at"),
        sa.Column("finished_at", sa.DateTime(timezone=True)),
        sa.Column("abilities", JSONB, server_default="[]", nullable=False),
        _text("shape", nullable=True),
        sa.Column("takes_schema", sa.Boolean, server_default=sa.true(), nullable=False),
        _text("problem", nullable=True),
        sa.Column("first_word_s", sa.Float),
        _of_workspace(),
        sa.CheckConstraint("shape in ('full', 'short')", name="shape"),
    )
    protect("model_tests")


def downgrade() -> None:
    for table in ("model_tests", "models", "model_endpoints"):
        op.drop_table(table)
