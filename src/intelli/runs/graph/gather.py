"""The node that joins all research tasks, and the node that makes a brief of their notes."""

from decimal import Decimal

from langgraph.runtime import Runtime

from intelli.reasoning.usage import Usage
from intelli.reasoning.verbs.brief import Brief, BriefInput
from intelli.reasoning.verbs.note import Notes
from intelli.runs.as_source_text import as_source_text
from intelli.runs.context import RunContext
from intelli.runs.events import PhaseCompleted, PhaseStarted
from intelli.runs.graph.chapter_brief import record_brief
from intelli.runs.graph.plan import answers_directly, is_outlined
from intelli.runs.graph.sources import check_noted, collect_passages, load_searches
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
    problems: list[str] = []
    if state.get("is_outlined"):
        await record_brief(context)
    elif answers_directly(context.facts, understood) or is_outlined(context.facts, understood):
        await _record_empty(context)
    else:
        problems = await _make_brief(context, reasoner, state)
    await context.recorder.set_progress(0.75, "Writing the answer")
    context.recorder.emit(PhaseCompleted(phase="synthesis", timestamp=now_ms()), "phase:synthesis:completed")
    context.recorder.emit(PhaseStarted(phase="writing", timestamp=now_ms()), "phase:writing:started")
    await context.recorder.settle()
    return State(problems=[*problems, *reasoner.problems])


async def _make_brief(context: RunContext, reasoner: RecordedReasoner, state: State) -> list[str]:
    """Make the brief of what the notes bear; return what is to be told of those that said more."""
    done = sorted(outcome["index"] for outcome in state["outcomes"] if outcome["succeeded"])
    noted = [await reasoner.load_step(note_key(index), Notes) for index in done]
    found = collect_passages(await load_searches(context, state))
    checked = await check_noted(context, noted, found)
    told = (finding for each in checked.notes for finding in (*each.findings, *each.closest))
    cited = {name for finding in told for name in finding.identifiers}
    passages = tuple(as_source_text(passage) for name, passage in found.items() if name in cited)
    await reasoner.step(BRIEF, BriefInput(question=context.facts.question, notes=checked.notes, passages=passages))
    return [checked.problem] if checked.problem else []


async def _record_empty(context: RunContext) -> None:
    """Record a brief without findings: the answer is written from the passages, and nothing else uses a brief."""
    asked = BriefInput(question=context.facts.question, notes=())
    if await context.ledger.begin(BRIEF, asked, ceiling=Decimal(0), model=_RULES) is None:
        brief = Brief(title=context.facts.question, question=context.facts.question, findings=())
        await context.ledger.record(BRIEF, RecordedStep(brief.model_dump(mode="json")), Usage(model=_RULES))
