"""The node that makes the outline of a deliverable: from the person's own words, and from what was found."""

from langgraph.runtime import Runtime

from intelli.deliverable_kinds import KINDS, DeliverableType
from intelli.reasoning import orders
from intelli.reasoning.values import SourceText
from intelli.reasoning.verbs.outline import Outline, OutlineInput
from intelli.reasoning.verbs.understand import Understanding
from intelli.runs.as_source_text import as_source_text
from intelli.runs.context import RunContext
from intelli.runs.events import OutlineCreated, OutlinedChapter
from intelli.runs.graph.plan import choose_deliverable_type, is_outlined
from intelli.runs.graph.sources import load_task_searches, merge, worth_reading
from intelli.runs.graph.state import State
from intelli.runs.recorder import now_ms
from intelli.runs.steps import OUTLINE
from intelli.runs.understood_message import load_understanding

# How passages begin tells what they are of; chapters are written from all of them.
_BEGINNING = 360
_MOST_BEGINNINGS = 48


async def outline(state: State, runtime: Runtime[RunContext]) -> State:
    """Make the outline, and emit it. Without anything found, or where none is wanted, there is none."""
    context = runtime.context
    understood = await load_understanding(context.ledger, context.facts.clarified)
    if not is_outlined(context.facts, understood):
        return State()
    searches = await load_task_searches(context, state)
    found = merge((worth_reading(search.passages) for search in searches), most=_MOST_BEGINNINGS)
    if not found:
        return State()
    await context.recorder.set_progress(0.62, "Making the outline")
    assert understood.plan is not None, "only what was researched is outlined"
    reasoner = context.recorded_reasoner()
    asked = OutlineInput(
        question=context.facts.question,
        conversation=context.facts.turns,
        kind=kind_phrase(context, understood),
        order=await context.compute.run(orders.read_order, context.facts.question),
        tasks=tuple(task.title for task in understood.plan.tasks),
        today=context.facts.asked_on,
        passages=tuple(_beginning(as_source_text(each)) for each in found),
    )
    _emit(context, await reasoner.step(OUTLINE, asked))
    await context.recorder.settle()
    return State(is_outlined=True, problems=reasoner.problems)


def kind_phrase(context: RunContext, understood: Understanding) -> str:
    """Return what is to be delivered as a sentence names it: "a report"."""
    wanted = DeliverableType(choose_deliverable_type(context.facts.deliverable_type, understood.intent)).kinds
    return next(kind.phrase for kind in KINDS if kind.name == wanted[0])


def _beginning(source: SourceText) -> SourceText:
    return source.model_copy(update={"text": source.text[:_BEGINNING], "asides": ()})


def _emit(context: RunContext, made: Outline) -> None:
    chapters = [
        OutlinedChapter(heading=each.heading, message=each.message, role=each.role.value, form=each.form.value)
        for each in made.chapters
    ]
    context.recorder.emit(OutlineCreated(title=made.title, chapters=chapters, timestamp=now_ms()), "outline")
