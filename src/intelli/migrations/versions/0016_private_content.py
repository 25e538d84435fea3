"""Private content: artifacts, manifests and pointers have an owner, and each is kept once for each owner.

The owner is the workspace, or what a person's own content belongs to: a conversation, a run without one, or the person.
What earlier versions kept is given to those who hold it; what only a deleted conversation had left is removed.
"""

import sqlalchemy as sa
from alembic import op

from intelli.migrations import content_owners as owners
from intelli.migrations.policies import (
    IN_TENANT,
    OF_WORKSPACE_OR_OWN,
    TENANT,
    USER,
    in_shared_conversation,
    replace_isolation,
    share,
)
from intelli.migrations.references import COUNT, COUNT_BY_OWNER

revision = "0016"
down_revision = "0015"

_CHECKPOINTS = ("checkpoints", "checkpoint_blobs", "checkpoint_writes")
_BEFORE = f"({IN_TENANT} and (not is_personal or {USER} is null or created_by = {USER}))"
_OWNED = "(user_id is null) = (owner_id = tenant_id)"


def upgrade() -> None:
    with owners.unforced():
        _drop_keys(owners.KEYS_BEFORE)
        _add_columns()
        op.execute("alter table artifacts disable trigger user")
        for statement in owners.SPREAD:
            op.execute(sa.text(statement))
        op.execute("alter table artifacts enable trigger user")
        _key_by_owner()
        _add_keys(owners.KEYS)
    op.execute(COUNT_BY_OWNER)
    _policies()
    op.execute("grant delete on pointers to intelli_app")


def _add_columns() -> None:
    for table in ("artifacts", "manifests"):
        op.add_column(table, sa.Column("owner_id", sa.Uuid))
        op.add_column(table, sa.Column("user_id", sa.Uuid))
    for table in ("manifest_entries", "pointer_history", "deliverable_exports"):
        op.add_column(table, sa.Column("owner_id", sa.Uuid))
    for column in ("user_id", "conversation_id", "run_id"):
        op.add_column("pointers", sa.Column(column, sa.Uuid))
    for table, owner in owners.COMPUTED.items():
        op.add_column(table, sa.Column("owner_id", sa.Uuid, sa.Computed(owner, persisted=True), nullable=False))


def _key_by_owner() -> None:
    for table, key in owners.PRIMARY_KEYS.items():
        op.execute(f"alter table {table} drop constraint if exists {table}_pkey")
        op.alter_column(table, "owner_id", nullable=False)
        op.create_primary_key(f"{table}_pkey", table, list(key))
    for table in ("pointer_history", "deliverable_exports"):
        op.alter_column(table, "owner_id", nullable=False)
    op.drop_constraint("pointers_tenant_id_namespace_name_key", "pointers")
    op.create_unique_constraint(
        "pointers_tenant_id_namespace_name_owner_id_key", "pointers", ["tenant_id", "namespace", "name", "owner_id"]
    )
    for table in ("artifacts", "manifests"):
        op.create_check_constraint(op.f(f"{table}_owner_check"), table, _OWNED)
    op.create_check_constraint(
        op.f("pointers_owner_check"), "pointers", "user_id is not null or (conversation_id is null and run_id is null)"
    )
    for column, table in (("conversation_id", "conversations"), ("run_id", "runs")):
        name = f"pointers_tenant_id_{column}_fkey"
        columns = ["tenant_id", column], ["tenant_id", "id"]
        op.create_foreign_key(name, "pointers", table, *columns, ondelete="CASCADE")
        op.create_index(f"pointers_tenant_id_{column}_idx", "pointers", ["tenant_id", column])


def _policies() -> None:
    for table in ("artifacts", "manifests", "pointers"):
        replace_isolation(table, rows=OF_WORKSPACE_OR_OWN)
    share("artifacts", rows=f"{in_shared_conversation('artifacts', 'owner_id')} and not is_personal")
    share("manifests", rows=in_shared_conversation("manifests", "owner_id"))
    share("pointers", rows=in_shared_conversation("pointers", "conversation_id"))
    _follow("manifest_entries", "manifests", "r.sha256 = manifest_entries.manifest_sha256")
    _follow("pointer_history", "pointers", "r.id = pointer_history.pointer_id")
    for name in _CHECKPOINTS:
        own = f"r.tenant_id = {name}.workspace_id and r.id = {name}.run_id"
        rows = f"workspace_id = {TENANT} and exists (select from public.runs r where {own})"
        replace_isolation(f"langgraph.{name}", rows=rows)


def _follow(table: str, leader: str, names: str) -> None:
    """Show the rows of what may be seen, and let those be written of what is the workspace's or the person's own."""
    led = f"r.tenant_id = {table}.tenant_id and r.owner_id = {table}.owner_id and {names}"
    own = f"({USER} is null or r.user_id is null or r.user_id = {USER})"
    seen = f"{IN_TENANT} and exists (select from {leader} r where {led}"
    replace_isolation(table, rows=f"{seen})", writes=f"{seen} and {own})")


def downgrade() -> None:
    _restore_policies()
    op.execute("revoke delete on pointers from intelli_app")
    op.execute(COUNT)
    with owners.unforced():
        _drop_keys(owners.KEYS)
        op.execute("alter table artifacts disable trigger user")
        for statement in owners.MERGE:
            op.execute(sa.text(statement))
        op.execute("alter table artifacts enable trigger user")
        _key_by_hash()
        _add_keys(owners.KEYS_BEFORE)


def _restore_policies() -> None:
    for table in ("artifacts", "manifests", "pointers"):
        op.execute(f"drop policy {table}_sharing on {table}")
    for table in ("manifests", "manifest_entries", "pointers", "pointer_history"):
        replace_isolation(table, rows=IN_TENANT)
    replace_isolation("artifacts", rows=_BEFORE)
    for name in _CHECKPOINTS:
        replace_isolation(f"langgraph.{name}", rows=f"workspace_id = {TENANT}")


def _key_by_hash() -> None:
    op.drop_constraint("pointers_tenant_id_namespace_name_owner_id_key", "pointers")
    for table in (*owners.PRIMARY_KEYS, "pointers", "pointer_history", "deliverable_exports"):
        # What is keyed or checked by these columns goes with them.
        op.execute(f"alter table {table} drop column owner_id cascade")
    for table in owners.COMPUTED.keys() - {"pointers"}:
        op.drop_column(table, "owner_id")
    for column in ("user_id", "conversation_id", "run_id"):
        op.execute(f"alter table pointers drop column {column} cascade")
    for table in ("artifacts", "manifests"):
        op.drop_column(table, "user_id")
    for table, key in owners.PRIMARY_KEYS.items():
        op.create_primary_key(f"{table}_pkey", table, [column for column in key if column != "owner_id"])
    op.create_unique_constraint("pointers_tenant_id_namespace_name_key", "pointers", ["tenant_id", "namespace", "name"])


def _drop_keys(keys: owners.Keys) -> None:
    for table, columns, _, _, _ in keys:
        op.drop_constraint(owners.name_of(table, columns), table)


def _add_keys(keys: owners.Keys) -> None:
    for table, columns, other, named, ondelete in keys:
        op.create_foreign_key(
            owners.name_of(table, columns), table, other, list(columns), list(named), ondelete=ondelete
        )
