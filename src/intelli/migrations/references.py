"""Triggers that maintain the reference counts of artifacts; a migration calls `hold(…)` for a table with references."""

from alembic import op

# Locks artifacts in the order of their hash before it counts, so that two transactions on the same artifacts cannot
# deadlock. `arrived` and `departed` are the rows of the statement that fired; the arguments name the columns that
# reference artifacts.
COUNT = """
create or replace function content_count() returns trigger language plpgsql as $$
declare
    arrived text := (select string_agg(format('select tenant_id, %I as sha256, 1 as step from arrived', held),
                                       ' union all ') from unnest(tg_argv) held);
    departed text := (select string_agg(format('select tenant_id, %I as sha256, -1 as step from departed', held),
                                        ' union all ') from unnest(tg_argv) held);
    steps text := case tg_op when 'INSERT' then arrived when 'DELETE' then departed
                             else arrived || ' union all ' || departed end;
    changes text := format(
        'select tenant_id, sha256, sum(step) as step from (%s) s where sha256 is not null '
        'group by tenant_id, sha256 having sum(step) <> 0', steps);
begin
    execute format(
        'select from artifacts a join (%s) c using (tenant_id, sha256) '
        'order by a.tenant_id, a.sha256 for no key update of a', changes);
    execute format(
        'update artifacts a set reference_count = a.reference_count + c.step, updated_at = now(), '
        'unreferenced_since = case when a.reference_count + c.step = 0 then clock_timestamp() end '
        'from (%s) c where a.tenant_id = c.tenant_id and a.sha256 = c.sha256', changes);
    return null;
end $$
"""

# Counts artifacts that are stored once for each owner: a row that references one has its owner in `owner_id`. It runs
# without a user id, because a user who drops a reference need not be allowed to read the artifact.
COUNT_BY_OWNER = """
create or replace function content_count() returns trigger language plpgsql as $$
declare
    person text := coalesce(current_setting('intelli.user_id', true), '');
    arrived text := (select string_agg(
        format('select tenant_id, owner_id, %I as sha256, 1 as step from arrived', held), ' union all ')
        from unnest(tg_argv) held);
    departed text := (select string_agg(
        format('select tenant_id, owner_id, %I as sha256, -1 as step from departed', held), ' union all ')
        from unnest(tg_argv) held);
    steps text := case tg_op when 'INSERT' then arrived when 'DELETE' then departed
                             else arrived || ' union all ' || departed end;
    changes text := format(
        'select tenant_id, sha256, owner_id, sum(step) as step from (%s) s where sha256 is not null '
        'group by tenant_id, sha256, owner_id having sum(step) <> 0', steps);
begin
    perform set_config('intelli.user_id', '', true);
    execute format(
        'select from artifacts a join (%s) c using (tenant_id, sha256, owner_id) '
        'order by a.tenant_id, a.sha256, a.owner_id for no key update of a', changes);
    execute format(
        'update artifacts a set reference_count = a.reference_count + c.step, updated_at = now(), '
        'unreferenced_since = case when a.reference_count + c.step = 0 then clock_timestamp() end '
        'from (%s) c where (a.tenant_id, a.sha256, a.owner_id) = (c.tenant_id, c.sha256, c.owner_id)', changes);
    perform set_config('intelli.user_id', person, true);
    return null;
end $$
"""

# The application may refresh `unreferenced_since`, but counting is the work of the triggers alone.
GUARD = """
create function content_guard() returns trigger language plpgsql as $$
begin
    if tg_op = 'INSERT' then
        new.reference_count := 0;
        new.unreferenced_since := clock_timestamp();
    elsif new.reference_count <> old.reference_count and pg_trigger_depth() < 2 then
        raise exception 'reference counts are kept by triggers' using errcode = 'check_violation';
    end if;
    return new;
end $$
"""


def hold(table: str, *columns: str) -> None:
    """Count each row of a table as a reference to the artifacts whose hashes are in its columns; null is none.

    The table references `artifacts` without `on delete`, and `workspaces` with `cascade`. Write rows for several
    artifacts in one statement: the locks of one statement are taken in order, but not those of two.
    """
    held = ", ".join(f"'{column}'" for column in columns)
    for event, rows in (
        ("insert", "new table as arrived"),
        ("update", "old table as departed new table as arrived"),
        ("delete", "old table as departed"),
    ):
        op.execute(
            f"create trigger {table}_hold_{event} after {event} on {table} referencing {rows} "
            f"for each statement execute function content_count({held})"
        )
