"""Wire models of search: request and answer."""

from typing import Annotated
from uuid import UUID

from pydantic import AfterValidator, AwareDatetime, ConfigDict, Field, StringConstraints

from intelli.kit.wire import Request, Wire
from intelli.library.wire import FetchStrategy

MAX_QUERY = 2000


def _has_words(query: str) -> str:
    if not any(character.isalnum() for character in query):
        raise ValueError("it must hold a word to search for")
    return query


Query = Annotated[
    str,
    StringConstraints(strip_whitespace=True, min_length=1, max_length=MAX_QUERY),
    AfterValidator(_has_words),
]
SourceType = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_]{0,39}$")]
FolderRef = Annotated[str, StringConstraints(min_length=1, max_length=4096)]


class Search(Request):
    """What to search for, and where. A filter that is left out lets everything through."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"query": "effects of caffeine on sleep", "limit": 5}]})

    query: Query
    limit: int = Field(20, ge=1, le=100, description="Most documents to answer with.")
    threshold: float | None = Field(None, ge=0, le=1, description="Least relevance of a passage.")
    folder: FolderRef | None = Field(
        None, description="Path or id of a folder; documents below it are searched, at any depth."
    )
    document_ids: Annotated[list[UUID], Field(min_length=1, max_length=1000)] | None = None
    source_types: Annotated[list[SourceType], Field(min_length=1, max_length=20)] | None = None
    scope: UUID | None = None
    as_of: AwareDatetime | None = Field(
        None, description="Search the documents as they were at this time; those deleted since are not found."
    )


class Excerpt(Wire):
    """A passage: the document's text from `char_start`, which is on `page`, to `char_end`, with the headings above it.

    Of a passage that runs over several pages, the part from the page on that bears most on the query.
    """

    content: str
    score: float
    chunk_index: int
    char_start: int
    char_end: int
    page: int | None
    section: str | None


class Source(Wire):
    """A document with the passages that were found in it, best first. Its relevance is that of its best passage.

    `fetch_strategy` says where its bytes are: at `/documents/{file_id}/content`, behind `/external`, or at its own URL.
    `version` is the one that was found: while the latest is being read, or when it cannot be, that is an earlier one.
    """

    file_id: UUID
    file_name: str
    path: str
    source_type: str
    mime_type: str
    fetch_strategy: FetchStrategy
    external_url: str | None = Field(None, description="Its address, for what comes from elsewhere.")
    relevance_score: float
    is_image: bool
    version: int
    latest_version: int
    sha256: str
    excerpts: list[Excerpt]


class SearchMetadata(Wire):
    """How the search went. `semantic` is false when only words could be compared, not meanings, and why is told.

    The first passages are ranked anew token by token: `reranked` is how many of them, in `rerank_cpu_ms` of CPU time,
    and `not_reranked_reason` says why not more.
    """

    query: str
    total_chunks_searched: int
    threshold: float | None
    elapsed_ms: float
    semantic: bool
    words_only_reason: str | None
    reranked: int
    rerank_cpu_ms: float
    not_reranked_reason: str | None


class SearchResult(Wire):
    """What was found, the most relevant first."""

    sources: list[Source]
    search_metadata: SearchMetadata
