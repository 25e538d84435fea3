"""Wire models of runs: the JSON of requests and responses."""

from datetime import datetime
from enum import StrEnum
from typing import Annotated
from uuid import UUID

from pydantic import ConfigDict, Field, JsonValue, StringConstraints

from intelli.conversations.wire import BudgetCents, Cents, Message, Path
from intelli.deliverable_kinds import DeliverableType
from intelli.kit.wire import Request, Wire
from intelli.library.fact_wire import DocumentFactsView
from intelli.reasoning.verbs.change import Action
from intelli.reasoning.verbs.understand import IntentKind
from intelli.runs.events import RunEvent

Question = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=20_000)]


class RunStatus(StrEnum):
    """Where a run stands. `waiting` is for a person: a clarification or an approval."""

    PENDING = "pending"
    PROCESSING = "processing"
    WAITING = "waiting"
    COMPLETED = "completed"
    FAILED = "failed"
    CANCELLED = "cancelled"


ENDED = frozenset({RunStatus.COMPLETED, RunStatus.FAILED, RunStatus.CANCELLED})


class Context(Request):
    """Where to look: in these documents and below these folders; without either, everywhere, and in memory too."""

    document_ids: list[UUID] = Field([], max_length=500)
    folders: list[Path] = Field([], max_length=100)
    memory: bool = Field(True, description="False leaves memory aside. What is in focus always does.")


class StartRun(Request):
    """A question to research."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [{"question": "What did revenue come to in 2025?", "deliverable_type": "STANDARD"}]
        }
    )

    question: Question
    deliverable_type: DeliverableType = DeliverableType.STANDARD
    context: Context = Context()
    budget_cents: BudgetCents | None = Field(None, description="What the run may cost; the workspace's most if not.")


class Clarify(Request):
    """The answer to what the run asked back."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"answer": "The fiscal year, not the calendar year."}]})

    answer: Question


class Cost(Wire):
    """What a run has cost, in US cents, and by what."""

    llm_input: Cents
    llm_output: Cents
    embeddings: Cents
    web_search: Cents
    total: Cents


class Failure(Wire):
    """Why a run failed."""

    code: str
    message: str


class Clarification(Wire):
    """What the run asked back, and what it was told."""

    question: str
    answer: str | None


class Run(Wire):
    """One question and what became of it. `problems` are what the answer had to do without."""

    id: UUID
    conversation_id: UUID | None
    message_id: UUID | None
    question: str
    title: str | None
    intent_type: IntentKind
    deliverable_type: DeliverableType
    context: dict[str, JsonValue]
    context_used_tokens: int
    status: RunStatus
    progress: float
    progress_message: str
    agent_response: str | None
    answer_sha256: str | None
    confidence_score: float | None
    input_tokens: int
    output_tokens: int
    processing_time_ms: int | None
    cost: Cost
    budget_cents: Cents
    problems: list[str]
    clarifications: list[Clarification]
    error: Failure | None
    retry_count: int
    reasoner: str | None
    prompts: dict[str, str]
    last_seq: int
    created_at: datetime
    started_at: datetime | None
    finished_at: datetime | None
    updated_at: datetime


class Asked(Wire):
    """A question that was taken, and the run that answers it."""

    message: Message
    run: Run


class LoggedEvent(Wire):
    """One line of a run's log."""

    seq: int
    created_at: datetime
    event: RunEvent


class EventPage(Wire):
    """A stretch of a run's log, oldest first. `last_seq` is the newest event there is."""

    items: list[LoggedEvent]
    last_seq: int


class InteractionStatus(StrEnum):
    """Where a tool call stands."""

    PENDING = "pending"
    RUNNING = "running"
    COMPLETED = "completed"
    FAILED = "failed"
    REJECTED = "rejected"


class Confirmation(StrEnum):
    """What a person has decided on a call that changes something; `cancelled` when the run ended before."""

    PENDING = "pending"
    APPROVED = "approved"
    REJECTED = "rejected"
    CANCELLED = "cancelled"


class Proposal(Wire):
    """What a tool would change: the document at a path, and its text as a unified diff from the base version."""

    action: Action
    path: str
    summary: str
    diff: str | None = None
    document_id: UUID | None = None
    base_version: int | None = None


class Reject(Request):
    """Why a change is rejected; the run is told."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"reason": "Keep the old figures."}]})

    reason: Annotated[str, StringConstraints(strip_whitespace=True, max_length=2_000)] | None = None


class Interaction(Wire):
    """One call of a tool. `conflicts` tells of other changes of the same path that are not done yet."""

    id: UUID
    run_id: UUID
    conversation_id: UUID | None
    message_id: UUID | None = Field(None, description="The question; null without a conversation.")
    task_id: UUID | None
    tool_name: str
    tool_input: dict[str, JsonValue]
    tool_output: dict[str, JsonValue] | None
    status: InteractionStatus
    requires_confirmation: bool
    proposal: Proposal | None
    conflicts: list[str] = []
    confirmation_status: Confirmation | None
    confirmed_by: UUID | None
    confirmed_at: datetime | None
    applied_at: datetime | None
    sequence_order: int
    attempts: int
    started_at: datetime
    finished_at: datetime | None
    error_code: str | None
    error_message: str | None


class CardHeading(Wire):
    """A chapter of a document, and where its heading stands in the text."""

    text: str
    start: int
    end: int


class CardFigure(Wire):
    """A figure of a table: the names of its row and column, its value as written, and where the row stands."""

    name: str
    value: str
    start: int
    end: int


class DocumentCard(Wire):
    """What a document is, and what is in it."""

    document_id: UUID
    name: str
    title: str | None
    facts: DocumentFactsView
    headings: list[CardHeading]
    figures: list[CardFigure]
