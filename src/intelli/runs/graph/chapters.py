"""The node that writes the chapters of an outline, one after the other, and then what is written over all of them."""

from collections.abc import Sequence

from langgraph.runtime import Runtime

from intelli.deliverable_kinds import DeliverableType
from intelli.deliverables.kinds import kind_of
from intelli.deliverables.show import id_of
from intelli.reasoning.verbs.chapter import ChapterInput, CitedSentence, WrittenChapter
from intelli.reasoning.verbs.conclude import ChapterStatement, ClosingInput
from intelli.reasoning.verbs.outline import Outline
from intelli.runs.as_source_text import as_source_text
from intelli.runs.context import RunContext
from intelli.runs.graph import chapter_brief
from intelli.runs.graph.chapter_sources import ChapterSources
from intelli.runs.graph.outline import kind_phrase
from intelli.runs.graph.plan import choose_deliverable_type
from intelli.runs.graph.preview import PreviewWriter
from intelli.runs.graph.sources import load_outline, load_task_searches
from intelli.runs.graph.state import State
from intelli.runs.recorded_reasoner import RecordedReasoner
from intelli.runs.steps import CLOSING, chapter_key
from intelli.runs.understood_message import load_understanding

_EMPTY = "\u2013- "
_BEGUN, _SPAN = 0.64, 0.22


async def chapters(state: State, runtime: Runtime[RunContext]) -> State:
    """Write every chapter as a step of its own, then the closing, and have all of it checked."""
    context = runtime.context
    if not state.get("is_outlined"):
        return State()
    reasoner = context.recorded_reasoner()
    outline = await load_outline(context.ledger)
    written = await _write_chapters(context, reasoner, state, outline)
    await context.recorder.set_progress(_BEGUN + _SPAN, "Summing up the chapters")
    asked = ClosingInput(
        question=context.facts.question,
        outline=outline,
        statements=tuple(_statements(written)),
        missing=tuple(dict.fromkeys(each for chapter in written for each in chapter.missing)),
        today=context.facts.asked_on,
    )
    await reasoner.step(CLOSING, asked)
    await chapter_brief.reject(context, state)
    await context.recorder.settle()
    return State(problems=reasoner.problems)


async def _write_chapters(
    context: RunContext, reasoner: RecordedReasoner, state: State, outline: Outline
) -> list[WrittenChapter]:
    understood = await load_understanding(context.ledger, context.facts.clarified)
    searches = await load_task_searches(context, state)
    sources = ChapterSources(context, outline, searches)
    kind = kind_phrase(context, understood)
    wanted = DeliverableType(choose_deliverable_type(context.facts.deliverable_type, understood.intent)).kinds
    preview = preview_of(context, wanted)
    written: list[WrittenChapter] = []
    total = len(outline.plain)
    for number, chapter in enumerate(outline.plain):
        words = f"Writing chapter {number + 1} of {total}: {chapter.heading}"
        await context.recorder.set_progress(_BEGUN + _SPAN * number / total, words)
        if preview is not None and written:
            compiled = await chapter_brief.compile_written(context, state, written)
            await preview.emit_chapters(compiled, len(outline.chapters))
        passages = await sources.find(number)
        asked = ChapterInput(
            question=context.facts.question,
            kind=kind,
            outline=outline,
            number=number,
            said=tuple(each.sentence.text for each in _statements(written)),
            today=context.facts.asked_on,
            passages=tuple(as_source_text(each) for each in passages),
            from_tables=await sources.ask_tables(number, passages),
        )
        written.append(await reasoner.step(chapter_key(number), asked))
    return written


def preview_of(context: RunContext, wanted: Sequence[str]) -> PreviewWriter | None:
    """Return the preview of the kind that is read while it is written; None where all are built by jobs."""
    shown = next((kind for kind in map(kind_of, wanted) if not kind.is_built), None)
    return PreviewWriter(context, shown, id_of(context.facts.run_id, shown.name)) if shown is not None else None


def _statements(written: Sequence[WrittenChapter]) -> list[ChapterStatement]:
    """Return what chapters say: their sentences, and the rows of their tables in words."""
    found = []
    for chapter in written:
        said = [*chapter.sentences]
        for block in chapter.blocks:
            for row in block.rows:
                cells = [
                    f"{head}: {cell.text}"
                    for head, cell in zip(block.columns, row, strict=False)
                    if cell.text.strip(_EMPTY)
                ]
                cites = dict.fromkeys(cite for cell in row for cite in cell.cites)
                said.append(CitedSentence(text="; ".join(filter(None, (block.title, *cells))), cites=tuple(cites)))
        found += [ChapterStatement(chapter=chapter.heading, sentence=each) for each in said if each.cites]
    return found
