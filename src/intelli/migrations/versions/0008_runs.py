"""Runs with their event log, plans, interactions and model calls, and the schema that keeps the graph's checkpoints."""

import sqlalchemy as sa
from alembic import op
from langgraph.checkpoint.postgres.base import MIGRATIONS
from sqlalchemy.dialects.postgresql import JSONB

from intelli.migrations.policies import OWN_IN_TENANT, TENANT, protect

revision = "0008"
down_revision = "0007"

_CENTS = sa.Numeric(20, 10)
_TASK_STATUSES = "status in ('loading', 'success', 'error')"
# What the library brought when this was written; more needs a migration of its own.
_STATEMENTS = 10
_CHECKPOINTS = ("checkpoints", "checkpoint_blobs", "checkpoint_writes")


def _moment(name: str) -> sa.Column[object]:
    return sa.Column(name, sa.DateTime(timezone=True))


def _now(name: str) -> sa.Column[object]:
    return sa.Column(name, sa.DateTime(timezone=True), server_default=sa.func.now(), nullable=False)


def _text(name: str, default: str | None = None) -> sa.Column[object]:
    return sa.Column(name, sa.Text, server_default=default, nullable=False)


def _number(name: str, kind: type[sa.Integer] = sa.BigInteger) -> sa.Column[object]:
    return sa.Column(name, kind, server_default="0", nullable=False)


def _cents(name: str) -> sa.Column[object]:
    return sa.Column(name, _CENTS, server_default="0", nullable=False)


def _json(name: str, default: str | None) -> sa.Column[object]:
    return sa.Column(name, JSONB, server_default=default, nullable=False)


def _tenant_columns() -> list[sa.Column[object]]:
    return [
        sa.Column("tenant_id", sa.Uuid, primary_key=True),
        sa.Column("id", sa.Uuid, primary_key=True),
        _now("created_at"),
    ]


def _of_workspace() -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(["tenant_id"], ["workspaces.id"], ondelete="CASCADE")


def _of(column: str, table: str, ondelete: str | None = "CASCADE") -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(["tenant_id", column], [f"{table}.tenant_id", f"{table}.id"], ondelete=ondelete)


def _index(table: str, *columns: str) -> None:
    op.create_index(f"{table}_tenant_id_{'_'.join(columns)}_idx", table, ["tenant_id", *columns])


def upgrade() -> None:
    _runs()
    _events()
    _plans()
    _interactions()
    _model_calls()
    for table in ("runs", "plan_sets", "plans", "plan_tasks", "agent_interactions", "model_calls"):
        protect(table, rows=OWN_IN_TENANT)
    protect("run_events", rows=OWN_IN_TENANT, grants="select, insert")
    _checkpoints()


def _runs() -> None:
    op.create_table(
        "runs",
        *_tenant_columns(),
        sa.Column("user_id", sa.Uuid, nullable=False),
        sa.Column("conversation_id", sa.Uuid),
        sa.Column("message_id", sa.Uuid),
        _text("question"),
        _text("intent_type", "question"),
        _text("deliverable_type", "STANDARD"),
        _json("context", "{}"),
        _number("context_used_tokens", sa.Integer),
        _text("status", "pending"),
        sa.Column("progress", sa.Float, server_default="0", nullable=False),
        _text("progress_message", ""),
        sa.Column("title", sa.Text),
        sa.Column("agent_response", sa.Text),
        sa.Column("answer_sha256", sa.Text),
        sa.Column("confidence_score", sa.Float),
        _number("input_tokens"),
        _number("output_tokens"),
        _cents("cost_llm_input"),
        _cents("cost_llm_output"),
        _cents("cost_embeddings"),
        _cents("cost_web_search"),
        sa.Column("budget_cents", _CENTS, nullable=False),
        _json("problems", "[]"),
        _json("clarifications", "[]"),
        sa.Column("error_code", sa.Text),
        sa.Column("error_message", sa.Text),
        _number("retry_count", sa.Integer),
        sa.Column("reasoner", sa.Text),
        _json("prompts", "{}"),
        sa.Column("lease_job", sa.BigInteger),
        _moment("lease_until"),
        _number("epoch"),
        _number("last_seq"),
        _moment("started_at"),
        _moment("finished_at"),
        _now("updated_at"),
        _of_workspace(),
        sa.CheckConstraint(
            "status in ('pending', 'processing', 'waiting', 'completed', 'failed', 'cancelled')", name="status"
        ),
    )
    _index("runs", "user_id")
    _index("runs", "status", "lease_until")


def _events() -> None:
    op.create_table(
        "run_events",
        sa.Column("tenant_id", sa.Uuid, primary_key=True),
        sa.Column("run_id", sa.Uuid, primary_key=True),
        sa.Column("seq", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("user_id", sa.Uuid, nullable=False),
        sa.Column("key", sa.Text),
        _text("type"),
        _json("payload", None),
        _now("created_at"),
        sa.UniqueConstraint("tenant_id", "run_id", "key"),
        _of_workspace(),
        _of("run_id", "runs"),
    )


def _plans() -> None:
    op.create_table(
        "plan_sets",
        *_tenant_columns(),
        sa.Column("run_id", sa.Uuid, nullable=False),
        sa.Column("user_id", sa.Uuid, nullable=False),
        _of_workspace(),
        _of("run_id", "runs"),
    )
    op.create_table(
        "plans",
        *_tenant_columns(),
        sa.Column("plan_set_id", sa.Uuid, nullable=False),
        sa.Column("user_id", sa.Uuid, nullable=False),
        sa.Column("previous_plan_id", sa.Uuid),
        _text("title"),
        _text("summary"),
        _text("status", "loading"),
        _json("used_sources", "[]"),
        _of_workspace(),
        _of("plan_set_id", "plan_sets"),
        _of("previous_plan_id", "plans", None),
        sa.CheckConstraint(_TASK_STATUSES, name="status"),
    )
    op.create_table(
        "plan_tasks",
        *_tenant_columns(),
        sa.Column("plan_id", sa.Uuid, nullable=False),
        sa.Column("user_id", sa.Uuid, nullable=False),
        sa.Column("previous_task_id", sa.Uuid),
        sa.Column("position", sa.Integer, nullable=False),
        _text("title"),
        _text("message"),
        _text("status", "loading"),
        _moment("started_at"),
        _moment("finished_at"),
        sa.Column("notes", sa.Text),
        _json("sources", "[]"),
        _json("entities", "[]"),
        _of_workspace(),
        _of("plan_id", "plans"),
        _of("previous_task_id", "plan_tasks", None),
        sa.CheckConstraint(_TASK_STATUSES, name="status"),
    )
    _index("plan_sets", "run_id")
    _index("plans", "plan_set_id")
    _index("plan_tasks", "plan_id")


def _interactions() -> None:
    op.create_table(
        "agent_interactions",
        *_tenant_columns(),
        sa.Column("run_id", sa.Uuid, nullable=False),
        sa.Column("user_id", sa.Uuid, nullable=False),
        _text("key"),
        sa.Column("task_id", sa.Uuid),
        _text("tool_name"),
        _json("tool_input", None),
        sa.Column("tool_output", JSONB),
        _text("status", "running"),
        sa.Column("requires_confirmation", sa.Boolean, server_default="false", nullable=False),
        sa.Column("confirmation_status", sa.Text),
        _moment("confirmed_at"),
        _moment("applied_at"),
        sa.Column("sequence_order", sa.Integer, nullable=False),
        sa.Column("attempts", sa.Integer, server_default="1", nullable=False),
        _now("started_at"),
        _moment("finished_at"),
        sa.Column("error_code", sa.Text),
        sa.Column("error_message", sa.Text),
        sa.UniqueConstraint("tenant_id", "run_id", "key"),
        _of_workspace(),
        _of("run_id", "runs"),
        sa.CheckConstraint("status in ('pending', 'running', 'completed', 'failed', 'rejected')", name="status"),
    )


def _model_calls() -> None:
    op.create_table(
        "model_calls",
        *_tenant_columns(),
        sa.Column("run_id", sa.Uuid, nullable=False),
        sa.Column("user_id", sa.Uuid, nullable=False),
        _text("key"),
        _text("verb"),
        _text("asked_sha256"),
        _text("status", "started"),
        sa.Column("epoch", sa.BigInteger, nullable=False),
        sa.Column("attempts", sa.Integer, server_default="1", nullable=False),
        _cents("reserved"),
        _text("model"),
        sa.Column("answer", JSONB),
        sa.Column("problem", sa.Text),
        _number("calls", sa.Integer),
        _number("input_tokens"),
        _number("output_tokens"),
        _cents("input_cost"),
        _cents("output_cost"),
        _now("started_at"),
        _moment("finished_at"),
        sa.UniqueConstraint("tenant_id", "run_id", "key"),
        _of_workspace(),
        _of("run_id", "runs"),
        sa.CheckConstraint("status in ('started', 'completed')", name="status"),
    )


def _checkpoints() -> None:
    """The library's own tables, bound to our runs: `thread_id` is `tenant:run`, read by two generated columns."""
    op.execute("create schema langgraph")
    op.execute("set local search_path = langgraph")
    for number, statement in enumerate(MIGRATIONS[:_STATEMENTS]):
        # The tables are empty: an index need not be built beside writers, and could not be in a transaction.
        op.execute(sa.text(statement.replace("CONCURRENTLY", "")))
        op.execute(sa.text("insert into checkpoint_migrations (v) values (:v)").bindparams(v=number))
    op.execute("set local search_path = public")
    op.execute("grant usage on schema langgraph to intelli_app")
    for name in _CHECKPOINTS:
        table = f"langgraph.{name}"
        for position, column in enumerate(("workspace_id", "run_id"), start=1):
            op.execute(
                f"alter table {table} add column {column} uuid "
                f"generated always as (split_part(thread_id, ':', {position})::uuid) stored"
            )
        op.execute(
            f"alter table {table} add foreign key (workspace_id, run_id) "
            "references public.runs (tenant_id, id) on delete cascade"
        )
        op.execute(f"create index on {table} (workspace_id, run_id)")
        op.execute(f"alter table {table} enable row level security")
        op.execute(f"alter table {table} force row level security")
        mine = f"workspace_id = {TENANT}"
        op.execute(f"create policy {name}_isolation on {table} using ({mine}) with check ({mine})")
        op.execute(f"grant select, insert, update, delete on {table} to intelli_app")


def downgrade() -> None:
    op.execute("drop schema langgraph cascade")
    for table in ("model_calls", "agent_interactions", "plan_tasks", "plans", "plan_sets", "run_events", "runs"):
        op.drop_table(table)
