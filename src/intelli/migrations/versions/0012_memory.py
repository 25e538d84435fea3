"""Memory: episodes, the nodes they name, the claims they make, and the facts that follow from these in time."""

from typing import Any

import sqlalchemy as sa
from alembic import op
from pgvector.sqlalchemy import HALFVEC
from sqlalchemy.dialects.postgresql import JSONB

from intelli.migrations.policies import IN_TENANT, USER, protect

revision = "0012"
down_revision = "0011"

# A person's own group is seen by that person alone, and by our own code at work without a person.
_IN_GROUP = f"({IN_TENANT} and (group_id not like 'user:%' or {USER} is null or group_id = 'user:' || {USER}::text))"
_SEEN = f"({IN_TENANT} and (not is_personal or {USER} is null or created_by = {USER}))"
_TABLES = (
    "memory_groups",
    "memory_arrivals",
    "memory_episodes",
    "memory_nodes",
    "memory_mentions",
    "memory_duplicates",
    "memory_facts",
    "memory_claims",
    "memory_terms",
    "memory_vectors",
    "memory_communities",
    "memory_community_members",
)


def _now(name: str) -> sa.Column[object]:
    return sa.Column(name, sa.DateTime(timezone=True), server_default=sa.func.now(), nullable=False)


def _moment(name: str, *, nullable: bool = True) -> sa.Column[object]:
    return sa.Column(name, sa.DateTime(timezone=True), nullable=nullable)


def _text(name: str, default: str | None = None) -> sa.Column[object]:
    return sa.Column(name, sa.Text, server_default=default, nullable=False)


def _maybe(name: str) -> sa.Column[object]:
    return sa.Column(name, sa.Text)


def _id(name: str, *, nullable: bool = False) -> sa.Column[object]:
    return sa.Column(name, sa.Uuid, nullable=nullable)


def _key(name: str, kind: type[sa.types.TypeEngine[Any]] = sa.Uuid) -> sa.Column[object]:
    return sa.Column(name, kind, primary_key=True)


def _json(name: str, default: str | None = "{}") -> sa.Column[object]:
    return sa.Column(name, JSONB, server_default=default, nullable=False)


def _texts(name: str) -> sa.Column[object]:
    return sa.Column(name, sa.ARRAY(sa.Text), server_default="{}", nullable=False)


def _number(name: str, kind: type[sa.types.TypeEngine[Any]], default: str | None = None) -> sa.Column[object]:
    return sa.Column(name, kind, server_default=default, nullable=False)


def _row() -> list[sa.Column[object]]:
    return [_key("tenant_id"), _key("id"), _now("created_at")]


def _of_workspace() -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(["tenant_id"], ["workspaces.id"], ondelete="CASCADE")


def _of(column: str, table: str, ondelete: str | None = "CASCADE") -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(["tenant_id", column], [f"{table}.tenant_id", f"{table}.id"], ondelete=ondelete)


def _one_of(column: str, *words: str, nullable: bool = False) -> sa.CheckConstraint:
    known = f"{column} in ({', '.join(repr(word) for word in words)})"
    return sa.CheckConstraint(f"{column} is null or {known}" if nullable else known, name=column)


def _index(table: str, *columns: str) -> None:
    op.create_index(f"{table}_tenant_id_{'_'.join(columns)}_idx", table, ["tenant_id", *columns])


def upgrade() -> None:
    _groups()
    _episodes()
    _nodes()
    _facts()
    _claims()
    _search()
    _communities()
    for table in _TABLES:
        protect(table, rows=_IN_GROUP)
    _personal_artifacts()
    op.add_column("message_citations", _id("episode_id", nullable=True))


def _groups() -> None:
    op.create_table(
        "memory_groups",
        _key("tenant_id"),
        _key("group_id", sa.Text),
        _json("schema"),
        sa.Column("keeps_content", sa.Boolean, server_default="true", nullable=False),
        _texts("languages"),
        _number("episode_count", sa.BigInteger, "0"),
        _now("created_at"),
        _now("updated_at"),
        _of_workspace(),
    )
    op.create_table(
        "memory_arrivals",
        *_row(),
        sa.Column("seq", sa.BigInteger, sa.Identity(always=True), nullable=False),
        _text("group_id"),
        _id("user_id", nullable=True),
        _json("message", None),
        _text("state", "queued"),
        _maybe("code"),
        _maybe("reason"),
        _moment("failed_at"),
        _of_workspace(),
        _one_of("state", "queued", "failed"),
    )
    _index("memory_arrivals", "state", "seq")
    _index("memory_arrivals", "group_id", "state", "seq")


def _episodes() -> None:
    op.create_table(
        "memory_episodes",
        *_row(),
        _number("seq", sa.BigInteger),
        _text("group_id"),
        _id("user_id", nullable=True),
        _text("name", ""),
        _text("source", "message"),
        _text("source_description", ""),
        _text("role_type"),
        _text("role", ""),
        _maybe("content"),
        _text("content_sha256"),
        _moment("valid_at", nullable=False),
        _of_workspace(),
        _one_of("source", "message", "correction"),
    )
    _index("memory_episodes", "group_id", "source", "valid_at", "seq")


def _nodes() -> None:
    op.create_table(
        "memory_nodes",
        *_row(),
        _text("group_id"),
        _text("name"),
        _text("name_key"),
        _texts("labels"),
        _text("summary", ""),
        _json("attributes"),
        _id("merged_into", nullable=True),
        _now("updated_at"),
        sa.UniqueConstraint("tenant_id", "group_id", "name_key"),
        _of_workspace(),
        _of("merged_into", "memory_nodes", None),
    )
    _index("memory_nodes", "merged_into")
    op.create_table(
        "memory_mentions",
        _key("tenant_id"),
        _key("episode_id"),
        _key("node_id"),
        _text("group_id"),
        _json("said"),
        _of("episode_id", "memory_episodes"),
        _of("node_id", "memory_nodes"),
    )
    _index("memory_mentions", "node_id")
    op.create_table(
        "memory_duplicates",
        *_row(),
        _text("group_id"),
        _id("node_id"),
        _id("duplicate_of"),
        _id("episode_id", nullable=True),
        _text("reason", ""),
        sa.UniqueConstraint("tenant_id", "node_id"),
        _of("node_id", "memory_nodes"),
        _of("duplicate_of", "memory_nodes"),
        _of("episode_id", "memory_episodes"),
    )
    _index("memory_duplicates", "duplicate_of")
    _index("memory_duplicates", "episode_id")


def _facts() -> None:
    op.create_table(
        "memory_facts",
        *_row(),
        _text("group_id"),
        _id("slot"),
        _id("subject_id"),
        _text("relation"),
        _id("object_id", nullable=True),
        _maybe("object_text"),
        _text("value_key"),
        _text("statement"),
        _number("confidence", sa.Float),
        _moment("valid_at"),
        _moment("invalid_at"),
        _moment("known_at", nullable=False),
        _moment("expired_at"),
        _maybe("end_reason"),
        _id("ended_by_fact", nullable=True),
        _id("ended_by_episode", nullable=True),
        _of("subject_id", "memory_nodes"),
        _of("object_id", "memory_nodes"),
        _one_of("end_reason", "superseded", "contradicted", "ended", "corrected", nullable=True),
    )
    _index("memory_facts", "slot", "valid_at")
    _index("memory_facts", "subject_id")
    _index("memory_facts", "object_id")
    _index("memory_facts", "group_id", "valid_at", "id")


def _claims() -> None:
    op.create_table(
        "memory_claims",
        *_row(),
        _text("group_id"),
        _id("episode_id"),
        _id("fact_id", nullable=True),
        _id("slot"),
        sa.Column("is_functional", sa.Boolean, nullable=False),
        _text("says"),
        _id("subject_id"),
        _text("relation"),
        _id("object_id", nullable=True),
        _maybe("object_text"),
        _text("value_key"),
        _text("statement"),
        _number("confidence", sa.Float),
        _moment("at", nullable=False),
        _number("seq", sa.BigInteger),
        _number("position", sa.Integer),
        _maybe("reason"),
        _moment("known_at", nullable=False),
        _moment("retracted_at"),
        _id("retracted_by", nullable=True),
        sa.Column("quote_start", sa.Integer),
        sa.Column("quote_end", sa.Integer),
        _of("episode_id", "memory_episodes"),
        _of("subject_id", "memory_nodes"),
        _of("object_id", "memory_nodes"),
        _of("fact_id", "memory_facts", None),
        _one_of("says", "holds", "ends"),
    )
    _index("memory_claims", "episode_id")
    _index("memory_claims", "slot", "at", "seq", "position")
    _index("memory_claims", "fact_id")
    _index("memory_claims", "subject_id")
    _index("memory_claims", "object_id")


def _search() -> None:
    op.create_table(
        "memory_terms",
        _id("tenant_id"),
        _text("group_id"),
        _number("term", sa.BigInteger),
        _text("kind"),
        _id("item_id"),
        _number("weight", sa.Float),
        sa.PrimaryKeyConstraint("tenant_id", "group_id", "term", "kind", "item_id", postgresql_include=["weight"]),
        _of_workspace(),
        _one_of("kind", "node", "fact", "episode"),
    )
    _index("memory_terms", "item_id")
    op.create_table(
        "memory_vectors",
        _key("tenant_id"),
        _key("item_id"),
        _text("group_id"),
        _text("kind"),
        _text("space"),
        sa.Column("embedding", HALFVEC, nullable=False),
        _of_workspace(),
        _one_of("kind", "node", "fact", "episode"),
    )
    # Out of line, every vector a scan compares would cost a second look-up.
    op.execute("alter table memory_vectors alter column embedding set storage plain")
    _index("memory_vectors", "group_id", "kind")


def _communities() -> None:
    op.create_table(
        "memory_communities",
        *_row(),
        _text("group_id"),
        _text("name"),
        _text("summary", ""),
        _now("updated_at"),
        _of_workspace(),
    )
    _index("memory_communities", "group_id")
    op.create_table(
        "memory_community_members",
        _key("tenant_id"),
        _key("node_id"),
        _id("community_id"),
        _text("group_id"),
        _of("community_id", "memory_communities"),
        _of("node_id", "memory_nodes"),
    )
    _index("memory_community_members", "community_id")


def _personal_artifacts() -> None:
    """What a run recalls from a person's own group is kept as an artifact that nobody else sees."""
    op.add_column("artifacts", sa.Column("is_personal", sa.Boolean, server_default="false", nullable=False))
    op.execute("drop policy artifacts_isolation on artifacts")
    op.execute(f"create policy artifacts_isolation on artifacts using ({_SEEN}) with check ({_SEEN})")


def downgrade() -> None:
    op.drop_column("message_citations", "episode_id")
    op.execute("drop policy artifacts_isolation on artifacts")
    op.execute(f"create policy artifacts_isolation on artifacts using ({IN_TENANT}) with check ({IN_TENANT})")
    op.drop_column("artifacts", "is_personal")
    for table in reversed(_TABLES):
        op.drop_table(table)
