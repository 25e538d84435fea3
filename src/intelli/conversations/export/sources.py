"""The numbered sources of an answer: each file that is cited has one number, as on the screen, with its passages."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from intelli.citations.parse import segments
from intelli.citations.wire import Check, Citation, FileStatus

_MARKS = {Check.VERIFIED: "\u2713", Check.WEAK: "~", Check.FAILED: "\u2717", Check.UNCHECKED: "?"}


@dataclass(frozen=True, slots=True)
class CheckedPassage:
    """A passage of a source, and what the check of its citation came to."""

    citation: Citation

    @property
    def mark(self) -> str:
        """A sign for what the check came to."""
        return _MARKS[self.citation.check]

    @property
    def place(self) -> str:
        """The page, and whether the file has changed; empty where there is nothing to say."""
        page = f"p. {self.citation.page}" if self.citation.page is not None else ""
        stale = "changed since" if self.citation.is_stale else ""
        return ", ".join(filter(None, (page, stale)))

    @property
    def verdict(self) -> str:
        """What the check came to, in words."""
        checked = str(self.citation.check)
        review = f", {self.citation.review.decision}" if self.citation.review else ""
        reason = f": {self.citation.reason}" if self.citation.reason else ""
        return f"{checked}{review}{reason}"


@dataclass(frozen=True, slots=True)
class NumberedSource:
    """A file that is cited, by its number, with the passages in the order they are cited."""

    number: int
    name: str
    passages: list[CheckedPassage] = field(default_factory=list)


def number(
    content: str, citations: Sequence[Citation], *, cite: Callable[[NumberedSource], str]
) -> tuple[str, list[NumberedSource]]:
    """The text with each citation as `cite` writes its source, and the sources in the order of their numbers."""
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
    """What two citations of one source have in common. A document that was deleted is known by its text."""
    source = citation.document_id or citation.episode_id or citation.text_sha256 or citation.sha256
    return str(source or citation.identifier)


def _name(citation: Citation) -> str:
    gone = ", deleted since" if citation.file_status is FileStatus.DELETED else ""
    return f"{citation.file_name or citation.identifier}{gone}"


def _is_same(one: Citation, other: Citation) -> bool:
    return (one.char_start, one.char_end, one.check) == (other.char_start, other.char_end, other.check)
