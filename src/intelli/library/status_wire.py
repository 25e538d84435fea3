"""Wire models of the library as a whole: its numbers, the progress of its work, questions that it answers."""

from enum import StrEnum
from uuid import UUID

from intelli.kit.wire import Wire
from intelli.library.wire import IndexingError, IndexingStatus, Progress


class Encoding(Wire):
    """How many passages the encoder has read."""

    done: int
    total: int


class StructureProgress(Wire):
    """How many texts were read for their tables, headings, dates and parties by this version."""

    done: int
    total: int


class IndexBuildStep(StrEnum):
    """Steps of building the index of a large workspace anew, in their order."""

    COPY = "copy"
    INDEX = "index"
    FINISH = "finish"


class IndexBuild(Wire):
    """How far the index of vectors that is being built is: the step, and how many vectors of how many it has done."""

    step: IndexBuildStep
    done: int
    total: int


class LibraryStatus(Wire):
    """The library in numbers. Documents are counted by how far they are.

    All that are completed are found, by their words and by their meaning. Of `encoding.total` passages, `encoding.done`
    have been read by the encoder that is set; the others are compared by a quicker and coarser one meanwhile.
    `index_build` is null unless the index of vectors is being built, beside the one that answers. After an
    upgrade, texts that were read before are read anew for their `structure`, in the background.
    """

    documents: int
    folders: int
    pending: int
    in_progress: int
    completed: int
    failed: int
    chunks: int
    size_bytes: int
    encoding: Encoding
    index_build: IndexBuild | None
    structure: StructureProgress


class DocumentProgress(Wire):
    """What changes about a document while it is read and indexed."""

    id: UUID
    indexing_status: IndexingStatus
    indexing_error: IndexingError | None
    progress: Progress
    mime_type: str
    warnings: list[str]
    page_count: int | None
    has_thumbnail: bool


class SuggestedQuestion(Wire):
    """A question that was tried and has an answer, and the document it was made from."""

    question: str
    document_id: UUID
    document_name: str


class SuggestedQuestions(Wire):
    """Questions to begin with. More may come until it `is_complete`."""

    items: list[SuggestedQuestion]
    is_complete: bool
