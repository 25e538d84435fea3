"""Wire models for adding messages and declaring groups."""

from datetime import UTC, datetime
from enum import StrEnum
from typing import Annotated
from uuid import UUID

from pydantic import AfterValidator, BeforeValidator, ConfigDict, Field, StringConstraints

from intelli.kit import clock
from intelli.kit.wire import Request, Wire
from intelli.memory.schema import NodeType, RelationType, Schema, TypeName

MAX_CONTENT = 200_000
Line = Annotated[str, StringConstraints(max_length=500)]


def _aware(moment: datetime) -> datetime:
    try:
        return moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC)
    except OverflowError:
        raise ValueError("it must lie between the years 1 and 9999") from None


def _now_if_none(moment: object) -> object:
    return clock.now() if moment is None else moment


Moment = Annotated[datetime, AfterValidator(_aware)]
Timestamp = Annotated[datetime, BeforeValidator(_now_if_none), AfterValidator(_aware)]


class RoleType(StrEnum):
    """Who speaks, in general."""

    USER = "user"
    ASSISTANT = "assistant"
    SYSTEM = "system"


class NewMessage(Request):
    """Something that was said. `uuid` names an episode that is there already; without a timestamp it is said now."""

    content: Annotated[str, StringConstraints(max_length=MAX_CONTENT)]
    uuid: UUID | None = None
    name: Line = ""
    role_type: RoleType
    role: Line | None = None
    timestamp: Timestamp = Field(default_factory=clock.now)
    source_description: Line = ""

    @property
    def body(self) -> str:
        """The content of its episode."""
        return f"{_speaker_prefix(self.role or '', self.role_type)}{self.content}"


def message_offset(body: str, *, role: str, role_type: str) -> int:
    """Return where the message begins in an episode's content, after the prefix `role(role_type): `."""
    prefix = _speaker_prefix(role, role_type)
    return len(prefix) if body.startswith(prefix) else 0


def _speaker_prefix(role: str, role_type: str) -> str:
    return f"{role}({role_type}): "


class Handling(Request):
    """How messages are to be remembered. Types given here take the place of the group's own."""

    previous_episode_ids: list[UUID] | None = Field(None, max_length=50)
    node_types: list[NodeType] | None = Field(None, max_length=100)
    relation_types: list[RelationType] | None = Field(None, max_length=200)
    excluded_types: list[TypeName] | None = Field(None, max_length=100)
    update_communities: bool = False
    keep_content: bool | None = None

    def override(self, schema: Schema) -> Schema:
        """Return the schema with the types declared here in place of its own."""
        given = {name: getattr(self, name) for name in ("node_types", "relation_types", "excluded_types")}
        return schema.model_copy(update={name: value for name, value in given.items() if value is not None})


class AddMessages(Handling):
    """Messages to remember, in the order they were said."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "group_id": "team",
                    "messages": [{"content": "Ada works for Acme since May 2024.", "role_type": "user", "role": "Bo"}],
                }
            ]
        }
    )

    group_id: Annotated[str, StringConstraints(max_length=1000)]
    messages: list[NewMessage] = Field(max_length=1000)

    @property
    def handling(self) -> Handling:
        """How they are to be remembered."""
        return Handling(**{name: getattr(self, name) for name in Handling.model_fields})


class MessagesAdded(Wire):
    """The messages wait to be remembered."""

    message: str = "Messages added to processing queue"
    success: bool = True


class DeadLetter(Wire):
    """A message that was not remembered, and why. It is kept until it is tried again or forgotten."""

    id: UUID
    code: str
    reason: str
    arrived_at: datetime
    failed_at: datetime


class ListedGroup(Wire):
    """A graph of memory, and how many messages wait for it or failed."""

    group_id: str
    episodes: int
    queued: int
    failed: int
    updated_at: datetime | None


class MemoryGroup(ListedGroup):
    """A graph of memory with its declared types and the messages that failed, oldest first."""

    type_schema: Schema
    keep_content: bool
    dead_letters: list[DeadLetter]


class DeclareGroup(Schema):
    """What a group's graph may hold. `keep_content` says whether raw content is kept from now on; null leaves that."""

    keep_content: bool | None = None


class Retried(Wire):
    """How many messages wait again."""

    queued: int
