"""Wire models of deliverables."""

from datetime import datetime
from enum import StrEnum
from uuid import UUID

from pydantic import ConfigDict, Field

from intelli.citations.wire import Check, Citation
from intelli.deliverable_kinds import KINDS
from intelli.deliverables.brief import ListedSource
from intelli.deliverables.forms import FORMS, Edition
from intelli.kit.wire import Request, Wire


class Kind(StrEnum):
    """What a deliverable is."""

    vars().update({kind.name: kind.name for kind in KINDS})


class Status(StrEnum):
    """Where a deliverable or an export stands."""

    PENDING = "pending"
    IN_PROGRESS = "in_progress"
    COMPLETED = "completed"
    FAILED = "failed"
    CANCELLED = "cancelled"


ENDED = frozenset({Status.COMPLETED, Status.FAILED, Status.CANCELLED})


class BuildFailure(Wire):
    """Why it failed."""

    code: str
    message: str


class File(Wire):
    """A file of a deliverable."""

    name: str
    media_type: str
    size_bytes: int
    sha256: str


class Deliverable(Wire):
    """A deliverable and how far it is. `version` counts those of its kind in its conversation; 0 while it is made."""

    id: UUID
    conversation_id: UUID | None
    message_id: UUID | None
    run_id: UUID | None
    kind: Kind
    title: str
    status: Status
    phase: str
    progress: float
    sections_done: int
    sections_total: int
    words: int
    started_at: datetime | None
    finished_at: datetime | None
    error: BuildFailure | None
    version: int
    entity_id: UUID | None
    manifest_hash: str | None
    files: list[File]
    based_on: UUID | None = Field(description="The version that it was made of, if it was.")
    change: str = Field(description="What was done to that version: edited, renamed, or taken_back:N.")
    deleted_at: datetime | None = Field(description="Since when it is in the trash.")
    created_at: datetime


class Content(Wire):
    """What a deliverable says: its GML, the citations of it in order, and the sources they are of."""

    deliverable_id: UUID
    title: str
    gml: str
    citations: list[Citation]
    sources: list[ListedSource]


class Export(Wire):
    """A deliverable in another form."""

    id: UUID
    deliverable_id: UUID
    format: str
    edition: Edition
    status: Status
    progress: float
    error: str | None
    file: File | None


class BlockChange(StrEnum):
    """What became of a block."""

    SAME = "same"
    ADDED = "added"
    REMOVED = "removed"
    CHANGED = "changed"


class ComparedBlock(Wire):
    """A block of one version or of both, as plain words."""

    change: BlockChange
    before: str | None
    after: str | None


class Comparison(Wire):
    """How one deliverable differs from another, block by block."""

    deliverable_id: UUID
    other_id: UUID
    blocks: list[ComparedBlock]
    added: int
    removed: int
    changed: int


class Preview(Wire):
    """Where a site can be looked at for a while, in a frame without rights."""

    url: str
    expires_at: datetime


class NewExport(Request):
    """The form that is wanted."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"format": "pdf"}]})

    # A string, so that another is refused with the list of those that there are.
    format: str = Field(max_length=40, json_schema_extra={"enum": list(FORMS)})
    edition: Edition = Field(Edition.CLEAN, description="For readers, or as proof: with verdicts, identifiers, hashes.")


class NewVersion(Request):
    """What a new version is to say or be called. Without either it says what the version in the path says."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"title": "Revenue of Northlake, 2021\u20132024"}]})

    title: str | None = Field(None, min_length=1, max_length=300, pattern=r"\S")
    gml: str | None = Field(None, min_length=1, max_length=2_000_000, description="The whole text, as GML.")


class EditedText(Request):
    """A piece of text that is being edited."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"gml": "<p>Revenue came to 412.7 million euros.</p>"}]})

    gml: str = Field(max_length=100_000, description="Blocks as GML, with their citations.")


class CheckedSentence(Wire):
    """A sentence that cites something, and what its check comes to."""

    text: str
    check: Check
    reason: str
    identifiers: list[str]


class NewDeliverable(Request):
    """The kind that is wanted."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"kind": "REPORT"}]})

    kind: Kind
