"""Enclose untrusted text as data between marks that are a hash of the whole call: no text can contain its own mark."""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from intelli.reasoning.values import QuotedFinding, ReasoningModel, SourceText, Turn

_MARK = 24
_TURNS = 10
LONGEST_TURN = 4_000


@dataclass(frozen=True, slots=True)
class Fence:
    """Encloses untrusted text. Writing the mark into a text would change the mark."""

    mark: str

    @classmethod
    def for_call(cls, call: ReasoningModel) -> "Fence":
        """Create the fence of one call."""
        return cls.for_texts([call.model_dump_json()])

    @classmethod
    def for_texts(cls, texts: Sequence[str]) -> "Fence":
        """Create the fence of texts, for calls that differ in nothing untrusted but share what comes first."""
        joined = "\n".join(texts).encode("utf-8", "replace")
        return cls(hashlib.sha256(joined).hexdigest()[:_MARK])

    def enclose(self, text: str, handle: str = "") -> str:
        """Enclose a text between two lines with the mark; the first also has the handle for citing it."""
        return f"<data {self.mark}{f' {handle}' if handle else ''}>\n{text}\n</data {self.mark}>"

    def lines(self, heading: str, lines: Iterable[str]) -> str:
        """Enclose non-empty lines under a heading of ours; return "" when there are none."""
        text = "\n".join(line for line in lines if line)
        return f"{heading}\n{self.enclose(text)}".strip() if text else ""

    def conversation(self, turns: Sequence[Turn]) -> str:
        """Enclose earlier turns as data: answers quote sources, so they may repeat injected text."""
        said = [f"{turn.role}: {turn.text[:LONGEST_TURN]}" for turn in turns[-_TURNS:]]
        return self.lines("Said before:", ["\n\n".join(said)] if said else [])

    def sources(self, sources: Mapping[str, SourceText]) -> str:
        """Enclose every source on its own, so that none can pose as another."""
        return "\n\n".join(self.enclose(_with_place(each), handle) for handle, each in sources.items())


def assign_handles(sources: Sequence[SourceText]) -> dict[str, SourceText]:
    """Assign short handles to sources, s1 and up: few tokens, and nothing that a source could choose."""
    return {f"s{number}": source for number, source in enumerate(sources, 1)}


def fit_sources(sources: Sequence[SourceText], *, characters: int) -> tuple[SourceText, ...]:
    """Return as many sources as fit into `characters`, in order; the last may be cut."""
    kept: list[SourceText] = []
    for source in sources:
        room = characters - len(source.title)
        if room <= 0:
            break
        kept.append(source.model_copy(update={"text": source.text[:room]}))
        characters = room - len(source.text)
    return tuple(kept)


def findings_as_sources(findings: Sequence[QuotedFinding]) -> tuple[SourceText, ...]:
    """Convert findings to sources: text that a model wrote from sources is as untrusted as they are."""
    return tuple(
        SourceText(
            identifier=each.identifier,
            title=each.about or "finding",
            text="\n".join([each.text, *(f"Quote: {quote.text}" for quote in each.quotes)]),
            also=each.identifiers[1:],
        )
        for each in findings
    )


def _with_place(source: SourceText) -> str:
    """Return the text under its place; a table that begins in its middle gets the line with its columns."""
    goes_on = "(the table goes on in the source)" if source.is_cut else ""
    return "\n".join(filter(None, (_place(source), source.header, source.text, goes_on)))


def _place(source: SourceText) -> str:
    page = f"page {source.page}" if source.page is not None else None
    dated = f"dated {source.dated}" if source.dated is not None else None
    parts = [source.title, dated, source.section, page]
    return " · ".join(" ".join(part.split()) for part in parts if part) or "untitled"
