"""The node that makes the requested deliverables from the checked answer, all from one brief."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from langgraph.runtime import Runtime

from intelli.citations.save import ResearchSummary
from intelli.deliverable_kinds import DeliverableKind, DeliverableType
from intelli.deliverables import compile_brief, compose
from intelli.deliverables.compile_brief import BriefMaterial, CompiledBrief
from intelli.deliverables.kinds import KINDS, kind_of
from intelli.deliverables.show import id_of
from intelli.reasoning.verbs.brief import Brief
from intelli.reasoning.verbs.tabulate import DataTables, TabulateInput
from intelli.reasoning.verbs.write import WrittenSection
from intelli.runs import final_answer
from intelli.runs.as_source_text import as_source_text
from intelli.runs.context import RunContext
from intelli.runs.delivery import WrittenDeliverable
from intelli.runs.graph import sections
from intelli.runs.graph.chapter_brief import compile_whole, load_shown
from intelli.runs.graph.check import summarise_research
from intelli.runs.graph.plan import choose_deliverable_type
from intelli.runs.graph.preview import PreviewWriter
from intelli.runs.graph.sources import TaskSearchResult, collect_passages, collect_read, load_searches
from intelli.runs.graph.state import State
from intelli.runs.judges import judge_of
from intelli.runs.steps import BRIEF, TABULATED
from intelli.runs.understood_message import load_understanding

# Beside the passages that findings stand in, others that were read are looked through for tables.
_MOST_PASSAGES = 40
_NOTHING = "Nothing could be delivered: the sources do not answer the question."


async def deliver(state: State, runtime: Runtime[RunContext]) -> State:
    """Make the deliverables that were requested beside the answer; most runs request none."""
    context = runtime.context
    reasoner = context.recorded_reasoner()
    intent = (await load_understanding(context.ledger, context.facts.clarified)).intent
    names = DeliverableType(choose_deliverable_type(context.facts.deliverable_type, intent)).kinds
    if not names:
        return State()
    brief = await reasoner.load_step(BRIEF, Brief)
    if state.get("is_outlined"):
        return await _deliver_chapters(context, state, names, brief)
    if not brief.findings:
        return State(problems=[_NOTHING])
    await context.recorder.set_progress(0.92, "Writing what you asked for")
    searches = await load_searches(context, state)
    data = await reasoner.step(TABULATED, build_tabulate_input(context, brief, searches))
    previews = {name: PreviewWriter(context, kind_of(name), id_of(context.facts.run_id, name)) for name in names}
    shown = [preview for name, preview in previews.items() if not kind_of(name).is_built]

    async def show_progress(done: Mapping[str, WrittenSection], pending: Sequence[str]) -> None:
        compiled = await compile_data_brief(context, brief, searches, DeliveryMaterial(data, done))
        for preview in shown:
            await preview.emit_certain(compiled, pending)

    prose = await sections.write_sections(
        context, reasoner, sections.SectionTask(brief, data, show_progress if shown else None)
    )
    compiled = await compile_data_brief(context, brief, searches, DeliveryMaterial(data, prose))
    for name, preview in previews.items():
        made = PlannedDeliverable(kind_of(name), id_of(context.facts.run_id, name))
        written = await compose_deliverable(context, made, compiled, summarise_research(searches, brief))
        if preview in shown:
            preview.end(written)
        await context.delivery.deliver(written, judge_of(context))
    await _judge_others(context, names, compiled)
    await context.recorder.settle()
    return State(problems=reasoner.problems)


async def _deliver_chapters(context: RunContext, state: State, names: Sequence[str], brief: Brief) -> State:
    """Make the deliverables of chapters that are written and checked."""
    compiled = await compile_whole(context, state)
    if not any(chapter.blocks for chapter in compiled.brief.chapters):
        return State(problems=[_NOTHING])
    await context.recorder.set_progress(0.94, "Putting it together")
    research = summarise_research(await load_searches(context, state), brief)
    for name in names:
        making = PlannedDeliverable(kind_of(name), id_of(context.facts.run_id, name))
        written = await compose_deliverable(context, making, compiled, research)
        if not making.kind.is_built:
            preview = PreviewWriter(context, making.kind, making.id)
            preview.begin_again(await load_shown(context, state, making.kind))
            preview.end(written)
        await context.delivery.deliver(written, judge_of(context))
    await context.recorder.settle()
    return State()


async def _judge_others(context: RunContext, names: Sequence[str], compiled: CompiledBrief) -> None:
    """Have the statements of the other kinds judged: made from the answer later, they are not judged by a model."""
    for kind in KINDS:
        if kind.name not in names:
            composed = await context.compute.run(compose.compose, kind.name, compiled.brief)
            await context.delivery.judge(composed.paper, compiled, judge_of(context))


def build_tabulate_input(context: RunContext, brief: Brief, searches: Sequence[TaskSearchResult]) -> TabulateInput:
    """Build the input of tabulation: the findings, and their passages before others that were read."""
    found, read = collect_passages(searches), collect_read(searches)
    cited = {name for finding in brief.findings for name in finding.identifiers}
    near = [each for each in found if each in cited] + [each for each in found if each in read - cited]
    passages = tuple(as_source_text(found[each]) for each in near[:_MOST_PASSAGES])
    return TabulateInput(question=context.facts.question, findings=brief.findings, passages=passages)


@dataclass(frozen=True, slots=True)
class DeliveryMaterial:
    """Tables and written sections (by task) that are compiled into a data brief."""

    data: DataTables
    sections: Mapping[str, WrittenSection]


async def compile_data_brief(
    context: RunContext, brief: Brief, searches: Sequence[TaskSearchResult], made: DeliveryMaterial
) -> CompiledBrief:
    """Compile the data brief from findings, answer, tables and sections."""
    material = BriefMaterial(
        brief=brief,
        answer=await final_answer.load(context.ledger),
        data=made.data,
        passages=collect_passages(searches),
        made_on=context.facts.asked_on,
        sections=made.sections,
    )
    return await context.compute.run(compile_brief.compile_brief, material)


@dataclass(frozen=True, slots=True)
class PlannedDeliverable:
    """A deliverable to make: its kind and its id."""

    kind: DeliverableKind
    id: UUID


async def compose_deliverable(
    context: RunContext, making: PlannedDeliverable, compiled: CompiledBrief, research: ResearchSummary
) -> WrittenDeliverable:
    """Compose a deliverable of a kind from the compiled brief."""
    composed = await context.compute.run(compose.compose, making.kind.name, compiled.brief)
    return WrittenDeliverable(making.id, making.kind, compiled, composed.paper, composed.pieces, research)
