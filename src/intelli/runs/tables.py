"""Tables of runs: the run with its lease, the event log, the plan, and the ledger of model and tool calls.

Everything here is private to the person who asked, so each row names them for its policy.
"""

from datetime import datetime
from decimal import Decimal
from typing import Any
from uuid import UUID

from sqlalchemy import (
    BigInteger,
    CheckConstraint,
    ForeignKeyConstraint,
    Index,
    Numeric,
    UniqueConstraint,
    func,
    text,
)
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column

from intelli.kit.tables import Base, TenantRow

# Cents with enough decimals for one token of the cheapest model.
CENTS = Numeric(20, 10)
_OF_WORKSPACE = (["tenant_id"], ["workspaces.id"])
_OF_RUN = (["tenant_id", "run_id"], ["runs.tenant_id", "runs.id"])
_TASK_STATUSES = "status in ('loading', 'success', 'error')"


class Run(TenantRow, Base):
    """One question, its status and its result. The lease names its worker; `epoch` grows with every change of owner.

    `deaths` counts workers that died since the run last got further than `steps_at_claim`; `death_epoch` was the epoch
    of the last of them.
    """

    __tablename__ = "runs"
    __table_args__ = (
        ForeignKeyConstraint(*_OF_WORKSPACE, ondelete="CASCADE"),
        ForeignKeyConstraint(
            ["tenant_id", "conversation_id"], ["conversations.tenant_id", "conversations.id"], ondelete="CASCADE"
        ),
        Index(None, "tenant_id", "user_id"),
        Index(None, "tenant_id", "conversation_id"),
        Index(None, "tenant_id", "status", "lease_until"),
        CheckConstraint(
            "status in ('pending', 'processing', 'waiting', 'completed', 'failed', 'cancelled')", name="status"
        ),
    )

    user_id: Mapped[UUID]
    conversation_id: Mapped[UUID | None]
    message_id: Mapped[UUID | None]
    question: Mapped[str]
    intent_type: Mapped[str] = mapped_column(server_default="question")
    deliverable_type: Mapped[str] = mapped_column(server_default="STANDARD")
    context: Mapped[dict[str, Any]] = mapped_column(JSONB, server_default="{}")
    # What was said before on the branch, as it stood when the question was asked.
    turns: Mapped[list[dict[str, str]]] = mapped_column(JSONB, server_default="[]")
    context_used_tokens: Mapped[int] = mapped_column(server_default="0")
    status: Mapped[str] = mapped_column(server_default="pending")
    progress: Mapped[float] = mapped_column(server_default="0")
    progress_message: Mapped[str] = mapped_column(server_default="")
    title: Mapped[str | None]
    agent_response: Mapped[str | None]
    answer_sha256: Mapped[str | None]
    confidence_score: Mapped[float | None]
    input_tokens: Mapped[int] = mapped_column(BigInteger, server_default="0")
    output_tokens: Mapped[int] = mapped_column(BigInteger, server_default="0")
    cost_llm_input: Mapped[Decimal] = mapped_column(CENTS, server_default="0")
    cost_llm_output: Mapped[Decimal] = mapped_column(CENTS, server_default="0")
    cost_embeddings: Mapped[Decimal] = mapped_column(CENTS, server_default="0")
    cost_web_search: Mapped[Decimal] = mapped_column(CENTS, server_default="0")
    budget_cents: Mapped[Decimal] = mapped_column(CENTS)
    problems: Mapped[list[str]] = mapped_column(JSONB, server_default="[]")
    clarifications: Mapped[list[dict[str, Any]]] = mapped_column(JSONB, server_default="[]")
    error_code: Mapped[str | None]
    error_message: Mapped[str | None]
    retry_count: Mapped[int] = mapped_column(server_default="0")
    reasoner: Mapped[str | None]
    prompts: Mapped[dict[str, str]] = mapped_column(JSONB, server_default="{}")
    lease_job: Mapped[int | None] = mapped_column(BigInteger)
    lease_until: Mapped[datetime | None]
    epoch: Mapped[int] = mapped_column(BigInteger, server_default="0")
    deaths: Mapped[int] = mapped_column(server_default="0")
    death_epoch: Mapped[int | None] = mapped_column(BigInteger)
    steps_at_claim: Mapped[int] = mapped_column(BigInteger, server_default="0")
    last_seq: Mapped[int] = mapped_column(BigInteger, server_default="0")
    started_at: Mapped[datetime | None]
    finished_at: Mapped[datetime | None]
    updated_at: Mapped[datetime] = mapped_column(server_default=func.now())


class RunEventRow(Base):
    """One event of the log. `seq` counts from 1 without a gap; a `key` occurs once per run."""

    __tablename__ = "run_events"
    __table_args__ = (
        UniqueConstraint("tenant_id", "run_id", "key"),
        ForeignKeyConstraint(*_OF_WORKSPACE, ondelete="CASCADE"),
        ForeignKeyConstraint(*_OF_RUN, ondelete="CASCADE"),
    )

    tenant_id: Mapped[UUID] = mapped_column(primary_key=True)
    run_id: Mapped[UUID] = mapped_column(primary_key=True)
    seq: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    user_id: Mapped[UUID]
    key: Mapped[str | None]
    type: Mapped[str]
    payload: Mapped[dict[str, Any]] = mapped_column(JSONB)
    created_at: Mapped[datetime] = mapped_column(server_default=func.now())


class PlanSetRow(TenantRow, Base):
    """All plans of a run."""

    __tablename__ = "plan_sets"
    __table_args__ = (
        ForeignKeyConstraint(*_OF_WORKSPACE, ondelete="CASCADE"),
        ForeignKeyConstraint(*_OF_RUN, ondelete="CASCADE"),
        Index(None, "tenant_id", "run_id"),
    )

    run_id: Mapped[UUID]
    user_id: Mapped[UUID]


class PlanRow(TenantRow, Base):
    """A question divided into tasks."""

    __tablename__ = "plans"
    __table_args__ = (
        ForeignKeyConstraint(*_OF_WORKSPACE, ondelete="CASCADE"),
        ForeignKeyConstraint(["tenant_id", "plan_set_id"], ["plan_sets.tenant_id", "plan_sets.id"], ondelete="CASCADE"),
        ForeignKeyConstraint(["tenant_id", "previous_plan_id"], ["plans.tenant_id", "plans.id"]),
        Index(None, "tenant_id", "plan_set_id"),
        CheckConstraint(_TASK_STATUSES, name="status"),
    )

    plan_set_id: Mapped[UUID]
    user_id: Mapped[UUID]
    previous_plan_id: Mapped[UUID | None]
    title: Mapped[str]
    summary: Mapped[str]
    status: Mapped[str] = mapped_column(server_default="loading")
    used_sources: Mapped[list[str]] = mapped_column(JSONB, server_default="[]")


class PlanTaskRow(TenantRow, Base):
    """One question to research, and its result."""

    __tablename__ = "plan_tasks"
    __table_args__ = (
        ForeignKeyConstraint(*_OF_WORKSPACE, ondelete="CASCADE"),
        ForeignKeyConstraint(["tenant_id", "plan_id"], ["plans.tenant_id", "plans.id"], ondelete="CASCADE"),
        ForeignKeyConstraint(["tenant_id", "previous_task_id"], ["plan_tasks.tenant_id", "plan_tasks.id"]),
        Index(None, "tenant_id", "plan_id"),
        CheckConstraint(_TASK_STATUSES, name="status"),
    )

    plan_id: Mapped[UUID]
    user_id: Mapped[UUID]
    previous_task_id: Mapped[UUID | None]
    position: Mapped[int]
    title: Mapped[str]
    message: Mapped[str]
    status: Mapped[str] = mapped_column(server_default="loading")
    started_at: Mapped[datetime | None]
    finished_at: Mapped[datetime | None]
    notes: Mapped[str | None]
    sources: Mapped[list[dict[str, Any]]] = mapped_column(JSONB, server_default="[]")
    entities: Mapped[list[str]] = mapped_column(JSONB, server_default="[]")


class AgentInteraction(TenantRow, Base):
    """One tool call. Its output is stored, so that a step that runs again or is replayed finds it here."""

    __tablename__ = "agent_interactions"
    __table_args__ = (
        UniqueConstraint("tenant_id", "run_id", "key"),
        ForeignKeyConstraint(*_OF_WORKSPACE, ondelete="CASCADE"),
        ForeignKeyConstraint(*_OF_RUN, ondelete="CASCADE"),
        CheckConstraint("status in ('pending', 'running', 'completed', 'failed', 'rejected')", name="status"),
        CheckConstraint("confirmation_status in ('pending', 'approved', 'rejected', 'cancelled')", name="confirmation"),
        Index(None, "tenant_id", "path", postgresql_where=text("requires_confirmation and finished_at is null")),
    )

    run_id: Mapped[UUID]
    user_id: Mapped[UUID]
    # Only of one that changes something, so that a shared conversation shows it.
    conversation_id: Mapped[UUID | None]
    key: Mapped[str]
    task_id: Mapped[UUID | None]
    tool_name: Mapped[str]
    tool_input: Mapped[dict[str, Any]] = mapped_column(JSONB)
    tool_output: Mapped[dict[str, Any] | None] = mapped_column(JSONB)
    status: Mapped[str] = mapped_column(server_default="running")
    requires_confirmation: Mapped[bool] = mapped_column(server_default="false")
    # What it wants to change, where, and as what it was shown to the person who decides.
    path: Mapped[str | None]
    proposal: Mapped[dict[str, Any] | None] = mapped_column(JSONB)
    confirmation_status: Mapped[str | None]
    confirmed_by: Mapped[UUID | None]
    confirmed_at: Mapped[datetime | None]
    applied_at: Mapped[datetime | None]
    sequence_order: Mapped[int]
    attempts: Mapped[int] = mapped_column(server_default="1")
    started_at: Mapped[datetime] = mapped_column(server_default=func.now())
    finished_at: Mapped[datetime | None]
    error_code: Mapped[str | None]
    error_message: Mapped[str | None]


class ModelCall(TenantRow, Base):
    """One step of reasoning. Its key is the same when the step runs again, so it is asked and charged once."""

    __tablename__ = "model_calls"
    __table_args__ = (
        UniqueConstraint("tenant_id", "run_id", "key"),
        ForeignKeyConstraint(*_OF_WORKSPACE, ondelete="CASCADE"),
        ForeignKeyConstraint(*_OF_RUN, ondelete="CASCADE"),
        CheckConstraint("status in ('started', 'completed')", name="status"),
    )

    run_id: Mapped[UUID]
    user_id: Mapped[UUID]
    key: Mapped[str]
    verb: Mapped[str]
    asked_sha256: Mapped[str]
    status: Mapped[str] = mapped_column(server_default="started")
    epoch: Mapped[int] = mapped_column(BigInteger)
    attempts: Mapped[int] = mapped_column(server_default="1")
    reserved: Mapped[Decimal] = mapped_column(CENTS, server_default="0")
    model: Mapped[str]
    answer: Mapped[dict[str, Any] | None] = mapped_column(JSONB)
    problem: Mapped[str | None]
    calls: Mapped[int] = mapped_column(server_default="0")
    input_tokens: Mapped[int] = mapped_column(BigInteger, server_default="0")
    output_tokens: Mapped[int] = mapped_column(BigInteger, server_default="0")
    input_cost: Mapped[Decimal] = mapped_column(CENTS, server_default="0")
    output_cost: Mapped[Decimal] = mapped_column(CENTS, server_default="0")
    started_at: Mapped[datetime] = mapped_column(server_default=func.now())
    finished_at: Mapped[datetime | None]
