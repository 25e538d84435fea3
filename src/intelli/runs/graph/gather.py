"""The node where all researchers meet, and the one that makes a brief of what they found."""

from langgraph.runtime import Runtime

from intelli.reasoning.verbs.brief import BriefInput
from intelli.reasoning.verbs.note import Notes
from intelli.runs.context import RunContext
from intelli.runs.events import PhaseCompleted, PhaseStarted
from intelli.runs.graph.sources import passages_of
from intelli.runs.graph.state import State
from intelli.runs.recorder import now_ms
from intelli.runs.steps import BRIEF, note_key


async def gather(state: State, runtime: Runtime[RunContext]) -> State:
    """Tell that the research is done."""
    notebook = runtime.context.notebook
    findings = sum(outcome["findings"] for outcome in state["outcomes"])
    await notebook.progress(0.6, f"Found {findings} statements")
    notebook.say(PhaseCompleted(phase="research", timestamp=now_ms()), "phase:research:completed")
    notebook.say(PhaseStarted(phase="synthesis", timestamp=now_ms()), "phase:synthesis:started")
    await notebook.settle()
    return State()


async def brief(state: State, runtime: Runtime[RunContext]) -> State:
    """What the notes of all tasks come to."""
    desk = runtime.context
    reasoner = desk.recorded_reasoner()
    done = sorted(outcome["index"] for outcome in state["outcomes"] if outcome["succeeded"])
    notes = tuple([await reasoner.recall(note_key(index), Notes) for index in done])
    cited = {finding.identifier for each in notes for finding in each.findings}
    passages = await passages_of(desk, state, only=cited)
    await reasoner.step(BRIEF, BriefInput(question=desk.facts.question, notes=notes, passages=passages))
    await desk.notebook.progress(0.75, "Writing the answer")
    desk.notebook.say(PhaseCompleted(phase="synthesis", timestamp=now_ms()), "phase:synthesis:completed")
    desk.notebook.say(PhaseStarted(phase="writing", timestamp=now_ms()), "phase:writing:started")
    await desk.notebook.settle()
    return State(problems=reasoner.problems)
