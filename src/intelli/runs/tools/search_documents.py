"""search_documents: find passages of the library for a query."""

from collections.abc import Iterable
from datetime import date
from uuid import UUID

from pydantic import Field

from intelli.content.passage import Passage, PassageOrigin
from intelli.content.span import Span
from intelli.kit.wire import Request, Wire
from intelli.runs.tools.tool import Tool, ToolContext


class SearchInput(Request):
    """What to look for."""

    query: str
    limit: int = Field(12, ge=1, le=50)


class FoundPassage(Wire):
    """A passage as the ledger records it. `identifier` names its bytes and span, so that no citation drifts."""

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
    dated: date | None = None
    asides: tuple[tuple[int, int], ...] = Field((), exclude_if=lambda value: not value)
    amends: tuple[str, ...] = Field((), exclude_if=lambda value: not value)
    origin: PassageOrigin = Field("source", exclude_if=lambda value: value == "source")
    chunk_index: int | None = Field(None, exclude_if=lambda value: value is None)

    @classmethod
    def of(cls, passage: Passage) -> "FoundPassage":
        """Make the record of a passage."""
        span = passage.span
        as_it_is = {name: getattr(passage, name) for name in _ALIKE}
        return cls(identifier=span.identifier, sha256=span.sha256, start=span.start, end=span.end, **as_it_is)

    @property
    def passage(self) -> Passage:
        """The passage that was recorded."""
        span = Span(self.sha256, self.start, self.end)
        return Passage(span=span, **{name: getattr(self, name) for name in _ALIKE})


_ALIKE = FoundPassage.model_fields.keys() & Passage.__dataclass_fields__.keys()


class SearchOutput(Wire):
    """Passages, best first."""

    passages: list[FoundPassage]

    @classmethod
    def of(cls, passages: Iterable[Passage]) -> "SearchOutput":
        """Make the record of what was found."""
        return cls(passages=[FoundPassage.of(each) for each in passages])


async def _search(asked: SearchInput, context: ToolContext) -> SearchOutput:
    return SearchOutput.of(
        await context.library.search(context.who, asked.query, limit=asked.limit, scope=context.scope)
    )


TOOL = Tool("search_documents", "Find passages in the library.", SearchInput, SearchOutput, _search, label="Search")
