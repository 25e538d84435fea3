"""Memory at length: what holds now of a node is found without all that ever held, and plans fit from the start."""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"

_CURRENT = "memory_facts_tenant_id_subject_id_relation_valid_at_idx"
# The first release that lets a planner be told what to expect.
_TELLS_FROM = 180000
# How many distinct values columns have: of all rows, or, below zero, as a share of them. Without that a planner takes
# two hundred workspaces for granted, reads all rows of the only one there is, and keeps to that plan while they grow.
_DISTINCT: dict[str, dict[str, float]] = {
    "memory_groups": {"tenant_id": 1, "group_id": -1},
    "memory_arrivals": {"tenant_id": 1, "group_id": 10, "state": 1, "seq": -1, "id": -1},
    "memory_episodes": {"tenant_id": 1, "group_id": 10, "source": 1, "valid_at": -1, "seq": -1, "id": -1},
    "memory_nodes": {"tenant_id": 1, "group_id": 10, "name_key": -1, "id": -1},
    "memory_mentions": {"tenant_id": 1, "group_id": 10, "episode_id": -0.4, "node_id": -0.1},
    "memory_facts": {
        "tenant_id": 1,
        "group_id": 10,
        "slot": -0.5,
        "subject_id": -0.1,
        "object_id": -0.1,
        "relation": 50,
        "id": -1,
    },
    "memory_claims": {
        "tenant_id": 1,
        "group_id": 10,
        "slot": -0.5,
        "subject_id": -0.1,
        "object_id": -0.1,
        "episode_id": -0.5,
        "fact_id": -0.8,
        "id": -1,
    },
    "memory_terms": {"tenant_id": 1, "group_id": 10, "term": -0.1, "kind": 3, "item_id": -0.1},
    "memory_vectors": {"tenant_id": 1, "group_id": 10, "kind": 3, "space": 1, "item_id": -1},
}


def upgrade() -> None:
    op.create_index(
        _CURRENT,
        "memory_facts",
        ["tenant_id", "subject_id", "relation", "valid_at"],
        postgresql_where=sa.text("invalid_at is null"),
    )
    connection = op.get_bind()
    if connection.scalar(sa.text("select current_setting('server_version_num')::int")) >= _TELLS_FROM:
        _expect(connection)


def downgrade() -> None:
    op.drop_index(_CURRENT, "memory_facts")


def _expect(connection: sa.Connection) -> None:
    """Tell the planner of tables that were never looked at; the first look of its own takes the place of this."""
    unknown = sa.text("select from pg_stats where schemaname = current_schema() and tablename = :table limit 1")
    told = sa.text("""
        select pg_restore_attribute_stats(
            'schemaname', current_schema()::text, 'relname', cast(:table as text), 'attname', cast(:column as text),
            'inherited', false, 'null_frac', 0::real, 'avg_width', 16, 'n_distinct', cast(:distinct as real))
    """)
    for table, columns in _DISTINCT.items():
        if connection.execute(unknown, {"table": table}).first() is not None:
            continue
        for column, distinct in columns.items():
            connection.execute(told, {"table": table, "column": column, "distinct": distinct})
