"""Streams that ask nothing while nothing happens, and jobs taken in turn.

Whoever follows something is told when their right to it changes: triggers notify the channel `access` with the id of
the person, and the channel `runs` with that of a run that is gone. The index lets a worker find who has jobs waiting
without reading all of them.
"""

from alembic import op

revision = "0018"
down_revision = "0017"

_ACCESS_ENDS = """
create function intelli_access_ends(the_tenant uuid, the_session uuid, the_key uuid) returns timestamptz
language sql stable as $$
    select least(
        (select expires_at from sessions where tenant_id = the_tenant and id = the_session),
        (select expires_at from api_keys where tenant_id = the_tenant and id = the_key))
$$
"""
_OF_PERSON = """
create function intelli_notify_access() returns trigger language plpgsql as $$
begin
    perform pg_notify('access', old.user_id::text);
    return null;
end $$
"""
_GONE = """
create function intelli_notify_run_gone() returns trigger language plpgsql as $$
begin
    perform pg_notify('runs', old.id::text);
    return null;
end $$
"""
_TELLS_PERSON = "for each row execute function intelli_notify_access()"
_TRIGGERS = {
    "sessions": f"after update of ended_at or delete on sessions {_TELLS_PERSON}",
    "memberships": f"after update of role or delete on memberships {_TELLS_PERSON}",
    "api_keys": f"after update of expires_at, scopes or delete on api_keys {_TELLS_PERSON}",
    "runs": "after delete on runs for each row execute function intelli_notify_run_gone()",
}
_WAITING = """
create index intelli_jobs_waiting_idx on jobs.procrastinate_jobs
    (queue_name, coalesce(args ->> 'tenant_id', ''), coalesce(args ->> 'user_id', ''), priority desc, id)
    where status = 'todo'
"""
_RUNNING = "create index intelli_jobs_running_idx on jobs.procrastinate_jobs (queue_name) where status = 'doing'"
_LOCKS = """
create index intelli_jobs_locks_idx on jobs.procrastinate_jobs (lock) where status in ('todo', 'doing')
"""


def upgrade() -> None:
    for function in (_ACCESS_ENDS, _OF_PERSON, _GONE):
        op.execute(function)
    for table, trigger in _TRIGGERS.items():
        op.execute(f"create trigger {table}_access {trigger}")
    for index in (_WAITING, _RUNNING, _LOCKS):
        op.execute(index)


def downgrade() -> None:
    for index in ("locks", "running", "waiting"):
        op.execute(f"drop index jobs.intelli_jobs_{index}_idx")
    for table in _TRIGGERS:
        op.execute(f"drop trigger {table}_access on {table}")
    for function in ("intelli_notify_run_gone()", "intelli_notify_access()"):
        op.execute(f"drop function {function}")
    op.execute("drop function intelli_access_ends(uuid, uuid, uuid)")
