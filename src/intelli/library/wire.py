"""Wire models of the library: requests and answers."""

from datetime import datetime
from enum import StrEnum
from typing import Annotated
from uuid import UUID

from pydantic import AfterValidator, ConfigDict, Field, JsonValue, StringConstraints

from intelli.content.wire import Sha256
from intelli.kit.wire import Problem, Request, Wire
from intelli.library import names
from intelli.library.extraction.model import PieceKind
from intelli.library.fact_wire import CorrectFacts, DocumentFactsView

FileName = Annotated[str, StringConstraints(min_length=1, max_length=names.NAME_BYTES), AfterValidator(names.normalise)]
Version = Annotated[int, Field(ge=1, lt=1 << 62)]
SourceType = Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]*$", max_length=100)]
_ID = "0198c0de-0000-7000-8000-000000000001"


class IndexingStatus(StrEnum):
    """How far a document is on its way to being findable."""

    PENDING = "pending"
    IN_PROGRESS = "in_progress"
    COMPLETED = "completed"
    FAILED = "failed"


class FetchStrategy(StrEnum):
    """Where the bytes of a document are fetched from."""

    INTERNAL_API = "internal_api"
    OAUTH_PROXY = "oauth_proxy"
    EXTERNAL = "external"


class EditBy(StrEnum):
    """Who made a version."""

    USER = "user"
    AGENT = "agent"


class EvidenceOutcome(StrEnum):
    """What becomes of cited words and their sources when a document is deleted; none where nothing cites it."""

    NONE = "none"
    KEPT = "kept"
    REMOVED = "removed"


class DeletedDocuments(Wire):
    """What was deleted, how many answers and deliverables cite it, and what becomes of what they cite."""

    documents: int
    cited_by: int
    evidence: EvidenceOutcome


class ChangeKind(StrEnum):
    """What a version changed."""

    CREATED = "created"
    CONTENT = "content"
    RENAMED = "renamed"
    MOVED = "moved"
    RESTORED = "restored"


class OnConflict(StrEnum):
    """What an upload does when its name is taken: a new version, another name, or nothing."""

    VERSION = "version"
    RENAME = "rename"
    REFUSE = "refuse"


class SortBy(StrEnum):
    """The order of a list of documents."""

    NAME = "name"
    NEWEST = "-updated_at"


class Folder(Wire):
    """A place for documents. `document_count` counts those right in it."""

    id: UUID
    parent_folder_id: UUID | None
    name: str
    path: str
    scope_id: UUID | None
    version: int
    document_count: int
    created_at: datetime
    updated_at: datetime


class CreateFolder(Request):
    """A folder to make; without a parent at the top."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"name": "Annual reports"}]})

    name: FileName
    parent_folder_id: UUID | None = None
    scope_id: UUID | None = None


class ChangeFolder(Request):
    """What to change of a folder. What is left out stays; a parent of null is the top."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"name": "Reports"}]})

    name: FileName | None = None
    parent_folder_id: UUID | None = None
    expected_version: Version | None = None


class IndexingError(Wire):
    """Why a document could not be read: a code for programs, a sentence for people."""

    code: str
    reason: str


class Progress(Wire):
    """How many passages are findable, of how many; the total is known once the document has been read."""

    done: int
    total: int | None


class Document(Wire):
    """A file with a name and a place. `warnings` say what a reader should know, such as that only a part was read."""

    id: UUID
    folder_id: UUID | None
    name: str
    path: str
    source_type: str
    fetch_strategy: FetchStrategy
    mime_type: str
    file_size: int
    sha256: Sha256
    version: int
    last_edit_by: EditBy
    indexing_status: IndexingStatus
    indexing_error: IndexingError | None
    progress: Progress
    warnings: list[str]
    page_count: int | None
    title: str | None
    language: str | None
    facts: DocumentFactsView
    is_image: bool
    has_thumbnail: bool
    external_id: str | None
    external_url: str | None
    external_metadata: dict[str, JsonValue]
    last_synced_at: datetime | None
    created_by: UUID | None
    created_at: datetime
    updated_at: datetime


class ChangeDocument(Request):
    """What to change of a document. What is left out stays; a folder of null is the top.

    `facts` are a person's corrections of what was read.
    """

    model_config = ConfigDict(json_schema_extra={"examples": [{"name": "Report 2026.pdf"}]})

    name: FileName | None = None
    folder_id: UUID | None = None
    facts: CorrectFacts | None = None
    expected_version: Version | None = None


class DocumentVersion(Wire):
    """A document as it was from `created_at` until the next version."""

    version: int
    name: str
    path: str
    sha256: Sha256
    file_size: int
    mime_type: str
    change: ChangeKind
    edit_by: EditBy
    created_by: UUID | None
    created_at: datetime


class Restore(Request):
    """The version whose content becomes the newest again."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"version": 1}]})

    version: Version
    expected_version: Version | None = None


class LineKind(StrEnum):
    """What happened to a line."""

    SAME = "same"
    ADDED = "added"
    REMOVED = "removed"


class DiffLine(Wire):
    """A line of either version."""

    kind: LineKind
    text: str


class Hunk(Wire):
    """Changed lines with some around them. Both starts count lines from 1."""

    before_start: int
    after_start: int
    lines: list[DiffLine]


class Diff(Wire):
    """What changed between the texts of two versions. `truncated` when there is more than is shown."""

    before: int = Field(serialization_alias="from")
    after: int = Field(serialization_alias="to")
    identical: bool
    hunks: list[Hunk]
    truncated: bool


class Place(Wire):
    """Where a passage stands in the original; only what the format has is set."""

    page: int | None = None
    slide: int | None = None
    sheet: str | None = None
    cells: str | None = None
    paragraph: int | None = None
    line: int | None = None
    part: str | None = None
    box: list[float] | None = None


class ReadingPage(Wire):
    """A page: the stretch of text on it, its size in points."""

    number: int
    start: int
    end: int
    width: float
    height: float
    is_ocr: bool


class ReadingBlock(Wire):
    """A stretch of text with one meaning. `path` are the headings above it."""

    start: int
    end: int
    kind: str
    level: int
    path: list[str]
    place: Place
    text: str


class Attachment(Wire):
    """A file inside the file."""

    name: str
    media_type: str
    size_bytes: int


class Reading(Wire):
    """What was read from a document. All offsets count characters (code points) of its text."""

    sha256: Sha256
    text_sha256: Sha256
    media_type: str
    title: str | None
    properties: dict[str, str]
    char_count: int
    page_count: int | None
    warnings: list[str]
    attachments: list[Attachment]
    pages: list[ReadingPage]
    blocks: list[ReadingBlock]
    next_block: int | None


class PageBoxes(Wire):
    """The rectangles of a span on a page, one a line, in points from its top left."""

    page: int
    width: float
    height: float
    boxes: list[tuple[float, float, float, float]]


class TextPiece(Wire):
    """What a stretch of text is to its reader. `is_statement` when a finding may rest on it."""

    start: int
    end: int
    kind: PieceKind
    headings: list[str]
    is_statement: bool


class LocatedSpan(Wire):
    """A span of the text, and where it stands in the original. `block` is the reading's block that it begins in."""

    text: str
    pages: list[PageBoxes]
    places: list[Place]
    section: str | None
    block: int
    piece: TextPiece | None


class BatchItem(Wire):
    """What became of one file of a batch: its document, or the problem that kept it out. `is_new` as 201 tells it."""

    filename: str
    is_new: bool
    document: Document | None
    problem: Problem | None


class Batch(Wire):
    """What became of files that were sent together, in their order."""

    items: list[BatchItem]


class SourceInfo(Wire):
    """Where documents can come from. `missing` names the settings that it still needs."""

    source_type: str
    title: str
    fetch_strategy: FetchStrategy
    configured: bool
    can_import: bool
    missing: list[str]


class ImportDocument(Request):
    """What to import: for the web its address, for other sources the id they know it by."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"reference": "https://example.org/report.html"}]})

    reference: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=2000)]
    folder_id: UUID | None = None
