"""The event contract: one discriminated union on `type`. JSON Schema and TypeScript are generated from it.

To add an event is to add one class, here or in `node_events`, to the union at the end, and to emit it. Fields are only
ever added.
"""

from typing import Annotated, Literal
from uuid import UUID

from pydantic import Field, RootModel

from intelli.conversations.wire import Message
from intelli.kit.wire import Wire
from intelli.runs.node_events import (
    Metadata,
    Milliseconds,
    NodeReportPreviewDelta,
    NodeReportPreviewDone,
    NodeReportPreviewStart,
    NodeToolEvent,
    NodeToolsExecutionStart,
    UpdateSubagentCurrentAction,
)
from intelli.runs.telling import (
    ClarificationUpdate,
    PendingSource,
    Plan,
    PlanSet,
    Reference,
    TaskStatus,
)


class StreamStart(Wire):
    """The run was accepted."""

    type: Literal["stream_start"] = "stream_start"
    chat_id: UUID | None
    creator_user_id: UUID
    user_chat_message_id: UUID | None
    workspace_id: UUID
    run_id: UUID


class Heartbeat(Wire):
    """The stream is alive; not part of the log, so it has no id."""

    type: Literal["heartbeat"] = "heartbeat"


class Done(Wire):
    """The run has ended. Without async entities pending it is the last event of the stream."""

    type: Literal["done"] = "done"
    status: Literal["completed", "cancelled"] = "completed"
    has_async_entities_pending: bool = False
    message: Message | None = None


class RunFailed(Wire):
    """The run has failed."""

    type: Literal["ERROR"] = "ERROR"
    error_type: str
    error_message: str


class MessageDelta(Wire):
    """The next piece of a message: its text is what stood before `offset`, then `delta`.

    After a crash an answer may be written anew; it then goes on from the last character that both have in common.
    """

    type: Literal["message_delta"] = "message_delta"
    delta: str
    message_id: UUID
    offset: int


class AiMessage(Wire):
    """A whole message of the agent."""

    type: Literal["ai_message"] = "ai_message"
    message: Message


class MessageIsAnswer(Wire):
    """Whether what is being said is the answer, and not a question back."""

    type: Literal["message_is_answer"] = "message_is_answer"
    is_answer: bool


class ChatTitleGenerated(Wire):
    """The conversation has a name."""

    type: Literal["chat_title_generated"] = "chat_title_generated"
    title: str


class TaskUpdate(Wire):
    """A task of the plan began or ended; `plan_set` is the whole plan as it stands."""

    type: Literal["task_update"] = "task_update"
    key: str
    title: str
    message: str
    status: TaskStatus
    plan_set: PlanSet
    metadata: Metadata | None = None
    timestamp: Milliseconds


class PendingSources(Wire):
    """Sources that are being looked at."""

    type: Literal["pending_sources"] = "pending_sources"
    pending_sources: list[PendingSource]


class ReferencesFound(Wire):
    """Things that the answer can cite."""

    type: Literal["references_found"] = "references_found"
    references: list[Reference]


class BrowserUseStart(Wire):
    """The agent uses a browser that can be watched."""

    type: Literal["browser_use_start"] = "browser_use_start"
    browser_session_id: str
    browser_stream_url: str
    timestamp: Milliseconds


class BrowserUseStop(Wire):
    """The browser was closed."""

    type: Literal["browser_use_stop"] = "browser_use_stop"
    browser_session_id: str


class BrowserUseAwaitUserInput(Wire):
    """The browser waits for a person."""

    type: Literal["browser_use_await_user_input"] = "browser_use_await_user_input"
    browser_session_id: str
    agent_message: str | None = None


class ClarificationNeeded(Wire):
    """The run asks back and waits."""

    type: Literal["clarification_needed"] = "clarification_needed"
    message: Message


class ClarificationReceived(Wire):
    """The person has answered, and the run goes on."""

    type: Literal["clarification_received"] = "clarification_received"
    message: Message


class UpdateMessageClarificationMessage(Wire):
    """What a message asks back has changed."""

    type: Literal["update_message_clarification_message"] = "update_message_clarification_message"
    update: ClarificationUpdate


class Ping(Wire):
    """A sign of life with a time; not part of the log."""

    type: Literal["ping"] = "ping"
    timestamp: str


class UsageUpdate(Wire):
    """What the run has used up to now, and what it may use."""

    type: Literal["usage-update"] = "usage-update"
    input_tokens: int
    output_tokens: int
    total_tokens: int
    cost_cents: float | None = None
    budget_cents: float | None = None


class PlanCreated(Wire):
    """The question was divided into tasks."""

    type: Literal["plan_created"] = "plan_created"
    plan_set_id: UUID
    plan: Plan


Phase = Literal["planning", "research", "synthesis", "writing"]


class PhaseStarted(Wire):
    """A stretch of the run begins."""

    type: Literal["phase_started"] = "phase_started"
    phase: Phase
    timestamp: Milliseconds


class PhaseCompleted(Wire):
    """A stretch of the run has ended."""

    type: Literal["phase_completed"] = "phase_completed"
    phase: Phase
    timestamp: Milliseconds


class _OfTask(Wire):
    """Which task a researcher works on."""

    subagent_id: str
    plan_id: UUID
    plan_set_id: UUID
    task_id: UUID
    timestamp: Milliseconds


class SubagentSpawned(_OfTask):
    """A researcher begins with a task."""

    type: Literal["subagent_spawned"] = "subagent_spawned"
    title: str


class SubagentResult(_OfTask):
    """A researcher has ended its task."""

    type: Literal["subagent_result"] = "subagent_result"
    summary: str
    findings: int
    sources: int


class SubagentFailed(_OfTask):
    """A researcher could not do its task; the others go on."""

    type: Literal["subagent_failed"] = "subagent_failed"
    error_type: str
    error_message: str


class EntityCreated(Wire):
    """The run made something that stays."""

    type: Literal["entity_created"] = "entity_created"
    entity: Reference


class ArtifactCreated(Wire):
    """The run stored content."""

    type: Literal["artifact_created"] = "artifact_created"
    sha256: str
    media_type: str
    size_bytes: int
    entity_type: str | None = None
    file_name: str | None = None


class ManifestCreated(Wire):
    """The run stored a tree of content."""

    type: Literal["manifest_created"] = "manifest_created"
    sha256: str
    entry_count: int
    pointer: str | None = None


class CitationsCreated(Wire):
    """The citations of a message were kept and checked."""

    type: Literal["citations_created"] = "citations_created"
    message_id: UUID
    total: int
    verified: int = 0
    weak: int = 0
    failed: int = 0


class ApprovalNeeded(Wire):
    """A tool wants to change something and waits for a person."""

    type: Literal["approval_needed"] = "approval_needed"
    interaction_id: UUID
    tool_name: str
    summary: str
    path: str | None = None
    base_version: int | None = None
    diff: str | None = None
    conflicts: list[str] = []
    timestamp: Milliseconds


class ApprovalResolved(Wire):
    """A person has decided, or the run has ended without a decision."""

    type: Literal["approval_resolved"] = "approval_resolved"
    interaction_id: UUID
    decision: Literal["approved", "rejected", "cancelled"]
    reason: str | None = None
    timestamp: Milliseconds


AnyEvent = (
    StreamStart
    | Heartbeat
    | Done
    | RunFailed
    | MessageDelta
    | AiMessage
    | MessageIsAnswer
    | ChatTitleGenerated
    | TaskUpdate
    | PendingSources
    | ReferencesFound
    | NodeToolsExecutionStart
    | NodeToolEvent
    | UpdateSubagentCurrentAction
    | NodeReportPreviewStart
    | NodeReportPreviewDelta
    | NodeReportPreviewDone
    | BrowserUseStart
    | BrowserUseStop
    | BrowserUseAwaitUserInput
    | ClarificationNeeded
    | ClarificationReceived
    | UpdateMessageClarificationMessage
    | Ping
    | UsageUpdate
    | PlanCreated
    | PhaseStarted
    | PhaseCompleted
    | SubagentSpawned
    | SubagentResult
    | SubagentFailed
    | EntityCreated
    | ArtifactCreated
    | ManifestCreated
    | CitationsCreated
    | ApprovalNeeded
    | ApprovalResolved
)


class RunEvent(RootModel[Annotated[AnyEvent, Field(discriminator="type")]]):
    """Anything that a run can tell."""
