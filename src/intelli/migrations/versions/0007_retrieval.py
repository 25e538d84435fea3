"""The lexical and the vector index."""

import sqlalchemy as sa
from alembic import op
from pgvector.sqlalchemy import HALFVEC

from intelli.migrations.policies import TENANT, protect

revision = "0007"
down_revision = "0006"

# Statistics follow what is indexed in the same statement, also when a reading goes by cascade.
_COUNT = """
create function retrieval_count() returns trigger language plpgsql as $$
begin
    if tg_op <> 'DELETE' then
        insert into lexicons as l (tenant_id, language, chunks, length)
        select tenant_id, language, sum(chunks), sum(length) from arrived group by 1, 2 order by 1, 2
            on conflict (tenant_id, language)
            do update set chunks = l.chunks + excluded.chunks, length = l.length + excluded.length;
    end if;
    if tg_op <> 'INSERT' then
        update lexicons l set chunks = l.chunks - d.chunks, length = l.length - d.length
          from (select tenant_id, language, sum(chunks) as chunks, sum(length) as length from departed group by 1, 2) d
         where l.tenant_id = d.tenant_id and l.language = d.language;
    end if;
    return null;
end $$
"""

# A posting tells of many readings, so it stays when one of them goes: searches know that one for a stray, until the
# index is tended. When the workspace itself goes, so do its postings.
_FORGET = """
create function postings_forget() returns trigger language plpgsql as $$
begin
    insert into strays (tenant_id, reading, before)
    select d.tenant_id, d.number, 9223372036854775807 from departed d
     where d.chunk_count > 0 and exists (select from workspaces w where w.id = d.tenant_id)
        on conflict (tenant_id, reading) do update set before = excluded.before;
    return null;
end $$
"""

# Only who owns the table may index it. The index holds the vectors of one space of one workspace, so a search there
# meets no one else's; casting to a fixed length lets spaces of different lengths share the table.
_BUILD = f"""
create function retrieval_build(space bigint) returns boolean language plpgsql security definer
    set search_path = public, pg_temp set lock_timeout = '10s' set maintenance_work_mem = '256MB' as $$
declare
    tenant uuid := {TENANT};
    place text := format('vectors_near_%s_%s', replace(tenant::text, '-', ''), space);
    width int := (select s.dimensions from spaces s where s.tenant_id = tenant and s.number = space);
begin
    if width is null or to_regclass(place) is not null then
        return false;
    end if;
    execute format(
        'create index %I on vectors using hnsw ((embedding::halfvec(%s)) halfvec_cosine_ops) '
        'where tenant_id = %L and space = %s', place, width, tenant, space);
    return true;
end $$
"""  # noqa: S608  # our own words

_UNBUILD = f"""
create function retrieval_unbuild(space bigint) returns boolean language plpgsql security definer
    set search_path = public, pg_temp set lock_timeout = '10s' as $$
declare
    place text := format('vectors_near_%s_%s', replace(({TENANT})::text, '-', ''), space);
begin
    if place is null or to_regclass(place) is null then
        return false;
    end if;
    execute format('drop index %I', place);
    return true;
end $$
"""


def _of_workspace() -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(["tenant_id"], ["workspaces.id"], ondelete="CASCADE")


def _of_reading() -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(
        ["tenant_id", "reading"], ["readings.tenant_id", "readings.number"], ondelete="CASCADE"
    )


def upgrade() -> None:
    op.execute("create extension if not exists vector")
    _lexical()
    _vectors()
    op.execute(_COUNT)
    for event, rows in (
        ("insert", "new table as arrived"),
        ("update", "old table as departed new table as arrived"),
        ("delete", "old table as departed"),
    ):
        op.execute(
            f"create trigger indexed_count_{event} after {event} on indexed referencing {rows} "
            "for each statement execute function retrieval_count()"
        )
    _tie_postings()
    for function, name in ((_BUILD, "retrieval_build"), (_UNBUILD, "retrieval_unbuild")):
        op.execute(function)
        op.execute(f"revoke execute on function {name}(bigint) from public")
        op.execute(f"grant execute on function {name}(bigint) to intelli_app")


def _tie_postings() -> None:
    op.execute(_FORGET)
    op.execute(
        "create trigger postings_forget after delete on readings referencing old table as departed "
        "for each statement execute function postings_forget()"
    )


def _lexical() -> None:
    op.create_table(
        "lexicons",
        sa.Column("tenant_id", sa.Uuid, primary_key=True),
        sa.Column("language", sa.Text, primary_key=True),
        sa.Column("chunks", sa.BigInteger, nullable=False),
        sa.Column("length", sa.BigInteger, nullable=False),
        sa.Column("counted", sa.BigInteger, server_default="0", nullable=False),
        _of_workspace(),
    )
    protect("lexicons")
    op.create_table(
        "indexed",
        sa.Column("tenant_id", sa.Uuid, primary_key=True),
        sa.Column("reading", sa.BigInteger, primary_key=True),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("language", sa.Text, nullable=False),
        sa.Column("chunks", sa.Integer, nullable=False),
        sa.Column("length", sa.BigInteger, nullable=False),
        _of_workspace(),
        _of_reading(),
    )
    protect("indexed")
    op.create_table(
        "postings",
        sa.Column("tenant_id", sa.Uuid, nullable=False),
        sa.Column("term", sa.BigInteger, nullable=False),
        sa.Column("batch", sa.BigInteger, nullable=False),
        sa.Column("part", sa.Integer, nullable=False),
        sa.Column("first", sa.BigInteger, nullable=False),
        sa.Column("last", sa.BigInteger, nullable=False),
        sa.Column("hits", sa.LargeBinary, nullable=False),
        sa.PrimaryKeyConstraint("tenant_id", "term", "batch", "part", postgresql_include=["first", "last", "hits"]),
        _of_workspace(),
    )
    protect("postings")
    op.execute("create sequence posting_batches")
    op.execute("grant usage on sequence posting_batches to intelli_app")
    op.create_table(
        "strays",
        sa.Column("tenant_id", sa.Uuid, primary_key=True),
        sa.Column("reading", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("before", sa.BigInteger, nullable=False),
        _of_workspace(),
    )
    protect("strays")
    op.create_table(
        "frequent_terms",
        sa.Column("tenant_id", sa.Uuid, primary_key=True),
        sa.Column("term", sa.BigInteger, primary_key=True),
        sa.Column("chunks", sa.BigInteger, nullable=False),
        sa.Column("rows", sa.BigInteger, nullable=False),
        _of_workspace(),
    )
    protect("frequent_terms")


def _vectors() -> None:
    op.create_table(
        "spaces",
        sa.Column("tenant_id", sa.Uuid, primary_key=True),
        sa.Column("number", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("dimensions", sa.Integer, nullable=False),
        sa.Column("state", sa.Text, nullable=False),
        sa.Column("is_built", sa.Boolean, server_default=sa.false(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.func.now(), nullable=False),
        _of_workspace(),
        sa.CheckConstraint("state in ('filling', 'active', 'leaving')", name="state"),
    )
    op.create_index(
        "spaces_active_idx", "spaces", ["tenant_id"], unique=True, postgresql_where=sa.text("state = 'active'")
    )
    op.create_index(
        "spaces_filling_idx", "spaces", ["tenant_id"], unique=True, postgresql_where=sa.text("state = 'filling'")
    )
    protect("spaces")
    op.create_table(
        "vectors",
        sa.Column("tenant_id", sa.Uuid, primary_key=True),
        sa.Column("reading", sa.BigInteger, primary_key=True),
        sa.Column("space", sa.BigInteger, primary_key=True),
        sa.Column("chunk_index", sa.Integer, primary_key=True),
        sa.Column("embedding", HALFVEC, nullable=False),
        _of_workspace(),
        _of_reading(),
        sa.ForeignKeyConstraint(["tenant_id", "space"], ["spaces.tenant_id", "spaces.number"], ondelete="CASCADE"),
    )
    # Out of line, every vector a scan compares would cost a second look-up.
    op.execute("alter table vectors alter column embedding set storage plain")
    protect("vectors")


def downgrade() -> None:
    op.execute("drop trigger postings_forget on readings")
    for table in ("vectors", "spaces", "frequent_terms", "strays", "postings", "indexed", "lexicons"):
        op.drop_table(table)
    op.execute("drop sequence posting_batches")
    for function in (
        "postings_forget()",
        "retrieval_count()",
        "retrieval_build(bigint)",
        "retrieval_unbuild(bigint)",
    ):
        op.execute(f"drop function {function}")
    op.execute("drop extension vector")
