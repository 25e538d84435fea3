"""Text from outside, enclosed as data between marks that are a hash of the whole call: no text can hold its own."""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from intelli.reasoning.values import QuotedFinding, ReasoningModel, SourceText, Turn

_MARK = 24
_TURNS = 10
LONGEST_TURN = 4_000


@dataclass(frozen=True, slots=True)
class Fence:
    """Encloses text from outside. Whoever wrote the mark into a text would have changed it."""

    mark: str

    @classmethod
    def of(cls, call: ReasoningModel) -> "Fence":
        """The fence of one call."""
        return cls(hashlib.sha256(call.model_dump_json().encode("utf-8", "replace")).hexdigest()[:_MARK])

    def enclose(self, text: str, handle: str = "") -> str:
        """The text between two lines with the mark, the first also with the handle that it is cited by."""
        return f"<data {self.mark}{f' {handle}' if handle else ''}>\n{text}\n</data {self.mark}>"

    def lines(self, heading: str, lines: Iterable[str]) -> str:
        """Lines in one enclosure under a heading of ours; nothing where there are none."""
        text = "\n".join(line for line in lines if line)
        return f"{heading}\n{self.enclose(text)}".strip() if text else ""

    def conversation(self, turns: Sequence[Turn]) -> str:
        """Earlier turns as material: answers quote sources, so they may carry what those say."""
        said = [f"{turn.role}: {turn.text[:LONGEST_TURN]}" for turn in turns[-_TURNS:]]
        return self.lines("Said before:", ["\n\n".join(said)] if said else [])

    def sources(self, sources: Mapping[str, SourceText]) -> str:
        """Every source in an enclosure of its own, so that none can speak for another."""
        return "\n\n".join(self.enclose(f"{_place(each)}\n{each.text}", handle) for handle, each in sources.items())


def handles(sources: Sequence[SourceText]) -> dict[str, SourceText]:
    """Each source under a short handle, s1 and up: few tokens, and nothing that a source could choose."""
    return {f"s{number}": source for number, source in enumerate(sources, 1)}


def fit(sources: Sequence[SourceText], *, characters: int) -> tuple[SourceText, ...]:
    """As many sources as there is room for, in order; the last may be cut."""
    kept: list[SourceText] = []
    for source in sources:
        room = characters - len(source.title)
        if room <= 0:
            break
        kept.append(source.model_copy(update={"text": source.text[:room]}))
        characters = room - len(source.text)
    return tuple(kept)


def findings_as_sources(findings: Sequence[QuotedFinding]) -> tuple[SourceText, ...]:
    """Findings as sources: what a model wrote from sources is no more to be trusted than they are."""
    return tuple(
        SourceText(identifier=each.identifier, title=each.about or "finding", text=f"{each.text}\nQuote: {each.quote}")
        for each in findings
    )


def _place(source: SourceText) -> str:
    parts = [source.title, source.section, f"page {source.page}" if source.page is not None else None]
    return " · ".join(" ".join(part.split()) for part in parts if part) or "untitled"
