"""Wire models of checks: the JSON of requests and responses."""

from datetime import datetime
from decimal import Decimal
from enum import StrEnum
from typing import Annotated, Literal
from uuid import UUID

from pydantic import ConfigDict, Field, StringConstraints

from intelli.citations.wire import Calculation, Check, JudgedBy, StatementKind
from intelli.kit.wire import Name, Request, Wire
from intelli.reasoning.verbs.judge import Verdict


class TextCheckStatus(StrEnum):
    """Where a check stands."""

    PENDING = "pending"
    PROCESSING = "processing"
    COMPLETED = "completed"
    FAILED = "failed"
    CANCELLED = "cancelled"


ENDED = frozenset({TextCheckStatus.COMPLETED, TextCheckStatus.FAILED, TextCheckStatus.CANCELLED})


class TextSource(StrEnum):
    """Where a checked text is from: sent as text, sent as a file, a document of the library, or a deliverable."""

    TEXT = "text"
    FILE = "file"
    DOCUMENT = "document"
    DELIVERABLE = "deliverable"


class Stance(StrEnum):
    """What a passage says of a statement: it carries it, it contradicts it, or it is cited for it and does neither."""

    FOR = "for"
    AGAINST = "against"
    CITED = "cited"


class CheckForm(StrEnum):
    """How a check is written to a file."""

    DOCX = "docx"
    HTML = "html"
    JSON = "json"


class CheckContext(Request):
    """Where to look for passages: below a folder, in these documents, or in both; everywhere when nothing is named."""

    folder_id: UUID | None = None
    document_ids: Annotated[list[UUID], Field(min_length=1, max_length=1000)] | None = None


class NewTextCheck(Request):
    """What to check: a text, a document of the library, or a deliverable. One of them."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"text": "Revenue came to 412.7 million euros in 2025.", "title": "Memo"}]}
    )

    text: Annotated[str, StringConstraints(min_length=1, pattern=r"^[^\x00]*$")] | None = None
    document_id: UUID | None = None
    deliverable_id: UUID | None = None
    context: CheckContext | None = None
    title: Name | None = None


class FoundCitation(Wire):
    """A passage that a statement was held against. A document that is gone has no id; its name stays."""

    id: UUID
    stance: Stance
    document_id: UUID | None
    file_name: str
    mime_type: str
    page: int | None
    section: str | None
    char_start: int
    char_end: int
    quote: str
    text_sha256: str | None


class TextStatement(Wire):
    """A statement of a checked text with its verdict and the passages for and against it."""

    number: int
    text: str
    char_start: int
    char_end: int
    kind: StatementKind
    verdict: Verdict
    check: Check
    reason: str
    judged_by: JudgedBy
    calculations: list[Calculation]
    citations: list[FoundCitation]


class VerdictCounts(Wire):
    """How many statements of a check have each verdict."""

    supported: int = 0
    partly: int = 0
    not_supported: int = 0
    contradicted: int = 0
    unchecked: int = 0


class CheckFailure(Wire):
    """Why a check failed."""

    code: str
    message: str


class TextCheckSummary(Wire):
    """A check and how far it is. `total` is the number of its statements, null until the text is read."""

    id: UUID
    title: str
    status: TextCheckStatus
    progress: float
    message: str
    source: TextSource
    document_id: UUID | None
    deliverable_id: UUID | None
    total: int | None
    counts: VerdictCounts
    error: CheckFailure | None
    created_at: datetime
    finished_at: datetime | None


class TextCheck(TextCheckSummary):
    """A check with its text and the statements that are done. `char_start` and `char_end` are places in `text`."""

    text: str
    context: CheckContext
    model: str
    input_tokens: int
    output_tokens: int
    cost_cents: Decimal
    statements: list[TextStatement]


class CheckStatusEvent(Wire):
    """Event: the check is at work, or it has ended, which is the last event."""

    type: Literal["status", "done"]
    status: TextCheckStatus
    total: int | None
    error: CheckFailure | None


class CheckProgressEvent(Wire):
    """Event: how many statements are done."""

    type: Literal["progress"] = "progress"
    done: int
    total: int
    progress: float


class CheckStatementEvent(Wire):
    """Event: a statement is done."""

    type: Literal["statement"] = "statement"
    statement: TextStatement
