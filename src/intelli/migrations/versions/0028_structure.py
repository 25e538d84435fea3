"""Structure of readings, what documents tell of themselves, and what people correct of it."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import JSONB

from intelli.migrations.content_owners import name_of, unforced
from intelli.migrations.references import hold

revision = "0028"
down_revision = "0026"
_HELD = ("sha256", "text_sha256", "map_sha256", "thumbnail_sha256")
_KEY = ("tenant_id", "structure_sha256", "owner_id")


def upgrade() -> None:
    op.add_column("readings", sa.Column("structure_sha256", sa.Text))
    op.add_column("readings", sa.Column("structure_version", sa.Text))
    op.add_column("readings", sa.Column("facts", JSONB, server_default="{}", nullable=False))
    op.create_foreign_key(
        name_of("readings", _KEY), "readings", "artifacts", list(_KEY), ["tenant_id", "sha256", "owner_id"]
    )
    op.create_index("readings_tenant_id_structure_sha256_idx", "readings", ["tenant_id", "structure_sha256"])
    op.create_index("readings_tenant_id_structure_version_idx", "readings", ["tenant_id", "structure_version"])
    _hold_anew(*_HELD, "structure_sha256")
    op.add_column("documents", sa.Column("corrected_facts", JSONB, server_default="{}", nullable=False))


def downgrade() -> None:
    op.drop_column("documents", "corrected_facts")
    with unforced():
        op.execute("update readings set structure_sha256 = null where structure_sha256 is not null")
    _hold_anew(*_HELD)
    for column in ("structure_sha256", "structure_version", "facts"):
        op.drop_column("readings", column)


def _hold_anew(*columns: str) -> None:
    """Count the references of these columns, in place of those that were counted."""
    for event in ("insert", "update", "delete"):
        op.execute(f"drop trigger readings_hold_{event} on readings")
    hold("readings", *columns)
