"""Wire models for searching, reading, correcting and forgetting: facts with proof, nodes, episodes, graph, timeline."""

from datetime import datetime
from enum import StrEnum
from typing import Annotated
from uuid import UUID

from pydantic import AwareDatetime, ConfigDict, Field, JsonValue, StringConstraints, model_validator

from intelli.kit.wire import Request, Wire
from intelli.retrieval.wire import Query

GroupRef = Annotated[str, StringConstraints(min_length=1, max_length=200)]
Statement = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=2000)]
Reason = Annotated[str, StringConstraints(strip_whitespace=True, max_length=2000)]


class EndReason(StrEnum):
    """Why a fact ended."""

    SUPERSEDED = "superseded"
    CONTRADICTED = "contradicted"
    ENDED = "ended"
    CORRECTED = "corrected"


class Named(Wire):
    """A node by its name."""

    id: UUID
    name: str


class Proof(Wire):
    """An episode that says a fact: when, and which of its characters; null where its content is not kept."""

    id: UUID
    valid_at: datetime
    quote: str | None
    quote_start: int | None
    quote_end: int | None
    says: str


class EndedBy(Wire):
    """What ended a fact: the fact that took its place, the episode that said so, or both."""

    fact_id: UUID | None
    episode_id: UUID | None


class Fact(Wire):
    """What holds of a node from `valid_at` (null: nobody said since when) until `invalid_at` (null: it still does).

    `known_at` is when we learned it, `expired_at` when we learned its end. `episodes` say it, oldest first.
    """

    id: UUID
    group_id: str
    subject: Named
    relation: str
    object: Named | None
    object_text: str | None
    statement: str
    valid_at: datetime | None
    invalid_at: datetime | None
    known_at: datetime
    expired_at: datetime | None
    end_reason: EndReason | None
    ended_by: EndedBy | None
    confidence: float
    episodes: list[UUID]


class FoundFact(Fact):
    """A fact that bears on a query, with the episodes that prove it. Relevance means the same from query to query."""

    relevance: float
    proof: list[Proof]


class Node(Wire):
    """A thing that episodes name."""

    id: UUID
    group_id: str
    name: str
    labels: list[str]
    summary: str
    created_at: datetime


class FoundNode(Node):
    """A node that bears on a query."""

    relevance: float


class Episode(Wire):
    """Something that was said. `content` is null where raw content is not kept."""

    id: UUID
    group_id: str
    name: str
    source: str
    source_description: str
    role_type: str
    role: str
    content: str | None
    valid_at: datetime
    created_at: datetime


class FoundEpisode(Episode):
    """An episode that bears on a query. `updated_by` is a later one, also found, that gives another value instead."""

    relevance: float
    updated_by: UUID | None


class ToldEpisode(Episode):
    """An episode with the facts that rest on it: those it says, and those it says to have ended."""

    facts: list[Fact]


class SearchMemory(Request):
    """What to remember, in which groups, and as of when.

    `as_of` asks what held then, `known_at` what we knew then; without them, what holds by what we know now.
    """

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"group_ids": ["team"], "query": "Where does Ada work?", "limit": 10}]}
    )

    group_ids: Annotated[list[GroupRef], Field(min_length=1, max_length=100)]
    query: Query
    as_of: AwareDatetime | None = None
    known_at: AwareDatetime | None = None
    include_ended: bool = Field(False, description="Facts that ended too, and such as have not begun.")
    limit: int = Field(10, ge=1, le=100, description="Most facts, nodes and episodes to answer with, each.")


class Recollections(Wire):
    """What memory has on a query, the most relevant first. `semantic` is false when only words could be compared."""

    facts: list[FoundFact]
    nodes: list[FoundNode]
    episodes: list[FoundEpisode]
    semantic: bool
    elapsed_ms: float


class Alias(Wire):
    """Another name of a node: a node that was merged into it, and why. `id` is what `split` takes."""

    id: UUID
    name: str
    reason: str
    episode_id: UUID | None


class NodeHistory(Node):
    """A node with all that is known of it: facts that hold and such as ended, and the newest episodes that name it."""

    attributes: dict[str, JsonValue]
    aliases: list[Alias]
    facts: list[Fact]
    episodes: list[Episode]


class Provenance(Fact):
    """A fact with the episodes that say it or its end, and the facts of the same slot, in the order of time."""

    proof: list[Proof]
    history: list[Fact]


class GraphNode(Wire):
    """A node of the picture. `degree` counts the facts shown at it."""

    id: UUID
    name: str
    labels: list[str]
    degree: int
    community: UUID | None


class GraphEdge(Wire):
    """A fact between two nodes of the picture."""

    id: UUID
    source: UUID
    target: UUID
    relation: str
    statement: str
    valid_at: datetime | None
    invalid_at: datetime | None


class Graph(Wire):
    """The picture of a group: the nodes with most facts, and the facts between them. `truncated` when there is more."""

    nodes: list[GraphNode]
    edges: list[GraphEdge]
    truncated: bool


class MomentKind(StrEnum):
    """What happened at a moment of the timeline."""

    BEGINS = "begins"
    ENDS = "ends"


class TimelineMoment(Wire):
    """A fact begins or ends."""

    at: datetime
    kind: MomentKind
    fact: Fact


class TimelineBucket(Wire):
    """How many facts begin or end in a part of a group's time, from its first such moment on."""

    at: datetime
    count: int


class TimelineExtent(Wire):
    """From when to when something is known of a group, in up to sixty equal parts; empty ones are left out."""

    first: datetime | None
    last: datetime | None
    buckets: list[TimelineBucket]


class MergeNodes(Request):
    """Two nodes are the same: `merge` becomes another name of `keep`."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {"keep": "0190a1c2-0000-7000-8000-000000000001", "merge": "0190a1c2-0000-7000-8000-000000000002"}
            ]
        }
    )

    keep: UUID
    merge: UUID
    reason: Reason = ""


class SplitNode(Request):
    """A name that is not this node's: the id of one of its aliases."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"alias": "0190a1c2-0000-7000-8000-000000000002"}]})

    alias: UUID
    reason: Reason = ""


class CorrectFact(Request):
    """How a fact should read. What is left out stays; a null `invalid_at` says that it still holds."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"valid_at": "2024-05-01T00:00:00Z", "reason": "Contract"}]}
    )

    statement: Statement | None = None
    valid_at: AwareDatetime | None = None
    invalid_at: AwareDatetime | None = None
    reason: Reason = ""

    @model_validator(mode="after")
    def _says_something(self) -> "CorrectFact":
        if not self.model_fields_set & {"statement", "valid_at", "invalid_at"}:
            raise ValueError("say what to correct: statement, valid_at or invalid_at")
        if "statement" in self.model_fields_set and self.statement is None:
            raise ValueError("a fact needs a statement")
        if self.valid_at and self.invalid_at and self.invalid_at <= self.valid_at:
            raise ValueError("a fact ends after it begins")
        return self


class InvalidateFact(Request):
    """A fact does not hold from a moment on; without one, from now on."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"at": "2024-06-01T00:00:00Z", "reason": "She left."}]})

    at: AwareDatetime | None = None
    reason: Reason = ""


class Forgotten(Wire):
    """What is gone for good. `copies` counts records that runs keep because their answers cite them."""

    episodes: int
    facts: int
    nodes: int
    reopened: int
    copies: int


class CommunitiesAwaited(Wire):
    """The communities are being found."""

    message: str = "Communities will be brought up to date"
    success: bool = True


class Community(Wire):
    """Nodes that are more with each other than with others."""

    id: UUID
    group_id: str
    name: str
    summary: str
    members: list[Named]
    updated_at: datetime
