"""The node that writes the answer in the requested kind, and the node that ends the run's work."""

from langgraph.runtime import Runtime

from intelli.reasoning.verbs.brief import Brief
from intelli.runs.answers import kind_of
from intelli.runs.answers.answer_kind import AnswerMaterial
from intelli.runs.as_source_text import as_source_text
from intelli.runs.check_findings import REPLACED
from intelli.runs.context import RunContext
from intelli.runs.events import ChatTitleGenerated, PhaseCompleted
from intelli.runs.graph import short_answer
from intelli.runs.graph.plan import answers_directly
from intelli.runs.graph.sources import (
    arrange_by_document,
    collect_passages,
    load_searches,
    mark_whole_tables,
    select_sources,
)
from intelli.runs.graph.state import State
from intelli.runs.recorded_reasoner import WITHOUT_MODEL
from intelli.runs.recorder import now_ms
from intelli.runs.steps import BRIEF
from intelli.runs.understood_message import load_understanding


async def answer(state: State, runtime: Runtime[RunContext]) -> State:
    """Write the answer from the brief, or directly from the passages that bear on the question."""
    context = runtime.context
    if state.get("is_outlined"):
        return await short_answer.write(context)
    brief = await context.recorded_reasoner().load_step(BRIEF, Brief)
    understood = await load_understanding(context.ledger, context.facts.clarified)
    searches = await load_searches(context, state)
    found = collect_passages(searches)
    cited = {name for finding in (*brief.findings, *brief.closest) for name in finding.identifiers}
    is_direct = answers_directly(context.facts, understood)
    by_worth = context.facts.reads_by_worth
    chosen = (
        select_sources(searches, by_task=by_worth) if is_direct else [found[each] for each in found if each in cited]
    )
    if context.facts.reads_on:
        # A model that reads much is given a document in its order; one that reads little takes the best first.
        chosen = arrange_by_document(chosen)
    if by_worth:
        chosen = mark_whole_tables(chosen)
    kind = kind_of(context.facts.deliverable_type)
    written = await kind.write(
        AnswerMaterial(
            context=context,
            brief=brief,
            tasks=understood.plan.tasks if understood.plan and is_direct else (),
            passages=tuple(as_source_text(passage) for passage in chosen),
            # What was done without the model, or reduced to the sources' words, is told beside the answer, once.
            problems=tuple(each for each in state.get("problems", ()) if not each.endswith((WITHOUT_MODEL, REPLACED))),
            found=found,
            is_direct=is_direct,
        )
    )
    context.recorder.emit(PhaseCompleted(phase="writing", timestamp=now_ms()), "phase:writing:completed")
    await context.recorder.settle()
    return State(problems=list(written.problems), is_answered=written.answer.is_answered)


async def finish(state: State, runtime: Runtime[RunContext]) -> State:
    """Emit the title of a run that belongs to no conversation; a conversation is named with its answer."""
    context = runtime.context
    title = (await load_understanding(context.ledger, context.facts.clarified)).title
    if context.facts.conversation_id is None and title:
        context.recorder.emit(ChatTitleGenerated(title=title), "title")
    await context.recorder.settle()
    return State()
