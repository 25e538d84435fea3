"""The node that writes the answer in the requested kind, and the node that ends the run's work."""

from langgraph.runtime import Runtime

from intelli.reasoning.verbs.brief import Brief
from intelli.reasoning.verbs.intent import Intent
from intelli.reasoning.verbs.title import TitleInput
from intelli.runs import final_answer
from intelli.runs.answers import kind_of
from intelli.runs.answers.answer_kind import AnswerMaterial
from intelli.runs.context import RunContext
from intelli.runs.events import ChatTitleGenerated, PhaseCompleted
from intelli.runs.graph.plan import is_only_change
from intelli.runs.graph.sources import as_source_text, collect_passages, load_searches
from intelli.runs.graph.state import State
from intelli.runs.recorder import now_ms
from intelli.runs.steps import BRIEF, TITLE, intent_key


async def answer(state: State, runtime: Runtime[RunContext]) -> State:
    """Write the answer from the brief."""
    context = runtime.context
    brief = await context.recorded_reasoner().load_step(BRIEF, Brief)
    found = collect_passages(await load_searches(context, state))
    cited = {finding.identifier for finding in brief.findings}
    passages = tuple(as_source_text(passage) for identifier, passage in found.items() if identifier in cited)
    kind = kind_of(context.facts.deliverable_type)
    written = await kind.write(
        AnswerMaterial(context, brief, passages, tuple(state.get("problems", ())), frozenset(found))
    )
    context.recorder.emit(PhaseCompleted(phase="writing", timestamp=now_ms()), "phase:writing:completed")
    await context.recorder.settle()
    return State(problems=list(written.problems), is_answered=written.answer.is_answered)


async def finish(state: State, runtime: Runtime[RunContext]) -> State:
    """Give the run a title."""
    context = runtime.context
    reasoner = context.recorded_reasoner()
    intent = await reasoner.load_step(intent_key(context.facts.clarified), Intent)
    is_answered = not is_only_change(intent)
    text = (await final_answer.load(context.ledger)).text if is_answered else ""
    asked = TitleInput(question=context.facts.question, answer=text[:2000])
    named = await reasoner.step(TITLE, asked)
    if context.facts.conversation_id is None and named.title:
        context.recorder.emit(ChatTitleGenerated(title=named.title), "title")
    await context.recorder.settle()
    return State(problems=reasoner.problems)
