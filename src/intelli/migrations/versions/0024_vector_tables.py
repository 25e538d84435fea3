"""Tables of their own for the vectors of large workspaces, built beside the rows that they replace."""

import importlib

import sqlalchemy as sa
from alembic import op

from intelli.migrations.policies import CENSUS, TENANT, protect

revision = "0024"
down_revision = "0023"

_FIRST = importlib.import_module("intelli.migrations.versions.0007_retrieval")
_UNFORCED = ("vectors", "spaces", "lexicons")

_NAME = """
create function vector_table_name(the_tenant uuid, the_space bigint, generation int) returns text
    language sql immutable as $$
    select format('vectors_%s_%s_%s', replace(the_tenant::text, '-', ''), the_space, generation)
$$
"""

# The check pins the table to its workspace, whatever a policy says. No key leads to `readings`: each such table would
# add a trigger to the deletion of every reading of all workspaces.
_CREATE = f"""
create function vector_table_create(the_space bigint) returns int language plpgsql security definer
    set search_path = public, pg_temp set lock_timeout = '10s' as $$
declare
    tenant uuid := {TENANT};
    width int := (select s.dimensions from spaces s where s.tenant_id = tenant and s.number = the_space);
    generation int;
    place text;
begin
    if width is null then
        return null;
    end if;
    select 1 + coalesce(max(substring(c.relname from '[0-9]+$')::int), 0) into generation from pg_class c
     where c.relnamespace = 'vector_tables'::regnamespace and c.relkind = 'r'
       and starts_with(c.relname::text, format('vectors_%s_%s_', replace(tenant::text, '-', ''), the_space));
    place := vector_table_name(tenant, the_space, generation);
    execute format(
        'create table vector_tables.%I (tenant_id uuid not null check (tenant_id = %L), reading bigint not null, '
        'chunk_index int not null, embedding halfvec(%s) storage plain not null, '
        'primary key (tenant_id, reading, chunk_index))', place, tenant, width);
    execute format('alter table vector_tables.%I enable row level security', place);
    execute format('alter table vector_tables.%I force row level security', place);
    execute format('create policy isolation on vector_tables.%I using (%s) with check (%s)', place,
        $policy${{rows}}$policy$, $policy${{rows}}$policy$);
    execute format('grant select, insert, update, delete on vector_tables.%I to intelli_app', place);
    return generation;
end $$
""".replace("{rows}", f"tenant_id = {TENANT}")  # noqa: S608  # our own words

# Null: another session builds it. The connection is looked at, so that nothing is built for a process that is gone.
_INDEX = f"""
create function vector_table_index(the_space bigint, generation int, memory_kb int, workers int) returns boolean
    language plpgsql security definer
    set search_path = public, pg_temp set lock_timeout = '10s' set client_connection_check_interval = '2s' as $$
declare
    place text := vector_table_name({TENANT}, the_space, generation);
    found oid := to_regclass(format('vector_tables.%I', place));
begin
    if not pg_try_advisory_xact_lock(hashtextextended(place, 0)) then
        return null;
    end if;
    if found is null or exists (
        select from pg_index i join pg_class c on c.oid = i.indexrelid join pg_am a on a.oid = c.relam
         where i.indrelid = found and a.amname = 'hnsw') then
        return false;
    end if;
    perform set_config('maintenance_work_mem', memory_kb || 'kB', true),
            set_config('max_parallel_maintenance_workers', workers::text, true);
    execute format('analyze vector_tables.%I', place);
    execute format('create index on vector_tables.%I using hnsw (embedding halfvec_cosine_ops)', place);
    return true;
end $$
"""

_DROP = f"""
create function vector_table_drop(the_space bigint, generation int) returns boolean language plpgsql security definer
    set search_path = public, pg_temp set lock_timeout = '500ms' as $$
declare
    tenant uuid := {TENANT};
    place text := vector_table_name(tenant, the_space, generation);
begin
    if place is null or to_regclass(format('vector_tables.%I', place)) is null or exists (
        select from spaces s where s.tenant_id = tenant and s.number = the_space
           and generation in (s.stored_in, s.building)) then
        return false;
    end if;
    execute format('drop table vector_tables.%I', place);
    return true;
end $$
"""  # as above

# Only the owner of a table is told by `pg_stat_progress_create_index` how far it is.
_PROGRESS = f"""
create function vector_table_indexed(the_space bigint, generation int) returns bigint
    language sql stable security definer set search_path = public, pg_temp as $$
    select p.tuples_done from pg_stat_progress_create_index p
     where p.datname = current_database()
       and p.relid = to_regclass(format('vector_tables.%I', vector_table_name({TENANT}, the_space, generation)))
$$
"""  # noqa: S608  # as above

# Tables of workspaces that are gone, which were in use when they went. Only the census shows all workspaces.
_SWEEP = f"""
create function vector_tables_sweep() returns int language plpgsql security definer
    set search_path = public, pg_temp set lock_timeout = '500ms' as $$
declare
    place text;
    dropped int := 0;
begin
    if ({CENSUS}) is not true then
        raise exception 'only the census may sweep';
    end if;
    for place in
        select c.relname from pg_class c
         where c.relnamespace = 'vector_tables'::regnamespace and c.relkind = 'r'
           and not exists (select from workspaces w
                            where starts_with(c.relname::text, format('vectors_%s_', replace(w.id::text, '-', ''))))
    loop
        begin
            execute format('drop table if exists vector_tables.%I', place);
            dropped := dropped + 1;
        exception when lock_not_available then
            null;
        end;
    end loop;
    for place in
        select c.relname from pg_class c
         where c.relnamespace = 'public'::regnamespace and c.relkind = 'i' and c.relname ~ '^vectors_near_'
           and not exists (select from workspaces w where starts_with(
                   c.relname::text, format('vectors_near_%s_', replace(w.id::text, '-', ''))))
    loop
        begin
            execute format('drop index if exists %I', place);
        exception when lock_not_available then
            null;
        end;
    end loop;
    return dropped;
end $$
"""  # noqa: S608  # as above

# A table that is in use, or being indexed, is left to the sweep.
_DROP_WITH_SPACE = """
create function spaces_drop_tables() returns trigger language plpgsql security definer
    set search_path = public, pg_temp set lock_timeout = '2s' as $$
declare
    place text;
begin
    for place in
        select c.relname from pg_class c
         where c.relnamespace = 'vector_tables'::regnamespace and c.relkind = 'r' and starts_with(
               c.relname::text, format('vectors_%s_%s_', replace(old.tenant_id::text, '-', ''), old.number))
    loop
        begin
            execute format('drop table vector_tables.%I', place);
        exception when lock_not_available then
            null;
        end;
    end loop;
    return null;
end $$
"""

# The lock keeps a table from taking the place of another between the look at `spaces` and the commit.
_FORGET = """
create function vectors_forget() returns trigger language plpgsql as $$
declare
    gone record;
    held record;
begin
    for gone in select tenant_id, array_agg(number) as readings from departed group by tenant_id loop
        continue when not exists (select from workspaces w where w.id = gone.tenant_id);
        perform pg_advisory_xact_lock_shared(hashtextextended('spaces:' || gone.tenant_id, 0));
        for held in
            select s.number, s.stored_in, s.building from spaces s
             where s.tenant_id = gone.tenant_id and (s.stored_in is not null or s.building is not null)
        loop
            if held.stored_in is not null then
                execute format('delete from vector_tables.%I where tenant_id = $1 and reading = any($2)',
                    vector_table_name(gone.tenant_id, held.number, held.stored_in)) using gone.tenant_id, gone.readings;
            end if;
            if held.building is not null then
                insert into vector_changes (tenant_id, space, reading)
                select gone.tenant_id, held.number, reading from unnest(gone.readings) reading;
            end if;
        end loop;
    end loop;
    return null;
end $$
"""

_BACK = """
do $$
declare
    held record;
    place text;
begin
    for held in select tenant_id, number, stored_in from spaces where stored_in is not null loop
        place := vector_table_name(held.tenant_id, held.number, held.stored_in);
        execute format('alter table vector_tables.%I no force row level security', place);
        delete from vectors v where v.tenant_id = held.tenant_id and v.space = held.number;
        execute format('insert into vectors (tenant_id, reading, space, chunk_index, embedding) '
            'select tenant_id, reading, %s, chunk_index, embedding from vector_tables.%I', held.number, place);
        update spaces s set is_built = false where s.tenant_id = held.tenant_id and s.number = held.number;
        update lexicons l set counted = 0 where l.tenant_id = held.tenant_id;
    end loop;
end $$
"""

_FOR_APP = {
    "vector_table_create(bigint)": _CREATE,
    "vector_table_index(bigint, int, int, int)": _INDEX,
    "vector_table_drop(bigint, int)": _DROP,
    "vector_table_indexed(bigint, int)": _PROGRESS,
    "vector_tables_sweep()": _SWEEP,
}


def _of_workspace() -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(["tenant_id"], ["workspaces.id"], ondelete="CASCADE")


def _of_space() -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(["tenant_id", "space"], ["spaces.tenant_id", "spaces.number"], ondelete="CASCADE")


def upgrade() -> None:
    op.execute("create schema vector_tables")
    op.execute("grant usage on schema vector_tables to intelli_app")
    op.add_column("spaces", sa.Column("stored_in", sa.Integer))
    op.add_column("spaces", sa.Column("building", sa.Integer))
    op.add_column("spaces", sa.Column("built_chunks", sa.BigInteger))
    _builds()
    for function in (_NAME, _DROP_WITH_SPACE, _FORGET):
        op.execute(function)
    for signature, function in _FOR_APP.items():
        op.execute(function)
        _let_only_app(signature)
    op.execute("revoke execute on function spaces_drop_tables() from public")
    op.execute(
        "create trigger spaces_drop_tables after delete on spaces for each row execute function spaces_drop_tables()"
    )
    op.execute(
        "create trigger vectors_forget after delete on readings referencing old table as departed "
        "for each statement execute function vectors_forget()"
    )
    # What waits for this lock makes everyone wait who searches or writes vectors: it is tried again instead.
    op.execute("alter function retrieval_unbuild(bigint) set lock_timeout = '200ms'")
    op.execute("drop function retrieval_build(bigint)")


def _builds() -> None:
    op.create_table(
        "vector_builds",
        sa.Column("tenant_id", sa.Uuid, primary_key=True),
        sa.Column("space", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("step", sa.Text, nullable=False),
        sa.Column("position", sa.BigInteger, server_default="-1", nullable=False),
        sa.Column("done", sa.BigInteger, server_default="0", nullable=False),
        sa.Column("total", sa.BigInteger, nullable=False),
        sa.Column("started_at", sa.DateTime(timezone=True), server_default=sa.func.now(), nullable=False),
        _of_workspace(),
        _of_space(),
        sa.CheckConstraint("step in ('copy', 'index', 'finish')", name="step"),
    )
    protect("vector_builds")
    op.create_table(
        "vector_changes",
        sa.Column("tenant_id", sa.Uuid, primary_key=True),
        sa.Column("number", sa.BigInteger, sa.Identity(always=True), primary_key=True),
        sa.Column("space", sa.BigInteger, nullable=False),
        sa.Column("reading", sa.BigInteger, nullable=False),
        _of_workspace(),
        _of_space(),
    )
    protect("vector_changes")


def _let_only_app(signature: str) -> None:
    op.execute(f"revoke execute on function {signature} from public")
    op.execute(f"grant execute on function {signature} to intelli_app")


def downgrade() -> None:
    for table in _UNFORCED:
        op.execute(f"alter table {table} no force row level security")
    op.execute(_BACK)
    for table in _UNFORCED:
        op.execute(f"alter table {table} force row level security")
    op.execute("drop trigger vectors_forget on readings")
    op.execute("drop trigger spaces_drop_tables on spaces")
    for signature in (*_FOR_APP, "vectors_forget()", "spaces_drop_tables()"):
        op.execute(f"drop function {signature}")
    op.execute("drop schema vector_tables cascade")
    op.execute("drop function vector_table_name(uuid, bigint, int)")
    for table in ("vector_changes", "vector_builds"):
        op.drop_table(table)
    for column in ("built_chunks", "building", "stored_in"):
        op.drop_column("spaces", column)
    op.execute("alter function retrieval_unbuild(bigint) set lock_timeout = '10s'")
    op.execute(_FIRST._BUILD)  # as it was first made
    _let_only_app("retrieval_build(bigint)")
