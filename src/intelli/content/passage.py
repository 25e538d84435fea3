"""Passage: a span with its words and where they stand, as it goes from search through a run into citations."""

from dataclasses import dataclass, replace
from uuid import UUID

from intelli.content.span import Span


@dataclass(frozen=True, slots=True)
class Passage:
    """A passage of a document, or of the record of an episode, whose bytes are themselves the text.

    `header` is the line that names the columns of a table which the passage begins in the middle of; one that `is_cut`
    ends in the middle of a table.
    """

    span: Span
    text: str
    title: str
    path: str
    mime_type: str
    score: float
    document_id: UUID | None = None
    episode_id: UUID | None = None
    page: int | None = None
    section: str | None = None
    header: str = ""
    is_cut: bool = False

    @property
    def identifier(self) -> str:
        """The name by which a text cites it."""
        return self.span.identifier

    @property
    def sha256(self) -> str:
        """The hash of the bytes that its text was read from."""
        return self.span.sha256

    def narrowed(self, start: int, end: int) -> "Passage":
        """The passage with the span of a part of its text; the text stays, for a check also reads around a quote."""
        return replace(self, span=self.span.part(start, end))
