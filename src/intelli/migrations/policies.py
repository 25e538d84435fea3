"""Row-level security, said once: every tenant table gets the same protection from these functions."""

from alembic import op

TENANT = "nullif(current_setting('intelli.tenant_id', true), '')::uuid"
USER = "nullif(current_setting('intelli.user_id', true), '')::uuid"
PROOF = "nullif(current_setting('intelli.proof', true), '')"
CENSUS = "nullif(current_setting('intelli.census', true), '') = 'on'"

IN_TENANT = f"tenant_id = {TENANT}"
# Our own code at work without a person (a sweep, a check) sees the whole workspace; a person sees what is theirs.
OWN_IN_TENANT = f"(tenant_id = {TENANT} and ({USER} is null or user_id = {USER}))"
# Content is the workspace's, which everyone of it may use, or a person's own.
OF_WORKSPACE_OR_OWN = f"(tenant_id = {TENANT} and ({USER} is null or user_id is null or user_id = {USER}))"


def protect(
    table: str, *, rows: str = IN_TENANT, writes: str | None = None, grants: str = "select, insert, update, delete"
) -> None:
    """Force row-level security on a table: `rows` are seen, `writes` may be written (the same unless given)."""
    op.execute(f"alter table {table} enable row level security")
    op.execute(f"alter table {table} force row level security")
    op.execute(f"create policy {table}_isolation on {table} using ({rows}) with check ({writes or rows})")
    op.execute(f"grant {grants} on {table} to intelli_app")


def share(table: str, *, rows: str) -> None:
    """Let others of the workspace read, and only read, these rows as well."""
    op.execute(f"create policy {table}_sharing on {table} for select using ({rows})")


def replace_isolation(table: str, *, rows: str, writes: str | None = None) -> None:
    """Give a table that is protected other rows to see and to write."""
    name = table.rpartition(".")[2]
    op.execute(f"drop policy {name}_isolation on {table}")
    op.execute(f"create policy {name}_isolation on {table} using ({rows}) with check ({writes or rows})")


def in_shared_conversation(table: str, column: str) -> str:
    """The rows of a table whose column names a conversation that its person shares."""
    shared = f"c.tenant_id = {table}.tenant_id and c.id = {table}.{column} and c.is_shared"
    return f"{IN_TENANT} and exists (select from conversations c where {shared})"
