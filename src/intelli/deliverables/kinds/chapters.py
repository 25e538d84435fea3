"""Blocks of papers that were written from an outline: its chapters in their order, each block in its own form."""

from collections.abc import Iterator, Sequence

from intelli.deliverables.brief import Chapter, ChapterExhibit, ChapterText, DataBrief, Finding, Moment, Table
from intelli.deliverables.kinds import sections
from intelli.deliverables.labels import labels
from intelli.deliverables.paper import (
    Block,
    Bullets,
    Callout,
    Heading,
    Metrics,
    Numbered,
    Paper,
    Paragraph,
    QuoteBlock,
    Runs,
    SourcesList,
    TableBlock,
    TextRun,
)

_MOST_ON_A_SLIDE = 5
_MOST_WORDS_ON_A_SLIDE = 60


def paper(brief: DataBrief) -> Paper:
    """The paper of a report or document: summary and figures, the chapters, what is open, and the sources."""
    first, *others = brief.chapters or (None,)
    is_summed_up = first is not None and first.role == "summary"
    blocks: list[Block] = []
    if first is not None and is_summed_up:
        blocks.append(Callout(title=first.heading, runs=_runs(first.sentences)))
    blocks += [Metrics(metrics=brief.metrics)] if len(brief.metrics) > 1 else []
    for chapter in others if is_summed_up else brief.chapters:
        blocks += _chapter(chapter, brief)
    return sections.paper(brief, [*blocks, *_closing(brief)])


def deck(brief: DataBrief) -> Paper:
    """The paper of slides: a statement over three to five points, or over one picture."""
    blocks: list[Block] = []
    for chapter in brief.chapters:
        blocks += _slides(chapter, brief)
    return sections.paper(brief, [*blocks, *_closing(brief)])


def _chapter(chapter: Chapter, brief: DataBrief) -> list[Block]:
    found: list[Block] = [sections.heading(chapter.heading)]
    if any(each.is_judgement for each in chapter.sentences):
        found.append(Paragraph(runs=(TextRun(text=labels(brief.language).judgement, italic=True),)))
    if chapter.role == "open_questions":
        found += _open(brief)
    for block in chapter.blocks:
        found += _text(block) if isinstance(block, ChapterText) else _exhibit(block, brief)
    return found


def _text(block: ChapterText) -> Iterator[Block]:
    if block.title:
        yield Heading(level=3, text=block.title, id="")
    match block.form:
        case "list":
            yield Bullets(items=tuple(_runs((each,)) for each in block.sentences))
        case "steps":
            yield Numbered(items=tuple(_runs((each,)) for each in block.sentences))
        case "quote":
            yield from (QuoteBlock(runs=_runs((each,))) for each in block.sentences)
        case _:
            yield Paragraph(runs=_runs(block.sentences))


def _exhibit(block: ChapterExhibit, brief: DataBrief) -> Iterator[Block]:
    if block.table is not None:
        yield _table(block.table)
        yield from _calculations(block.table, brief)
    if block.series is not None:
        yield sections.chart(block.series, brief.language)
    if block.moments:
        if block.title:
            yield Heading(level=3, text=block.title, id="")
        yield Bullets(items=tuple(map(_moment, block.moments)))


def _table(given: Table) -> TableBlock:
    rows = tuple(
        tuple((TextRun(text=cell.text, citations=cell.citations, formula=cell.formula),) for cell in row)
        for row in given.rows
    )
    return TableBlock(caption=given.title, columns=given.columns, rows=rows)


def _calculations(table: Table, brief: DataBrief) -> Iterator[Block]:
    """How cells of a table were calculated, in one line."""
    if table.calculations:
        told = "; ".join(table.calculations)
        yield Paragraph(runs=(TextRun(text=f"{labels(brief.language).calculated}: {told}."),))


def _moment(moment: Moment) -> Runs:
    label = TextRun(text=f"{sections.THEN}{moment.label}", citations=(moment.citation,))
    return (TextRun(text=moment.date, bold=True), label)


def _runs(findings: Sequence[Finding]) -> Runs:
    """Sentences one after the other; judgement that cites something is set in italics."""
    return tuple(
        TextRun(text=each.text if not number else f" {each.text}", italic=each.is_judgement, citations=each.citations)
        for number, each in enumerate(findings)
    )


def _open(brief: DataBrief) -> list[Block]:
    """What is open as a list; where nothing is, that the sources say something on all that was asked for."""
    if not brief.open_questions:
        return [Paragraph(runs=(TextRun(text=labels(brief.language).nothing_open),))]
    return [Bullets(items=tuple((TextRun(text=each),) for each in brief.open_questions))]


def _closing(brief: DataBrief) -> list[Block]:
    """What is open, where no chapter says it, and the place of the sources."""
    is_told = any(each.role == "open_questions" for each in brief.chapters)
    left = [] if is_told or not brief.open_questions else [sections.heading(labels(brief.language).open_questions)]
    return [*left, *(_open(brief) if left else []), SourcesList()]


def _slides(chapter: Chapter, brief: DataBrief) -> Iterator[Block]:
    """A section of slides: the chapter's statement over its points, charts and tables, and what is spoken to them."""
    points, spoken = _points(chapter)
    if chapter.role == "open_questions":
        points = [*points, *((TextRun(text=each),) for each in brief.open_questions)]
    exhibits = [block for block in chapter.blocks if isinstance(block, ChapterExhibit)]
    if not points and not exhibits:
        return
    yield sections.heading(chapter.message.rstrip(".") or chapter.heading)
    if points:
        yield Bullets(items=tuple(points))
    for block in exhibits:
        yield from _exhibit(block, brief)
    if spoken:
        yield Paragraph(runs=_runs(spoken))


def _points(chapter: Chapter) -> tuple[list[Runs], list[Finding]]:
    """The points of a chapter and what is spoken beside them: those of its list, else as many as one slide holds."""
    texts = [block for block in chapter.blocks if isinstance(block, ChapterText)]
    listed = next((block for block in texts if block.form in {"list", "steps"}), None)
    if listed is not None:
        spoken = [each for block in texts if block is not listed for each in block.sentences]
        return [_runs((each,)) for each in listed.sentences], spoken
    shown: list[Runs] = []
    room = _MOST_WORDS_ON_A_SLIDE
    sentences = list(chapter.sentences)
    for each in sentences[:_MOST_ON_A_SLIDE]:
        room -= len(each.text.split())
        if shown and room < 0:
            break
        shown.append(_runs((each,)))
    return shown, sentences[len(shown) :]
