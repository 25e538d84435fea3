"""Verb `chapter`: write one chapter of an outline, knowing the whole, every sentence and cell with its sources.

A model's chapter is checked against its sources: what names none is dropped, unless it says that the sources are
silent; a value in a table without a source is left out. Whether a statement is true is for the check of the paper.
"""

from collections.abc import Iterator, Sequence
from datetime import date
from enum import StrEnum
from typing import Literal

from pydantic import Field

from intelli.language import negation
from intelli.reasoning.model_json import UnusableReply
from intelli.reasoning.untrusted import Fence
from intelli.reasoning.values import QuotedFinding, ReasoningModel, SourceQuote, SourceText
from intelli.reasoning.verbs.outline import Outline, PlannedChapter
from intelli.reasoning.verbs.verb import NONE, Sources, Verb, VerbInput
from intelli.reasoning.verbs.write import strip_markup

_MOST_BLOCKS = 12
_MOST_SENTENCES = 14
_MOST_ROWS, _MOST_COLUMNS = 40, 10
_MOST_FIGURES = 4
_MOST_MISSING = 6
_LONGEST_SENTENCE = 800
_LONGEST_CELL = 400
_LONGEST_MESSAGE = 160
_LONGEST_HEADING = 90
# What was said before is shown from its end.
_SAID = 6_000
_EMPTY = "\u2013"


class ChapterBlockKind(StrEnum):
    """The form of a block of a chapter."""

    PARAGRAPH = "paragraph"
    LIST = "list"
    STEPS = "steps"
    TABLE = "table"
    CHART = "chart"
    TIMELINE = "timeline"
    QUOTE = "quote"


class FigureKind(StrEnum):
    """Whether a figure came to be, or is expected, by its company or by others."""

    ACTUAL = "actual"
    GUIDANCE = "guidance"
    ESTIMATE = "estimate"


class CitedSentence(ReasoningModel):
    """A sentence and what it rests on; words of a source that are empty stand for all of the passage."""

    text: str
    cites: tuple[SourceQuote, ...] = ()
    is_judgement: bool = Field(False, exclude_if=lambda value: not value)


class CitedCell(ReasoningModel):
    """A cell of a table. One that was calculated says of which cells, as in "C1 - B1"; its text is the result."""

    text: str
    cites: tuple[SourceQuote, ...] = ()
    formula: str = Field("", exclude_if=lambda value: not value)


class ChapterBlock(ReasoningModel):
    """Sentences, or the rows of a table; those of a chart or timeline have a label, or a date, in the first column."""

    kind: ChapterBlockKind
    title: str = ""
    sentences: tuple[CitedSentence, ...] = ()
    columns: tuple[str, ...] = ()
    rows: tuple[tuple[CitedCell, ...], ...] = ()
    unit: str = Field("", exclude_if=lambda value: not value)


class ChapterFigure(ReasoningModel):
    """A figure that matters: what is measured, of whom, when, and of which kind."""

    name: str
    entity: str
    period: str
    value: str
    unit: str = ""
    kind: FigureKind = FigureKind.ACTUAL
    cite: SourceQuote


class WrittenChapter(ReasoningModel):
    """A chapter. `missing` is what it should tell and no source says."""

    heading: str
    message: str = ""
    blocks: tuple[ChapterBlock, ...] = ()
    figures: tuple[ChapterFigure, ...] = ()
    missing: tuple[str, ...] = ()

    @property
    def sentences(self) -> Iterator[CitedSentence]:
        """All sentences of its blocks, in order."""
        return (sentence for block in self.blocks for sentence in block.sentences)


class ChapterInput(VerbInput[WrittenChapter]):
    """Write this chapter of this outline from these passages."""

    verb: Literal["chapter"] = "chapter"
    question: str
    kind: str
    outline: Outline
    number: int = Field(description="Which of the plain chapters of the outline, from 0.")
    said: tuple[str, ...] = Field((), description="What the chapters before it say, a line for each statement.")
    today: date | None = None
    passages: tuple[SourceText, ...] = ()
    from_tables: QuotedFinding | None = Field(None, exclude_if=lambda value: value is None)

    @property
    def chapter(self) -> PlannedChapter:
        """The plan of the chapter."""
        return self.outline.plain[self.number]


class StatedDraft(ReasoningModel):
    """A sentence by the handles of its sources."""

    text: str
    sources: list[str]


class CellDraft(ReasoningModel):
    """A cell by the handles of its sources; a calculated one by its formula."""

    text: str
    sources: list[str]
    formula: str


class ChapterRowDraft(ReasoningModel):
    """A row of a table."""

    cells: list[CellDraft]


class BlockDraft(ReasoningModel):
    """A block in handles."""

    kind: ChapterBlockKind
    title: str
    sentences: list[StatedDraft]
    columns: list[str]
    rows: list[ChapterRowDraft]
    unit: str


class FigureDraft(ReasoningModel):
    """A figure by the handle of its source."""

    name: str
    entity: str
    period: str
    value: str
    unit: str
    kind: FigureKind
    source: str


class ChapterDraft(ReasoningModel):
    """A chapter in handles."""

    message: str
    blocks: list[BlockDraft]
    figures: list[FigureDraft]
    missing: list[str]


def _slots(given: ChapterInput, fence: Fence) -> dict[str, str]:
    mine, outline = given.chapter, given.outline
    lines = [f"{number}. {each.heading}: {each.message}" for number, each in enumerate(outline.chapters, 1)]
    paper = [f"Title: {outline.title}", f"For: {outline.audience}", f"Purpose: {outline.purpose}"]
    paper += [f"Length: {outline.length}", f"Language: {outline.language}"]
    said = "\n".join(given.said)[-_SAID:]
    return {
        "question": given.question,
        "kind": given.kind,
        "outline": fence.lines("", [*(each for each in paper if not each.endswith(": ")), *lines]),
        "chapter": fence.lines("", [f"{mine.heading}: {mine.message}", f"Form: {mine.form.value}"]),
        "said": fence.lines("", [said]) or NONE,
        "today": str(given.today or "not known"),
    }


def _check(draft: ChapterDraft, given: ChapterInput, sources: Sources) -> WrittenChapter:
    told: set[str] = set()
    blocks = tuple(block for each in draft.blocks[:_MOST_BLOCKS] if (block := _block(each, sources, told)) is not None)
    missing = tuple(dict.fromkeys(line for each in draft.missing[:_MOST_MISSING] if (line := strip_markup(each))))
    if sources and not blocks and not missing:
        raise UnusableReply("nothing in it names a source; give every sentence and value the handles it rests on")
    message = strip_markup(draft.message)
    return WrittenChapter(
        heading=given.chapter.heading,
        message=message if len(message) <= _LONGEST_MESSAGE else given.chapter.message,
        blocks=blocks,
        figures=tuple(_figures(draft.figures[:_MOST_FIGURES], sources)),
        missing=tuple(each for each in missing if len(each) <= _LONGEST_SENTENCE),
    )


def _block(draft: BlockDraft, sources: Sources, told: set[str]) -> ChapterBlock | None:
    title = strip_markup(draft.title)[:_LONGEST_HEADING]
    if draft.kind in {ChapterBlockKind.TABLE, ChapterBlockKind.CHART, ChapterBlockKind.TIMELINE}:
        columns = tuple(strip_markup(each) for each in draft.columns[:_MOST_COLUMNS])
        rows = tuple(_row(each, len(columns), sources) for each in draft.rows[:_MOST_ROWS])
        rows = tuple(row for row in rows if any(cell.cites or cell.formula for cell in row))
        if len(columns) < 2 or not rows:
            return None
        return ChapterBlock(kind=draft.kind, title=title, columns=columns, rows=rows, unit=strip_markup(draft.unit))
    sentences = tuple(
        kept
        for each in draft.sentences[:_MOST_SENTENCES]
        if (kept := _sentence(each, sources)) is not None and kept.text not in told
    )
    told.update(each.text for each in sentences)
    return ChapterBlock(kind=draft.kind, title=title, sentences=sentences) if sentences else None


def _sentence(draft: StatedDraft, sources: Sources) -> CitedSentence | None:
    text, cites = strip_markup(draft.text), cite(draft.sources, sources)
    if not text or len(text) > _LONGEST_SENTENCE or (not cites and not negation.is_negated(text)):
        return None
    return CitedSentence(text=text, cites=cites)


def cite(handles: Sequence[str], sources: Sources) -> tuple[SourceQuote, ...]:
    """Return whole passages by their handles, each once."""
    named = dict.fromkeys(name.strip("[] ") for name in handles)
    return tuple(SourceQuote(text="", identifier=sources[name].identifier) for name in named if name in sources)


def _row(draft: ChapterRowDraft, width: int, sources: Sources) -> tuple[CitedCell, ...]:
    """Return as many cells as there are columns; only the first, a label, says something without a source."""
    cells = [_cell(each, sources, is_label=at == 0) for at, each in enumerate(draft.cells[:width])]
    return (*cells, *(CitedCell(text=_EMPTY) for _ in range(width - len(cells))))


def _cell(draft: CellDraft, sources: Sources, *, is_label: bool) -> CitedCell:
    text, cites = strip_markup(draft.text)[:_LONGEST_CELL], cite(draft.sources, sources)
    formula = " ".join(draft.formula.lstrip("= ").split())
    if formula:
        return CitedCell(text=text, formula=formula)
    return CitedCell(text=(text if cites or is_label else "") or _EMPTY, cites=cites)


def _figures(drafts: Sequence[FigureDraft], sources: Sources) -> Iterator[ChapterFigure]:
    """Yield the figures that name what they measure, of whom and when, and stand in their source."""
    for each in drafts:
        source = sources.get(each.source.strip("[] "))
        fields = {name: strip_markup(getattr(each, name)) for name in ("name", "entity", "period", "value", "unit")}
        if source is None or not (fields["name"] and fields["period"] and fields["value"] in source.text):
            continue
        line = next((line for line in source.text.splitlines() if fields["value"] in line), "")
        quote = SourceQuote(text=line.strip(), identifier=source.identifier)
        yield ChapterFigure(**fields, kind=each.kind, cite=quote)


VERB = Verb(
    input=ChapterInput,
    output=WrittenChapter,
    draft=ChapterDraft,
    slots=_slots,
    sources=lambda given: given.passages,
    check=_check,
)
