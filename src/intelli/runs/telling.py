"""What events are made of: messages, references, plans and sources as the stream shows them."""

from datetime import datetime
from enum import StrEnum
from uuid import UUID

from pydantic import JsonValue

from intelli.entities.kinds import EntityType
from intelli.kit.wire import Wire


class TaskStatus(StrEnum):
    """Where a plan or a task of it stands."""

    LOADING = "loading"
    SUCCESS = "success"
    ERROR = "error"


class TaskSource(Wire):
    """A document or page that a task has read."""

    identifier: str
    title: str
    url: str | None = None
    page: int | None = None


class PendingSource(Wire):
    """A source that is being looked at."""

    identifier: str
    title: str
    status: str = "pending"


class PlanTask(Wire):
    """One thing to find out. Times are milliseconds since 1970."""

    id: UUID
    plan_id: UUID
    title: str
    message: str
    status: TaskStatus
    previous_task_id: UUID | None = None
    start_time: int | None = None
    end_time: int | None = None
    duration_ms: int | None = None
    notes: str | None = None
    sources: list[TaskSource] = []
    entities: list[str] = []


class Plan(Wire):
    """The tasks that a question falls into, by id."""

    id: UUID
    plan_set_id: UUID
    title: str | None = None
    summary: str | None = None
    status: TaskStatus
    plan_tasks: dict[str, PlanTask] = {}
    previous_plan_id: UUID | None = None
    used_sources: list[str] = []


class PlanSet(Wire):
    """All plans of a run, by id."""

    chat_id: UUID | None
    creator_user_id: UUID
    user_chat_message_id: UUID | None
    workspace_id: UUID
    plans: dict[str, Plan] = {}


class Reference(Wire):
    """Something that an answer can cite; `identifier` is what the citation names."""

    entity_type: EntityType
    identifier: str
    title: str | None = None
    file_name: str
    mimetype: str
    workspace_id: UUID
    stored_entity_id: UUID | None = None
    content_artifact_id: str | None = None
    external_url: str | None = None
    api_subtype: str | None = None
    user_query: str | None = None
    all_seen_entities: list[str] = []
    cited_entities: list[str] = []
    created_at: datetime | None = None
    metadata: dict[str, JsonValue] = {}


class ClarificationUpdate(Wire):
    """What a message asks back; null once it was answered."""

    chat_message_id: UUID
    needs_clarification_message: str | None
