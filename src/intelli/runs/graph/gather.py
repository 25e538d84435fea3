"""The node that joins all research tasks, and the node that makes a brief of their notes."""

from langgraph.runtime import Runtime

from intelli.reasoning.verbs.brief import BriefInput
from intelli.reasoning.verbs.note import Notes
from intelli.runs.context import RunContext
from intelli.runs.events import PhaseCompleted, PhaseStarted
from intelli.runs.graph.sources import load_passages
from intelli.runs.graph.state import State
from intelli.runs.recorder import now_ms
from intelli.runs.steps import BRIEF, note_key


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
    """Make a brief of the notes of all tasks."""
    context = runtime.context
    reasoner = context.recorded_reasoner()
    done = sorted(outcome["index"] for outcome in state["outcomes"] if outcome["succeeded"])
    notes = tuple([await reasoner.load_step(note_key(index), Notes) for index in done])
    cited = {finding.identifier for each in notes for finding in each.findings}
    passages = await load_passages(context, state, only=cited)
    await reasoner.step(BRIEF, BriefInput(question=context.facts.question, notes=notes, passages=passages))
    await context.recorder.set_progress(0.75, "Writing the answer")
    context.recorder.emit(PhaseCompleted(phase="synthesis", timestamp=now_ms()), "phase:synthesis:completed")
    context.recorder.emit(PhaseStarted(phase="writing", timestamp=now_ms()), "phase:writing:started")
    await context.recorder.settle()
    return State(problems=reasoner.problems)
