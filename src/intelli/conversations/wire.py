"""Request and response models of conversations."""

from datetime import datetime
from decimal import Decimal
from enum import StrEnum
from typing import Annotated
from uuid import UUID

from pydantic import ConfigDict, Field, PlainSerializer, StringConstraints, model_validator

from intelli.citations.wire import Citation, CitedFile, Confidence
from intelli.deliverable_kinds import DeliverableType
from intelli.entities.wire import Entity
from intelli.kit import clock
from intelli.kit.wire import Name, Request, Wire

Content = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=20_000)]
Remark = Annotated[str, StringConstraints(strip_whitespace=True, max_length=4000)]
Path = Annotated[str, StringConstraints(min_length=1, max_length=4096)]
Label = Annotated[str, StringConstraints(max_length=300)]
Version = Annotated[int, Field(ge=1, lt=1 << 62)]
Cents = Annotated[
    Decimal, PlainSerializer(float, return_type=float), Field(description="US cents.", json_schema_extra={})
]


BudgetCents = Annotated[Decimal, Field(ge=0, le=1_000_000)]


class Speaker(StrEnum):
    """Who speaks in a conversation."""

    USER = "user"
    AGENT = "agent"


class Beginning(StrEnum):
    """What a conversation was begun from."""

    NEW_CHAT = "new_chat"
    FILE = "file"
    FOLDER = "folder"


class ReferenceType(StrEnum):
    """What kind of thing was put in focus."""

    FILE = "file"
    FOLDER = "folder"
    ALL_FILESYSTEM = "all_filesystem"


class Rating(StrEnum):
    """Whether a message was of use."""

    THUMBS_UP = "thumbs_up"
    THUMBS_DOWN = "thumbs_down"


class WrittenAs(StrEnum):
    """How a conversation is written down."""

    MARKDOWN = "markdown"
    HTML = "html"
    JSON = "json"


class ContextReference(Request):
    """Something that was put in focus: a document, a folder with all that is below it, or everything."""

    model_config = ConfigDict(from_attributes=True, json_schema_serialization_defaults_required=True)

    reference_type: ReferenceType
    document_id: UUID | None = None
    folder_path: Path | None = None
    display_label: Label = ""

    @model_validator(mode="after")
    def _names_its_thing(self) -> "ContextReference":
        if self.reference_type is ReferenceType.FILE and self.document_id is None:
            raise ValueError("a file is named by its document_id")
        if self.reference_type is ReferenceType.FOLDER and self.folder_path is None:
            raise ValueError("a folder is named by its folder_path")
        return self


class NewConversation(Request):
    """A conversation to begin; its title comes with the first answer unless given.

    One that is begun from a file or a folder is about that: its questions are asked there unless they name a place.
    """

    model_config = ConfigDict(json_schema_extra={"examples": [{"title": "Copper prices"}]})

    title: Name | None = None
    initialization_context: Beginning = Beginning.NEW_CHAT
    initialization_path: Path | None = Field(None, description="The path of the file or folder.")
    initialization_document_id: UUID | None = Field(None, description="The file, in place of its path.")
    uses_memory: bool = Field(True, description="False neither remembers what is said nor searches memory.")

    @model_validator(mode="after")
    def _names_its_beginning(self) -> "NewConversation":
        is_named = self.initialization_path is not None or self.initialization_document_id is not None
        if self.initialization_context is Beginning.FILE and not is_named:
            raise ValueError("a file is named by its path or its id")
        if self.initialization_context is Beginning.FOLDER and self.initialization_path is None:
            raise ValueError("a folder is named by its path")
        if self.initialization_context is Beginning.NEW_CHAT and is_named:
            raise ValueError("say in initialization_context whether it is begun from a file or a folder")
        return self


class ChangeConversation(Request):
    """What to change of a conversation. What is left out stays."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"title": "Copper and tin", "is_pinned": True}]})

    title: Name | None = None
    is_pinned: bool | None = None
    is_archived: bool | None = None
    is_shared: bool | None = None
    uses_memory: bool | None = None
    expected_version: Version | None = None


class SayMessage(Request):
    """A question. It follows the newest message unless `parent_message_id` names another; null begins anew."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"content": "What did revenue come to in 2025?"}]})

    content: Content
    deliverable_type: DeliverableType = DeliverableType.STANDARD
    context_references: list[ContextReference] = Field(
        [], max_length=100, description="Left out, what the conversation is about; an empty list is everything."
    )
    parent_message_id: UUID | None = None
    memory: bool = Field(True, description="False leaves memory aside for this question.")
    budget_cents: BudgetCents | None = Field(None, description="What the answer may cost; the workspace's most if not.")


class GiveFeedback(Request):
    """What the caller thinks of a message."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"rating": "thumbs_up", "text": "Just what I needed."}]})

    rating: Rating
    text: Remark | None = None


class Feedback(Wire):
    """What the caller thought of a message."""

    rating: Rating
    text: str | None


class Conversation(Wire):
    """A thread of questions and answers, of the person who began it. Others read it once it is shared."""

    id: UUID
    user_id: UUID
    user_name: str | None = Field(None, description="Null when the person has left the workspace.")
    title: str | None
    initialization_context: Beginning
    initialization_path: str | None
    initialization_document_id: UUID | None = None
    uses_memory: bool = True
    session_duration_seconds: int = Field(0, description="From its beginning to what happened last.")
    is_pinned: bool
    is_archived: bool
    is_shared: bool
    last_message_preview: str
    last_activity_at: datetime
    message_count: int
    total_tokens_used: int
    request_count: int
    has_async_entities_in_progress: bool = False
    created_at: datetime
    updated_at: datetime
    version: int


class ListedConversation(Conversation):
    """A conversation in a list. `excerpt` is where the words that were searched for stand; empty without a search."""

    excerpt: str = ""


class Message(Wire):
    """One turn of a conversation. An answer's content is Markdown with citations.

    `run_id` is the newest run of a question, or the run that wrote an answer.
    """

    id: UUID
    conversation_id: UUID | None = Field(None, description="Null only while a run without a conversation tells it.")
    parent_message_id: UUID | None = None
    role: Speaker
    content: str
    run_id: UUID | None = None
    run_status: str | None = None
    reasoner: str | None = Field(
        None,
        description="Name of the model that thought, “extractive” without one; told to who asked.",
        examples=["extractive"],
    )
    confidence_score: float | None = None
    confidence: Confidence | None = Field(None, description="What the score rests on; null before it is known.")
    input_tokens: int = 0
    output_tokens: int = 0
    cost_cents: Cents = Decimal(0)
    deliverable_type: DeliverableType | None = None
    needs_clarification_message: str | None = None
    context_references: list[ContextReference] = []
    follow_ups: list[str] = []
    problems: list[str] = []
    citations: list[Citation] = []
    cited_files: list[CitedFile] = []
    referenced_files: list[UUID] = Field([], description="The documents that it cites or has in focus.")
    entities: list[Entity] = Field([], description="What was fetched or made for it; what was found, its run tells.")
    feedback: Feedback | None = None
    has_async_entities_in_progress: bool = False
    created_at: datetime = Field(default_factory=clock.now)


class ExportedConversation(Wire):
    """A conversation with all that was said in it."""

    conversation: Conversation
    messages: list[Message]
