"""search_documents: passages of the library that bear on a query."""

from uuid import UUID

from pydantic import Field

from intelli.kit.wire import Request, Wire
from intelli.runs.ports import Hit
from intelli.runs.tools.tool import Bench, Tool


class SearchAsked(Request):
    """What to look for."""

    query: str
    limit: int = Field(12, ge=1, le=50)


class FoundPassage(Wire):
    """A passage of a document or of an episode. `identifier` names its bytes and span, so that no citation drifts."""

    identifier: str
    document_id: UUID | None
    title: str
    path: str
    mime_type: str
    sha256: str
    text: str
    start: int
    end: int
    page: int | None
    section: str | None
    score: float
    episode_id: UUID | None = None
    header: str = ""
    is_cut: bool = False


class Found(Wire):
    """Passages, best first."""

    passages: list[FoundPassage]


async def _search(asked: SearchAsked, bench: Bench) -> Found:
    hits = await bench.library.search(bench.who, asked.query, limit=asked.limit, scope=bench.scope)
    return Found(passages=[_passage(hit) for hit in hits])


def _passage(hit: Hit) -> FoundPassage:
    return FoundPassage(
        identifier=f"{hit.sha256[:16]}.{hit.start}-{hit.end}",
        document_id=hit.document_id,
        title=hit.title,
        path=hit.path,
        mime_type=hit.mime_type,
        sha256=hit.sha256,
        text=hit.text,
        start=hit.start,
        end=hit.end,
        page=hit.page,
        section=hit.section,
        score=hit.score,
        header=hit.header,
        is_cut=hit.is_cut,
    )


TOOL = Tool("search_documents", "Find passages in the library.", SearchAsked, Found, _search, label="Search")
