"""Passage: a span with its text and location, passed from search through a run into citations."""

from dataclasses import dataclass, replace
from datetime import date
from typing import Literal
from uuid import UUID

from intelli.content.span import Span

# Whose words it has: those of a source, what a person stated in a conversation, or what our agent wrote.
PassageOrigin = Literal["source", "said", "agent"]


@dataclass(frozen=True, slots=True)
class Passage:
    """Passage of a document, or of an episode's record, whose bytes are the text itself.

    `header` is the line with the column names when the passage begins in the middle of a table; `is_cut` means that it
    ends in the middle of one. `dated` is the date of the document, where its name or its beginning tells one. `asides`
    are stretches of the text that are no statements: headings, captions, contents, headers of mails, signatures.
    What a person stated in a conversation is dated by the day they did. `amends` are names of what its document amends.
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
    dated: date | None = None
    asides: tuple[tuple[int, int], ...] = ()
    origin: PassageOrigin = "source"
    amends: tuple[str, ...] = ()
    chunk_index: int | None = None

    @property
    def identifier(self) -> str:
        """Name by which a text cites the passage."""
        return self.span.identifier

    @property
    def sha256(self) -> str:
        """Hash of the bytes that the text was read from."""
        return self.span.sha256

    def narrowed(self, start: int, end: int) -> "Passage":
        """Return a copy whose span covers the characters `start` to `end` of this passage.

        The copy has the whole text, because a check also reads what surrounds a quote.
        """
        return replace(self, span=self.span.part(start, end))
