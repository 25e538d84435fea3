"""Readings that citations rest on are held; rules of a workspace; who made a pointer."""

import sqlalchemy as sa
from alembic import op

revision = "0041"
down_revision = "0038"
_KEY = ["tenant_id", "held_sha256"]
_TABLES = ("message_citations", "readings")
# Locks readings in the order of their hash before it counts, so that two transactions cannot deadlock.
_COUNT = """
create function readings_count() returns trigger language plpgsql as $$
declare
    arrived text := 'select tenant_id, held_sha256 as sha256, 1 as step from arrived';
    departed text := 'select tenant_id, held_sha256 as sha256, -1 as step from departed';
    steps text := case tg_op when 'INSERT' then arrived when 'DELETE' then departed
                             else arrived || ' union all ' || departed end;
    changes text := format(
        'select tenant_id, sha256, sum(step) as step from (%s) s where sha256 is not null '
        'group by tenant_id, sha256 having sum(step) <> 0', steps);
begin
    execute format(
        'select from readings r join (%s) c using (tenant_id, sha256) '
        'order by r.tenant_id, r.sha256 for no key update of r', changes);
    execute format(
        'update readings r set held_count = r.held_count + c.step from (%s) c '
        'where (r.tenant_id, r.sha256) = (c.tenant_id, c.sha256)', changes);
    return null;
end $$
"""
_HOLD_AGAIN = """
update message_citations c set held_sha256 = c.sha256 from readings r
 where (r.tenant_id, r.sha256) = (c.tenant_id, c.sha256)
"""


def upgrade() -> None:
    op.add_column("workspaces", sa.Column("keeps_evidence", sa.Boolean, server_default="true", nullable=False))
    op.add_column("workspaces", sa.Column("requires_review", sa.Boolean, server_default="false", nullable=False))
    op.add_column("workspaces", sa.Column("run_budget_cents", sa.Numeric))
    op.execute("alter table workspaces add constraint workspaces_run_budget_cents_check check (run_budget_cents >= 0)")
    op.add_column("pointers", sa.Column("created_by", sa.Uuid))
    _name_makers()
    op.add_column("readings", sa.Column("held_count", sa.BigInteger, server_default="0", nullable=False))
    op.add_column("message_citations", sa.Column("held_sha256", sa.Text))
    op.create_index("message_citations_tenant_id_held_sha256_idx", "message_citations", _KEY)
    op.create_foreign_key(
        "message_citations_tenant_id_held_sha256_fkey", "message_citations", "readings", _KEY, ["tenant_id", "sha256"]
    )
    op.execute(_COUNT)
    for event, rows in (
        ("insert", "new table as arrived"),
        ("update", "old table as departed new table as arrived"),
        ("delete", "old table as departed"),
    ):
        op.execute(
            f"create trigger message_citations_hold_reading_{event} after {event} on message_citations "
            f"referencing {rows} for each statement execute function readings_count()"
        )
    for table in _TABLES:
        op.execute(f"alter table {table} no force row level security")
    op.execute(_HOLD_AGAIN)
    for table in _TABLES:
        op.execute(f"alter table {table} force row level security")


def _name_makers() -> None:
    """Take who made a pointer from its first move."""
    tables = ("pointers", "pointer_history")
    for table in tables:
        op.execute(f"alter table {table} no force row level security")
    op.execute(
        "update pointers p set created_by = h.changed_by from pointer_history h "
        "where (h.tenant_id, h.pointer_id, h.version) = (p.tenant_id, p.id, 1)"
    )
    for table in tables:
        op.execute(f"alter table {table} force row level security")


def downgrade() -> None:
    for event in ("insert", "update", "delete"):
        op.execute(f"drop trigger message_citations_hold_reading_{event} on message_citations")
    op.execute("drop function readings_count")
    op.drop_column("message_citations", "held_sha256")
    op.drop_column("readings", "held_count")
    op.drop_column("pointers", "created_by")
    for column in ("run_budget_cents", "requires_review", "keeps_evidence"):
        op.drop_column("workspaces", column)
