"""Numbered sources of an answer: each cited file has one number, as in the UI, with its passages."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from intelli.citations import marks
from intelli.citations.parse import segments
from intelli.citations.wire import Citation, FileStatus


@dataclass(frozen=True, slots=True)
class CheckedPassage:
    """Passage of a source with the check result of its citation."""

    citation: Citation

    @property
    def mark(self) -> str:
        """Symbol of the check result."""
        return marks.SIGNS[self.citation.check]

    @property
    def place(self) -> str:
        """Page, and whether the file has changed since; empty when neither applies."""
        page = f"p. {self.citation.page}" if self.citation.page is not None else ""
        stale = "changed since" if self.citation.is_stale else ""
        return ", ".join(filter(None, (page, stale)))

    @property
    def verdict(self) -> str:
        """Check result, review and reason as text."""
        checked = marks.WORDS[self.citation.check].lower()
        review = f", {self.citation.review.decision}" if self.citation.review else ""
        reason = f": {self.citation.reason}" if self.citation.reason else ""
        return f"{checked}{review}{reason}"


@dataclass(frozen=True, slots=True)
class NumberedSource:
    """Cited file with its number and its passages in the order of citation."""

    number: int
    name: str
    passages: list[CheckedPassage] = field(default_factory=list)


def number_sources(
    content: str, citations: Sequence[Citation], *, cite: Callable[[NumberedSource], str]
) -> tuple[str, list[NumberedSource]]:
    """Replace each citation in the text by `cite` of its source; return the text and the sources by number."""
    by_ordinal = {citation.ordinal: citation for citation in citations}
    sources: dict[str, NumberedSource] = {}
    written: list[str] = []
    for segment in segments(content):
        if segment.ordinal is None:
            written.append(segment.text)
            continue
        citation = by_ordinal.get(segment.ordinal)
        if citation is None:
            continue
        source = sources.setdefault(_key(citation), NumberedSource(len(sources) + 1, _name(citation)))
        if not any(_is_same(passage.citation, citation) for passage in source.passages):
            source.passages.append(CheckedPassage(citation))
        written.append(cite(source))
    return "".join(written), list(sources.values())


def _key(citation: Citation) -> str:
    """Return the key that citations of one source share. A deleted document is identified by its text."""
    source = citation.document_id or citation.episode_id or citation.text_sha256 or citation.sha256
    return str(source or citation.identifier)


def _name(citation: Citation) -> str:
    gone = ", deleted since" if citation.file_status is FileStatus.DELETED else ""
    return f"{citation.file_name or citation.identifier}{gone}"


def _is_same(one: Citation, other: Citation) -> bool:
    return (one.char_start, one.char_end, one.check) == (other.char_start, other.char_end, other.check)
