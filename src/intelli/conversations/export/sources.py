"""The numbered sources of an answer: each passage that is cited has one number, wherever it is cited."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from intelli.citations.parse import segments
from intelli.citations.wire import Check, Citation, FileStatus

_MARKS = {Check.VERIFIED: "\u2713", Check.WEAK: "~", Check.FAILED: "\u2717", Check.UNCHECKED: "?"}


@dataclass(frozen=True, slots=True)
class Source:
    """A passage that is cited, by its number."""

    number: int
    citation: Citation

    @property
    def mark(self) -> str:
        """A sign for what the check came to."""
        return _MARKS[self.citation.check]

    @property
    def place(self) -> str:
        """The file, the page, and whether it is still there."""
        page = f", p. {self.citation.page}" if self.citation.page is not None else ""
        gone = ", deleted since" if self.citation.file_status is FileStatus.DELETED else ""
        stale = ", changed since" if self.citation.is_stale else ""
        return f"{self.citation.file_name or self.citation.identifier}{page}{gone}{stale}"

    @property
    def verdict(self) -> str:
        """What the check came to, in words."""
        checked = str(self.citation.check)
        review = f", {self.citation.review.decision}" if self.citation.review else ""
        reason = f": {self.citation.reason}" if self.citation.reason else ""
        return f"{checked}{review}{reason}"


def number(content: str, citations: Sequence[Citation], *, cite: Callable[[Source], str]) -> tuple[str, list[Source]]:
    """The text with each citation as `cite` writes its source, and the sources in the order of their numbers."""
    by_ordinal = {citation.ordinal: citation for citation in citations}
    sources: dict[tuple[str, int, int], Source] = {}
    written: list[str] = []
    for segment in segments(content):
        if segment.ordinal is None:
            written.append(segment.text)
            continue
        citation = by_ordinal.get(segment.ordinal)
        if citation is None:
            continue
        key = (citation.sha256 or citation.identifier, citation.char_start, citation.char_end)
        written.append(cite(sources.setdefault(key, Source(len(sources) + 1, citation))))
    return "".join(written), list(sources.values())
