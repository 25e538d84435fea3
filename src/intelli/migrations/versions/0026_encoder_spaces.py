"""Several spaces are searched at once: which one has all vectors of a reading, and spaces that are being moved from."""

import sqlalchemy as sa
from alembic import op

from intelli.migrations.policies import protect

revision = "0026"
down_revision = "0025"

_STATE = "spaces_state_check"
_READ = ("indexed", "spaces", "vectors", "reading_spaces")
# A space that was being filled is the one its workspace moves to.
_BEGIN_MOVES = """
    update spaces s set state = 'earlier' where s.state = 'active'
       and exists (select from spaces f where f.tenant_id = s.tenant_id and f.state = 'filling');
    update spaces set state = 'active' where state = 'filling';
"""
_FIND_COMPLETE = """
    insert into reading_spaces (tenant_id, reading, space, chunks)
    select distinct on (i.tenant_id, i.reading) i.tenant_id, i.reading, s.number, i.chunks
      from indexed i join spaces s on s.tenant_id = i.tenant_id and s.state in ('active', 'earlier')
      join vectors v on v.tenant_id = i.tenant_id and v.reading = i.reading and v.space = s.number
                    and v.chunk_index = i.chunks - 1
     where i.chunks > 0 order by i.tenant_id, i.reading, s.state
"""
# The release before goes on with one space that is searched and one that is being filled.
_UNDO_MOVES = """
    update spaces s set state = 'leaving' where s.state = 'earlier' and exists (
        select from spaces o where o.tenant_id = s.tenant_id and o.state = 'earlier' and o.number > s.number);
    update spaces s set state = 'filling' where s.state = 'active'
       and exists (select from spaces e where e.tenant_id = s.tenant_id and e.state = 'earlier');
    update spaces set state = 'active' where state = 'earlier';
"""


def upgrade() -> None:
    op.create_table(
        "reading_spaces",
        sa.Column("tenant_id", sa.Uuid, primary_key=True),
        sa.Column("reading", sa.BigInteger, primary_key=True),
        sa.Column("space", sa.BigInteger, nullable=False),
        sa.Column("chunks", sa.Integer, nullable=False),
        sa.Column("moved", sa.Integer, server_default="0", nullable=False),
        sa.ForeignKeyConstraint(["tenant_id"], ["workspaces.id"], ondelete="CASCADE"),
        sa.ForeignKeyConstraint(
            ["tenant_id", "reading"], ["readings.tenant_id", "readings.number"], ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(["tenant_id", "space"], ["spaces.tenant_id", "spaces.number"], ondelete="CASCADE"),
    )
    op.create_index("reading_spaces_tenant_id_space_idx", "reading_spaces", ["tenant_id", "space"])
    protect("reading_spaces")
    op.drop_index("spaces_filling_idx", table_name="spaces")
    op.drop_constraint(op.f(_STATE), "spaces")
    _rewrite(_BEGIN_MOVES, _FIND_COMPLETE)
    op.create_check_constraint(op.f(_STATE), "spaces", "state in ('active', 'earlier', 'leaving')")


def downgrade() -> None:
    op.drop_constraint(op.f(_STATE), "spaces")
    _rewrite(_UNDO_MOVES)
    op.create_check_constraint(op.f(_STATE), "spaces", "state in ('filling', 'active', 'leaving')")
    op.create_index(
        "spaces_filling_idx", "spaces", ["tenant_id"], unique=True, postgresql_where=sa.text("state = 'filling'")
    )
    op.drop_table("reading_spaces")


def _rewrite(*statements: str) -> None:
    """Run statements over the rows of all workspaces."""
    for table in _READ:
        op.execute(f"alter table {table} no force row level security")
    for statement in statements:
        op.execute(statement)
    # Of foreign keys that the statements checked: a table with waiting ones cannot be altered.
    op.execute("set constraints all immediate")
    for table in _READ:
        op.execute(f"alter table {table} force row level security")
