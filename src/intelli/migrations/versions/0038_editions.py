"""Editions of exports; deliverables that were made of another one, and those in the trash."""

import sqlalchemy as sa
from alembic import op

from intelli.migrations.content_owners import unforced

revision = "0038"
down_revision = "0034"
_EXPORTS, _DELIVERABLES = "deliverable_exports", "deliverables"
_BY_FORM = ["tenant_id", "deliverable_id", "format"]


def upgrade() -> None:
    # What was exported so far shows its proof.
    op.add_column(_EXPORTS, sa.Column("edition", sa.Text, server_default="proof", nullable=False))
    op.alter_column(_EXPORTS, "edition", server_default="clean")
    op.create_check_constraint("edition", _EXPORTS, "edition in ('clean', 'proof')")
    _unique([*_BY_FORM, "edition"], before=_BY_FORM)
    op.add_column(_DELIVERABLES, sa.Column("based_on", sa.Uuid))
    op.add_column(_DELIVERABLES, sa.Column("change", sa.Text, server_default="", nullable=False))
    op.add_column(_DELIVERABLES, sa.Column("deleted_at", sa.DateTime(timezone=True)))
    op.create_index("deliverables_tenant_id_deleted_at_idx", _DELIVERABLES, ["tenant_id", "deleted_at"])


def downgrade() -> None:
    for column in ("deleted_at", "change", "based_on"):
        op.drop_column(_DELIVERABLES, column)
    with unforced():
        op.execute("delete from deliverable_exports where edition = 'clean'")
    _unique(_BY_FORM, before=[*_BY_FORM, "edition"])
    op.drop_column(_EXPORTS, "edition")


def _unique(columns: list[str], *, before: list[str]) -> None:
    op.drop_constraint(f"{_EXPORTS}_{'_'.join(before)}_key", _EXPORTS)
    op.create_unique_constraint(f"{_EXPORTS}_{'_'.join(columns)}_key", _EXPORTS, columns)
