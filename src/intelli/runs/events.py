"""The event contract: one discriminated union on `type`. JSON Schema and TypeScript are generated from it.

To add an event is to add one class, here or in `node_events`, to the union at the end, and to emit it. Fields are only
ever added.
"""

from typing import Annotated, Literal
from uuid import UUID

from pydantic import Field, RootModel

from intelli.conversations.wire import Message
from intelli.kit.wire import Wire
from intelli.runs.event_parts import ClarificationUpdate, PendingSource, Plan, PlanSet, Reference, TaskStatus
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


class StreamStart(Wire):
    """The run was accepted."""

    type: Literal["stream_start"] = "stream_start"
    chat_id: UUID | None = Field(description="The conversation; null for a run without one.")
    creator_user_id: UUID = Field(description="Who asked.")
    user_chat_message_id: UUID | None = Field(description="The message that asked; null without a conversation.")
    workspace_id: UUID = Field(description="The workspace.")
    run_id: UUID = Field(description="The run that the stream tells of.")


class Heartbeat(Wire):
    """The stream is alive; not part of the log, so it has no id."""

    type: Literal["heartbeat"] = "heartbeat"


class Done(Wire):
    """The run has ended. Without async entities pending it is the last event of the stream."""

    type: Literal["done"] = "done"
    status: Literal["completed", "cancelled"] = Field("completed", description="How it ended.")
    has_async_entities_pending: bool = Field(False, description="Whether deliverables are still being built.")
    message: Message | None = Field(None, description="The answer as a reload would read it.")


class RunFailed(Wire):
    """The run has failed."""

    type: Literal["ERROR"] = "ERROR"
    error_type: str = Field(description="A code from the list of errors.")
    error_message: str = Field(description="What went wrong, for people.")


class MessageDelta(Wire):
    """The next piece of a message: its text is what stood before `offset`, then `delta`.

    After a crash an answer may be written anew; it then goes on from the last character that both have in common.
    """

    type: Literal["message_delta"] = "message_delta"
    delta: str = Field(description="The piece.")
    message_id: UUID = Field(description="The message that it belongs to.")
    offset: int = Field(description="Where in the text of the message the piece begins.")


class AiMessage(Wire):
    """A whole message of the agent."""

    type: Literal["ai_message"] = "ai_message"
    message: Message = Field(description="The message, with its citations.")


class MessageIsAnswer(Wire):
    """Whether what is being said is the answer, and not a question back."""

    type: Literal["message_is_answer"] = "message_is_answer"
    is_answer: bool = Field(description="False for a question back.")


class ChatTitleGenerated(Wire):
    """The conversation has a name."""

    type: Literal["chat_title_generated"] = "chat_title_generated"
    title: str = Field(description="The name.")


class TaskUpdate(Wire):
    """A task of the plan began or ended; `plan_set` is the whole plan as it stands."""

    type: Literal["task_update"] = "task_update"
    key: str = Field(description="The id of the task.")
    title: str = Field(description="What the task is to find out.")
    message: str = Field(description="What the task is at, in a few words.")
    status: TaskStatus = Field(description="Where the task stands.")
    plan_set: PlanSet = Field(description="All plans of the run as they stand.")
    metadata: Metadata | None = Field(None, description="More about the task.")
    timestamp: Milliseconds


class PendingSources(Wire):
    """Documents of which passages were found, while they are read, and when they have been."""

    type: Literal["pending_sources"] = "pending_sources"
    pending_sources: list[PendingSource] = Field(description="The sources.")


class ReferencesFound(Wire):
    """Things that the answer can cite."""

    type: Literal["references_found"] = "references_found"
    references: list[Reference] = Field(description="What was found, each under the identifier that citations name.")


class ClarificationNeeded(Wire):
    """The run asks back and waits."""

    type: Literal["clarification_needed"] = "clarification_needed"
    message: Message = Field(description="What the run asks.")


class ClarificationReceived(Wire):
    """The person has answered, and the run goes on."""

    type: Literal["clarification_received"] = "clarification_received"
    message: Message = Field(description="What the person answered.")


class UpdateMessageClarificationMessage(Wire):
    """What a message asks back has changed."""

    type: Literal["update_message_clarification_message"] = "update_message_clarification_message"
    update: ClarificationUpdate = Field(description="The message, and what it asks now.")


class UsageUpdate(Wire):
    """What the run has used up to now, and what it may use."""

    type: Literal["usage-update"] = "usage-update"
    input_tokens: int = Field(description="Tokens sent to models.")
    output_tokens: int = Field(description="Tokens that models wrote.")
    total_tokens: int = Field(description="Both together.")
    cost_cents: float | None = Field(None, description="What they cost, in US cents.")
    budget_cents: float | None = Field(None, description="What the run may cost, in US cents.")


class PlanCreated(Wire):
    """The question was divided into tasks."""

    type: Literal["plan_created"] = "plan_created"
    plan_set_id: UUID = Field(description="The run's plans, as a whole.")
    plan: Plan = Field(description="The plan, with its tasks by id.")


Phase = Literal["planning", "research", "synthesis", "writing"]


class PhaseStarted(Wire):
    """A stretch of the run begins."""

    type: Literal["phase_started"] = "phase_started"
    phase: Phase = Field(description="The phase.")
    timestamp: Milliseconds


class PhaseCompleted(Wire):
    """A stretch of the run has ended."""

    type: Literal["phase_completed"] = "phase_completed"
    phase: Phase = Field(description="The phase.")
    timestamp: Milliseconds


Activity = Literal["understanding", "reading", "comparing", "writing", "checking", "preparing"]


class ProgressUpdate(Wire):
    """A model was asked; until it has replied, or its first word comes, the run does this."""

    type: Literal["progress_update"] = "progress_update"
    activity: Activity = Field(description="What the run does.")
    message: str = Field(description="The same in words, such as “Reading 6 passages”.")
    estimate_s: float | None = Field(
        None, description="How many seconds it will take, as the model's earlier calls tell; null while none does."
    )
    timestamp: Milliseconds


class OutlinedChapter(Wire):
    """A chapter of an outline, before it is written."""

    heading: str = Field(description="Its heading.")
    message: str = Field(description="What it is to tell, in a sentence.")
    role: str = Field(description="chapter, or what is written last: summary, assessment, recommendation, …")
    form: str = Field(description="prose, list, table, chart, comparison or timeline.")


class OutlineCreated(Wire):
    """The outline of a deliverable was made; its chapters are written next."""

    type: Literal["outline_created"] = "outline_created"
    title: str = Field(description="The title of the deliverable.")
    chapters: list[OutlinedChapter] = Field(description="Its chapters, in the order in which they are read.")
    timestamp: Milliseconds


class _OfTask(Wire):
    """Which task a researcher works on."""

    subagent_id: str = Field(description="The researcher.")
    plan_id: UUID = Field(description="The plan that it belongs to.")
    plan_set_id: UUID = Field(description="The run's plans, as a whole.")
    task_id: UUID = Field(description="Its task.")
    timestamp: Milliseconds


class SubagentSpawned(_OfTask):
    """A researcher begins with a task."""

    type: Literal["subagent_spawned"] = "subagent_spawned"
    title: str = Field(description="What the task is to find out.")


class SubagentResult(_OfTask):
    """A researcher has ended its task."""

    type: Literal["subagent_result"] = "subagent_result"
    summary: str = Field(description="The first finding, or that there is none.")
    findings: int = Field(description="How many findings it made.")
    sources: int = Field(description="How many sources these rest on.")


class SubagentFailed(_OfTask):
    """A researcher could not do its task; the others go on."""

    type: Literal["subagent_failed"] = "subagent_failed"
    error_type: str = Field(description="A code from the list of errors.")
    error_message: str = Field(description="What went wrong, for people.")


class EntityCreated(Wire):
    """The run made something that stays."""

    type: Literal["entity_created"] = "entity_created"
    entity: Reference = Field(description="What was made.")


class ArtifactCreated(Wire):
    """The run stored content."""

    type: Literal["artifact_created"] = "artifact_created"
    sha256: str = Field(description="The hash of the content.")
    media_type: str = Field(description="Its media type.")
    size_bytes: int = Field(description="Its size in bytes.")
    entity_type: str | None = Field(None, description="The type of the entity that it belongs to.")
    file_name: str | None = Field(None, description="The name that it is offered under.")


class ManifestCreated(Wire):
    """The run stored a tree of content."""

    type: Literal["manifest_created"] = "manifest_created"
    sha256: str = Field(description="The hash of the tree.")
    entry_count: int = Field(description="How many files the tree has.")
    pointer: str | None = Field(None, description="The pointer that was moved to it.")


class CitationsCreated(Wire):
    """The citations of a message were kept and checked."""

    type: Literal["citations_created"] = "citations_created"
    message_id: UUID = Field(description="The message that cites.")
    total: int = Field(description="How many citations it has.")
    verified: int = Field(0, description="How many of them are verified.")
    weak: int = Field(0, description="How many are weak.")
    failed: int = Field(0, description="How many failed.")


class ApprovalNeeded(Wire):
    """A tool wants to change something and waits for a person."""

    type: Literal["approval_needed"] = "approval_needed"
    interaction_id: UUID = Field(description="What to approve or reject.")
    tool_name: str = Field(description="The tool that asks.")
    summary: str = Field(description="What it wants to do, in a sentence.")
    path: str | None = Field(None, description="The document that it would change.")
    base_version: int | None = Field(None, description="The version it was made for; null for a new document.")
    diff: str | None = Field(None, description="The change, as a unified diff.")
    conflicts: list[str] = Field([], description="Other changes of the same document that wait, in words.")
    timestamp: Milliseconds


class ApprovalResolved(Wire):
    """A person has decided, or the run has ended without a decision."""

    type: Literal["approval_resolved"] = "approval_resolved"
    interaction_id: UUID = Field(description="What was decided.")
    decision: Literal["approved", "rejected", "cancelled"] = Field(description="The decision.")
    reason: str | None = Field(None, description="Why, if the person said so.")
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
    | ClarificationNeeded
    | ClarificationReceived
    | UpdateMessageClarificationMessage
    | UsageUpdate
    | PlanCreated
    | OutlineCreated
    | PhaseStarted
    | PhaseCompleted
    | ProgressUpdate
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
