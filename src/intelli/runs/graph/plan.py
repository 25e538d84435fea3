"""The first node: determine the intent, ask for a clarification if needed, and plan the tasks."""

from langgraph.runtime import Runtime
from langgraph.types import Send

from intelli.deliverable_kinds import DeliverableType
from intelli.reasoning.verbs.intent import Changing, Intent, IntentInput
from intelli.reasoning.verbs.plan import PlanInput
from intelli.runs.context import RunContext
from intelli.runs.events import PhaseCompleted, PhaseStarted
from intelli.runs.graph.state import State, TaskState
from intelli.runs.recorder import now_ms
from intelli.runs.steps import intent_key, plan_key

_MOST_CLARIFICATIONS = 2


async def plan(state: State, runtime: Runtime[RunContext]) -> State:
    """Plan the tasks, or set the clarification question to ask."""
    context, facts = runtime.context, runtime.context.facts
    reasoner = context.recorded_reasoner()
    context.recorder.emit(PhaseStarted(phase="planning", timestamp=now_ms()), "phase:planning:started")
    asked = IntentInput(question=facts.question, conversation=facts.turns)
    intent = await reasoner.step(intent_key(facts.clarified), asked)
    if intent.clarification and facts.clarified < _MOST_CLARIFICATIONS:
        await context.recorder.settle()
        return State(clarification=intent.clarification, problems=reasoner.problems)
    if is_only_change(intent):
        await context.recorder.save_intent(intent.kind)
        context.recorder.emit(PhaseCompleted(phase="planning", timestamp=now_ms()), "phase:planning:completed")
        await context.recorder.settle()
        return State(tasks=0, clarification=None, problems=reasoner.problems)
    made = await reasoner.step(plan_key(facts.clarified), _plan_input(context))
    await context.evidence.save_plan(facts.question, made)
    await context.recorder.save_plan(intent.kind, choose_deliverable_type(facts.deliverable_type, intent), made)
    context.recorder.emit(PhaseCompleted(phase="planning", timestamp=now_ms()), "phase:planning:completed")
    context.recorder.emit(PhaseStarted(phase="research", timestamp=now_ms()), "phase:research:started")
    await context.recorder.settle()
    return State(tasks=len(made.tasks), clarification=None, problems=reasoner.problems)


def next_after_plan(state: State) -> str | list[Send]:
    """Return what follows: `clarify`, one `research` per task, or `change` when there is nothing to research."""
    if state.get("clarification"):
        return "clarify"
    if not state["tasks"]:
        return "change"
    return [Send("research", TaskState(index=index)) for index in range(state["tasks"])]


def _plan_input(context: RunContext) -> PlanInput:
    facts = context.facts
    return PlanInput(question=facts.question, conversation=facts.turns, today=facts.asked_on, max_tasks=facts.max_tasks)


def choose_deliverable_type(chosen: str, intent: Intent) -> str:
    """Return the deliverable type: the person's choice, or, for a plain answer, what the message itself asks for."""
    return chosen if chosen != DeliverableType.STANDARD else intent.deliverable


def is_only_change(intent: Intent) -> bool:
    """Return whether the message only asks to change documents; then no deliverable is made, whatever was chosen."""
    is_plain = intent.deliverable is DeliverableType.STANDARD
    return intent.changing is Changing.ONLY and is_plain
