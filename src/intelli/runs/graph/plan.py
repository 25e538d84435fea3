"""The first node: understand the message, ask for a clarification if needed, and plan the tasks."""

from langgraph.runtime import Runtime
from langgraph.types import Send

from intelli.deliverable_kinds import DeliverableType
from intelli.reasoning.verbs.understand import Intent, ResearchPlan, Understanding, UnderstandInput
from intelli.runs.context import RunContext, RunFacts
from intelli.runs.errors import ToolFailed
from intelli.runs.events import PhaseCompleted, PhaseStarted
from intelli.runs.graph.state import State, TaskState
from intelli.runs.recorded_reasoner import RecordedReasoner
from intelli.runs.recorder import now_ms
from intelli.runs.steps import library_key, understand_key
from intelli.runs.tools import list_directory
from intelli.runs.tools.list_directory import ListedItem, ListInput
from intelli.runs.tools.tool import ToolCall
from intelli.runs.understood_message import find_understanding

_MOST_CLARIFICATIONS = 2
_MOST_NAMES = 60
_DEEPEST = 3


async def plan(state: State, runtime: Runtime[RunContext]) -> State:
    """Plan the tasks, or set the clarification question to ask."""
    context = runtime.context
    reasoner = context.recorded_reasoner()
    context.recorder.emit(PhaseStarted(phase="planning", timestamp=now_ms()), "phase:planning:started")
    understood = await _understand(context, reasoner)
    intent, made = understood.intent, understood.plan
    if intent.clarification:
        await context.recorder.settle()
        return State(clarification=intent.clarification, problems=reasoner.problems)
    if made is None:
        await context.recorder.save_intent(intent.kind)
    else:
        await _save_plan(context, intent, made)
    context.recorder.emit(PhaseCompleted(phase="planning", timestamp=now_ms()), "phase:planning:completed")
    if made is not None:
        context.recorder.emit(PhaseStarted(phase="research", timestamp=now_ms()), "phase:research:started")
    await context.recorder.settle()
    return State(
        tasks=len(made.tasks) if made else 0,
        clarification=None,
        is_replied=understood.reply is not None,
        problems=reasoner.problems,
    )


def next_after_plan(state: State) -> str | list[Send]:
    """Return what follows: `clarify`, `reply`, one `research` per task, or `change` when nothing is researched."""
    if state.get("clarification"):
        return "clarify"
    if state.get("is_replied"):
        return "reply"
    if not state["tasks"]:
        return "change"
    return [Send("research", TaskState(index=index)) for index in range(state["tasks"])]


async def _understand(context: RunContext, reasoner: RecordedReasoner) -> Understanding:
    facts = context.facts
    if not await context.ledger.list_steps(understand_key(facts.clarified)):
        earlier = await find_understanding(context.ledger, facts.clarified)
        if earlier is not None:
            return earlier
    asked = UnderstandInput(
        question=facts.question,
        conversation=facts.turns,
        library=await _list_library(context),
        today=facts.asked_on,
        max_tasks=facts.max_tasks,
        is_form_chosen=facts.deliverable_type != DeliverableType.STANDARD,
        may_ask=facts.clarified < _MOST_CLARIFICATIONS,
    )
    return await reasoner.step(understand_key(facts.clarified), asked)


async def _list_library(context: RunContext) -> tuple[str, ...]:
    """List the names in the folder in focus, or at the top of the library; of a folder alone what is in it."""
    scope = context.facts.scope
    if scope.document_ids and not scope.folders:
        return ()
    folder, places = scope.folders[0] if scope.folders else "/", list[ListedItem]()
    for depth in range(_DEEPEST):
        call = ToolCall(
            library_key(context.facts.clarified, depth), ListInput(path=folder, limit=_MOST_NAMES), node="plan"
        )
        try:
            places = (await context.tools.use(list_directory.TOOL, call)).places
        except ToolFailed:
            # A question is understood without the names, too.
            break
        if len(places) != 1 or not places[0].is_folder:
            break
        folder = places[0].path
    return tuple(f"{place.name}/" if place.is_folder else place.name for place in places)


async def _save_plan(context: RunContext, intent: Intent, made: ResearchPlan) -> None:
    await context.evidence.save_plan(context.facts.question, made)
    await context.recorder.save_plan(intent.kind, choose_deliverable_type(context.facts.deliverable_type, intent), made)


def answers_directly(facts: RunFacts, understood: Understanding) -> bool:
    """Return whether a model writes the answer from the passages themselves, with no notes and no brief between.

    Notes and a brief are for what is made of several findings: a report, slides, a website.
    """
    wanted = DeliverableType(choose_deliverable_type(facts.deliverable_type, understood.intent))
    return facts.reads_directly and not wanted.kinds


def is_outlined(facts: RunFacts, understood: Understanding) -> bool:
    """Return whether a deliverable is wanted that is written from an outline, chapter by chapter."""
    wanted = DeliverableType(choose_deliverable_type(facts.deliverable_type, understood.intent))
    return facts.outlines and bool(wanted.kinds)


def choose_deliverable_type(chosen: str, intent: Intent) -> str:
    """Return the deliverable type: the person's choice, or, for a plain answer, what the message itself asks for."""
    return chosen if chosen != DeliverableType.STANDARD else intent.deliverable
