"""Assign a footnote to every citation, numbered in reading order.

A footnote is a quote with the result of a check. Two places share one only where both are the same, so that an unproven
figure is never shown as "verified" because of the sentence beside it.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from intelli.deliverables.brief import Checked, Cited, DataBrief
from intelli.deliverables.paper import (
    Block,
    Bullets,
    Callout,
    Chart,
    Heading,
    Metrics,
    Numbered,
    Paragraph,
    QuoteBlock,
    Row,
    Runs,
    SourcesList,
    TableBlock,
)


@dataclass(frozen=True, slots=True)
class NumberedNote:
    """A numbered citation. `turn` counts the notes on the same quote, which differ in the result of their checks."""

    number: int
    turn: int
    cited: Cited


def assign_notes(brief: DataBrief, blocks: Sequence[Block]) -> tuple[tuple[Block, ...], dict[str, NumberedNote]]:
    """Return the blocks with each citation replaced by the name of its note, and the notes by name."""
    noting = _NoteNames(brief, list(_cited(blocks)))
    return tuple(noting.block(block) for block in blocks), noting.notes


class _NoteNames:
    """Names the notes; the first on a quote is named by the quote's identifier."""

    def __init__(self, brief: DataBrief, cited: Sequence[str]) -> None:
        self.notes: dict[str, NumberedNote] = {}
        self._known = {each.identifier: each for each in brief.citations}
        # A paper that is not the one that was proven has what is known of its quotes.
        is_proven = [mark.identifier for mark in brief.marks] == list(cited)
        self._marks = iter(brief.marks if is_proven else ())
        self._names: dict[tuple[str, Checked, str], str] = {}
        self._turns: dict[str, int] = {}

    def block(self, block: Block) -> Block:
        """Return a block whose citations are replaced by the names of their notes."""
        changed: dict[str, object] = {}
        match block:
            case Paragraph() | QuoteBlock() | Callout():
                changed["runs"] = self._runs(block.runs)
            case Bullets() | Numbered():
                changed["items"] = tuple(self._runs(item) for item in block.items)
            case TableBlock():
                changed["rows"] = tuple(tuple(self._runs(cell) for cell in row) for row in block.rows)
            case Chart():
                changed["citations"] = tuple(map(self._name, block.citations))
            case Metrics():
                named = (each.model_copy(update={"citation": self._name(each.citation)}) for each in block.metrics)
                changed["metrics"] = tuple(named)
            case Row():
                changed["primary"] = tuple(self.block(each) for each in block.primary)
                changed["sidebar"] = tuple(self.block(each) for each in block.sidebar)
            case Heading() | SourcesList():
                return block
        return block.model_copy(update=changed)

    def _runs(self, runs: Runs) -> Runs:
        return tuple(
            run.model_copy(update={"citations": tuple(map(self._name, run.citations))}) if run.citations else run
            for run in runs
        )

    def _name(self, identifier: str) -> str:
        mark = next(self._marks, None) if identifier else None
        cited = self._known.get(identifier)
        if cited is None:
            return identifier
        if mark is not None:
            cited = cited.model_copy(update={"id": mark.id, "check": mark.check, "reason": mark.reason})
        told = (identifier, cited.check, cited.reason)
        if told not in self._names:
            turn = self._turns[identifier] = self._turns.get(identifier, 0) + 1
            self._names[told] = identifier if turn == 1 else f"{identifier}#{turn}"
            self.notes[self._names[told]] = NumberedNote(len(self.notes) + 1, turn, cited)
        return self._names[told]


def _cited(blocks: Sequence[Block]) -> Iterator[str]:
    """Yield every cited identifier, in the order of the paper."""
    for block in blocks:
        match block:
            case Paragraph() | QuoteBlock() | Callout():
                yield from _of_runs(block.runs)
            case Bullets() | Numbered():
                for item in block.items:
                    yield from _of_runs(item)
            case TableBlock():
                for row in block.rows:
                    for cell in row:
                        yield from _of_runs(cell)
            case Chart():
                yield from block.citations
            case Metrics():
                yield from (metric.citation for metric in block.metrics if metric.citation)
            case Row():
                yield from _cited((*block.primary, *block.sidebar))


def _of_runs(runs: Runs) -> Iterator[str]:
    for run in runs:
        yield from run.citations
