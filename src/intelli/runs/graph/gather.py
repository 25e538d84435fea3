"""The node that joins all research tasks, and the node that makes a brief of their notes."""

from decimal import Decimal

from langgraph.runtime import Runtime

from intelli.reasoning.usage import Usage
from intelli.reasoning.verbs.brief import Brief, BriefInput
from intelli.reasoning.verbs.note import Notes
from intelli.runs.context import RunContext
from intelli.runs.events import PhaseCompleted, PhaseStarted
from intelli.runs.graph.plan import answers_directly
from intelli.runs.graph.sources import load_passages
from intelli.runs.graph.state import State
from intelli.runs.ledger import RecordedStep
from intelli.runs.recorded_reasoner import RecordedReasoner
from intelli.runs.recorder import now_ms
from intelli.runs.steps import BRIEF, note_key
from intelli.runs.understood_message import load_understanding

_RULES = "rules"


async def gather(state: State, runtime: Runtime[RunContext]) -> State:
    """Emit that the research is done."""
    recorder = runtime.context.recorder
    findings = sum(outcome["findings"] for outcome in state["outcomes"])
    await recorder.set_progress(0.6, f"Found {findings} statements")
    recorder.emit(PhaseCompleted(phase="research", timestamp=now_ms()), "phase:research:completed")
    recorder.emit(PhaseStarted(phase="synthesis", timestamp=now_ms()), "phase:synthesis:started")
    await recorder.settle()
    return State()


async def brief(state: State, runtime: Runtime[RunContext]) -> State:
    """Make a brief of the notes of all tasks, where the answer is written from one."""
    context = runtime.context
    reasoner = context.recorded_reasoner()
    understood = await load_understanding(context.ledger, context.facts.clarified)
    if answers_directly(context.facts, understood):
        await _record_empty(context)
    else:
        await _make_brief(context, reasoner, state)
    await context.recorder.set_progress(0.75, "Writing the answer")
    context.recorder.emit(PhaseCompleted(phase="synthesis", timestamp=now_ms()), "phase:synthesis:completed")
    context.recorder.emit(PhaseStarted(phase="writing", timestamp=now_ms()), "phase:writing:started")
    await context.recorder.settle()
    return State(problems=reasoner.problems)


async def _make_brief(context: RunContext, reasoner: RecordedReasoner, state: State) -> None:
    done = sorted(outcome["index"] for outcome in state["outcomes"] if outcome["succeeded"])
    notes = tuple([await reasoner.load_step(note_key(index), Notes) for index in done])
    cited = {finding.identifier for each in notes for finding in each.findings}
    passages = await load_passages(context, state, only=cited)
    await reasoner.step(BRIEF, BriefInput(question=context.facts.question, notes=notes, passages=passages))


async def _record_empty(context: RunContext) -> None:
    """Record a brief without findings: the answer is written from the passages, and nothing else uses a brief."""
    asked = BriefInput(question=context.facts.question, notes=())
    if await context.ledger.begin(BRIEF, asked, ceiling=Decimal(0), model=_RULES) is None:
        brief = Brief(title=context.facts.question, question=context.facts.question, findings=())
        await context.ledger.record(BRIEF, RecordedStep(brief.model_dump(mode="json")), Usage(model=_RULES))
