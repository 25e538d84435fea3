"""Wire models of citations: the JSON of requests and responses."""

from datetime import date, datetime
from enum import StrEnum
from typing import Annotated
from uuid import UUID

from pydantic import ConfigDict, Field, StringConstraints

from intelli.kit.wire import Request, Wire
from intelli.library.wire import FetchStrategy
from intelli.reasoning.verbs.judge import Verdict


class Check(StrEnum):
    """What the check of a citation came to."""

    VERIFIED = "verified"
    WEAK = "weak"
    FAILED = "failed"
    UNCHECKED = "unchecked"


class StatementKind(StrEnum):
    """What a statement is in its text. An absence: sources are silent. Own: the writer reckons."""

    SENTENCE = "sentence"
    CLAUSE = "clause"
    ITEM = "item"
    CELL = "cell"
    FIGURE = "figure"
    ABSENCE = "absence"
    OWN = "own"


class JudgedBy(StrEnum):
    """What decided on a statement: the source's own words, a model, an entailment model, rules, or nothing."""

    WORDS = "words"
    MODEL = "model"
    ENTAILMENT = "entailment"
    RULES = "rules"
    NOTHING = "nothing"


class Decision(StrEnum):
    """What a person made of a citation."""

    ACCEPTED = "accepted"
    DISPUTED = "disputed"


class FileStatus(StrEnum):
    """Whether the document that was cited is still there."""

    ACTIVE = "active"
    DELETED = "deleted"


class CitedFileStatus(StrEnum):
    """Whether a cited file is still there; a newer version may have made it stale."""

    ACTIVE = "active"
    STALE = "stale"
    DELETED = "deleted"


class Review(Wire):
    """A person's word on a citation."""

    decision: Decision
    note: str
    reviewer_id: UUID
    reviewed_at: datetime


class Citation(Wire):
    """One citation of a message, pinned to bytes and a span of them. `ordinal` counts the citations of the text from 0.

    `reason` says why it is not verified. `sha256` is of the document's own bytes, `text_sha256` of the text read from
    it. Whoever may not read the document sees no quote, and nothing that leads to it. What was recalled from memory
    names its episode and group, and no document; the record that was read is the content of the entity.
    """

    id: UUID
    message_id: UUID
    ordinal: int
    identifier: str
    entity_id: UUID | None
    document_id: UUID | None
    episode_id: UUID | None
    group_id: str | None
    file_name: str
    mime_type: str
    source_type: str
    sha256: str
    text_sha256: str | None
    char_start: int
    char_end: int
    page: int | None
    section: str | None
    quote: str
    sentence: str
    check: Check
    reason: str
    score: float
    review: Review | None
    is_stale: bool
    file_status: FileStatus


class CitedExcerpt(Wire):
    """A passage of a file that was cited, and the citations that rest on it."""

    citation_ids: list[UUID]
    quote: str
    char_start: int
    char_end: int
    page: int | None
    section: str | None


class CitedFile(Wire):
    """A file that a message cites, with the passages. A file that is gone has no id; its name and kind stay."""

    file_name: str
    file_id: UUID | None
    source_type: str
    mime_type: str
    relevance_score: float
    is_image: bool
    fetch_strategy: FetchStrategy
    external_url: str | None = Field(None, description="Its address, for a page of the web.")
    excerpts: list[CitedExcerpt]
    status: CitedFileStatus
    path: str | None
    has_thumbnail: bool


class FigureStatus(StrEnum):
    """Where a figure is from: read in a source, calculated from such, in no quote, or in a sentence without one."""

    READ = "read"
    CALCULATED = "calculated"
    MISSING = "missing"
    UNCITED = "uncited"


class FigureSource(Wire):
    """Where a figure, or a part of its calculation, was read: a span of the source's text."""

    citation_id: UUID
    document_id: UUID | None
    text_sha256: str | None
    written: str
    char_start: int
    char_end: int


class Figure(Wire):
    """A figure of a message, the sentence it stands in, and what it rests on, as far as the caller may read that."""

    written: str
    sentence: str
    sentence_start: int
    sentence_end: int
    status: FigureStatus
    calculation: str
    sources: list[FigureSource]


class Figures(Wire):
    """The number ledger of a message: every figure, in order."""

    message_id: UUID
    items: list[Figure]


class Calculation(Wire):
    """A figure that the sources do not have, and the calculation over cited figures that gives it."""

    figure: str
    formula: str
    operands: list[FigureSource]


class Statement(Wire):
    """A statement of a message with the verdict on it: all its citations together, or none where it cites nothing.

    `char_start` and `char_end` are its place in the message. `carried_by`: which of `citation_ids` carry a part.
    """

    number: int
    kind: StatementKind
    text: str
    char_start: int
    char_end: int
    verdict: Verdict
    check: Check
    reason: str
    judged_by: JudgedBy
    citation_ids: list[UUID]
    carried_by: list[UUID]
    calculations: list[Calculation]


class MessageStatements(Wire):
    """The statements of a message, in order."""

    message_id: UUID
    items: list[Statement]


class ConfidenceLevel(StrEnum):
    """Confidence in an answer, in a word."""

    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"


class Confidence(Wire):
    """How far an answer can be relied on, and what that rests on.

    `score` is the probability that the answer is right. `summary` says the rest in words, as every reader sees it.
    """

    level: ConfidenceLevel
    score: float
    supported: int
    statements: int
    unanswered_parts: int
    disagreements: int
    newest_source: date | None
    summary: str


class Query(Wire):
    """What was searched for, and how many passages that found."""

    query: str
    found: int


class DisagreementReading(Wire):
    """What one source gives, and the citations of it. Of a source that the caller may not read, `value` is empty."""

    value: str
    identifier: str
    citation_ids: list[UUID]


class Disagreement(Wire):
    """Something for which sources give different values."""

    about: str
    readings: list[DisagreementReading]


class Evidence(Wire):
    """What a message rests on: `found` is the sum of `cited`, `read_not_used` and `screened_out`."""

    message_id: UUID
    found: int
    cited: int
    read_not_used: int
    screened_out: int
    queries: list[Query]
    not_found: list[str]
    disagreements: list[Disagreement]


class ReviewCitation(Request):
    """What the caller makes of a citation; null takes it back."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"decision": "disputed", "note": "The table says otherwise."}]}
    )

    decision: Decision | None
    note: Annotated[str, StringConstraints(max_length=2000, pattern=r"^[^\x00]*$")] = ""


class MessageCitations(Wire):
    """What a message cites."""

    message_id: UUID
    items: list[Citation]
    cited_files: list[CitedFile]


class Reliance(Wire):
    """A message that relies on a document, and the version it relied on. It is stale when that says so no more."""

    message_id: UUID
    conversation_id: UUID | None
    run_id: UUID | None
    version: int | None
    is_stale: bool
    citations: list[Citation]


class DeliverableReliance(Reliance):
    """A deliverable that relies on a document; `message_id` is the deliverable's id."""

    entity_type: str
    title: str | None


class Impact(Wire):
    """What relies on a document, which is at `version` now: answers, and deliverables made of them."""

    document_id: UUID
    version: int
    messages: list[Reliance]
    deliverables: list[DeliverableReliance]
    truncated: bool
