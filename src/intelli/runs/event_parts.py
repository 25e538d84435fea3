"""Parts of events: messages, references, plans and sources as the stream shows them."""

from datetime import datetime
from enum import StrEnum
from typing import Literal
from uuid import UUID

from pydantic import Field, JsonValue

from intelli.entities.entity_types import EntityType
from intelli.kit.wire import Wire


class TaskStatus(StrEnum):
    """Where a plan or a task of it stands."""

    LOADING = "loading"
    SUCCESS = "success"
    ERROR = "error"


class TaskSource(Wire):
    """A document or page that a task has read."""

    identifier: str = Field(description="What a citation of it names.")
    title: str = Field(description="Its title.")
    url: str | None = Field(None, description="Its address, for a page of the web.")
    page: int | None = Field(None, description="The page that was read.")


class PendingSource(Wire):
    """A source that is being looked at."""

    identifier: str = Field(description="What a citation of it would name.")
    title: str = Field(description="Its title.")
    status: Literal["reading", "read"] = Field(description="`reading` or `read`.")


class PlanTask(Wire):
    """One thing to find out. Times are milliseconds since 1970."""

    id: UUID = Field(description="The task.")
    plan_id: UUID = Field(description="The plan that it belongs to.")
    title: str = Field(description="What it is to find out.")
    message: str = Field(description="What it is at, in a few words.")
    status: TaskStatus = Field(description="Where it stands.")
    previous_task_id: UUID | None = Field(None, description="The task that comes before it.")
    start_time: int | None = Field(None, description="When it began.")
    end_time: int | None = Field(None, description="When it ended.")
    duration_ms: int | None = Field(None, description="How long it took, in milliseconds.")
    notes: str | None = Field(None, description="What it found, as a list.")
    sources: list[TaskSource] = Field([], description="What its findings rest on.")
    entities: list[str] = Field([], description="The identifiers of these sources.")


class Plan(Wire):
    """The tasks that a question falls into, by id."""

    id: UUID = Field(description="The plan.")
    plan_set_id: UUID = Field(description="The run's plans, as a whole.")
    title: str | None = Field(None, description="Its name.")
    summary: str | None = Field(None, description="What it is about.")
    status: TaskStatus = Field(description="Where it stands.")
    plan_tasks: dict[str, PlanTask] = Field({}, description="Its tasks, by id.")
    previous_plan_id: UUID | None = Field(None, description="The plan that it follows.")
    used_sources: list[str] = Field([], description="The identifiers of the sources that it used.")


class PlanSet(Wire):
    """All plans of a run, by id."""

    chat_id: UUID | None = Field(description="The conversation; null for a run without one.")
    creator_user_id: UUID = Field(description="Who asked.")
    user_chat_message_id: UUID | None = Field(description="The message that asked; null without a conversation.")
    workspace_id: UUID = Field(description="The workspace.")
    plans: dict[str, Plan] = Field({}, description="The plans, by id.")


class Reference(Wire):
    """Something that an answer can cite; `identifier` is what the citation names."""

    entity_type: EntityType = Field(description="What kind of thing it is.")
    identifier: str = Field(description="What a citation of it names.")
    title: str | None = Field(None, description="Its title.")
    file_name: str = Field(description="The name of its file.")
    mimetype: str = Field(description="Its media type.")
    workspace_id: UUID = Field(description="The workspace.")
    stored_entity_id: UUID | None = Field(None, description="The entity that keeps it.")
    content_artifact_id: str | None = Field(None, description="The artifact that holds its content.")
    external_url: str | None = Field(None, description="Its address elsewhere.")
    api_subtype: str | None = Field(None, description="Which program it came from.")
    user_query: str | None = Field(None, description="The question that it answers.")
    all_seen_entities: list[str] = Field([], description="The identifiers of all that was seen for it.")
    cited_entities: list[str] = Field([], description="The identifiers of all that it cites.")
    created_at: datetime | None = Field(None, description="When it was made.")
    metadata: dict[str, JsonValue] = Field({}, description="Where it stands in its source, and how well it fits.")


class ClarificationUpdate(Wire):
    """What a message asks back; null once it was answered."""

    chat_message_id: UUID = Field(description="The message.")
    needs_clarification_message: str | None = Field(description="The question; null once it was answered.")
