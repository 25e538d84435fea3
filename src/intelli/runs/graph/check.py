"""The node that checks the answer, statement by statement; what is rejected goes back to the model once."""

from dataclasses import replace

from langgraph.runtime import Runtime

from intelli.citations import prove
from intelli.citations.check_text import CheckedText, check_text
from intelli.citations.prove import ProofMaterial, ProvenText
from intelli.citations.save import ResearchSummary
from intelli.citations.wire import Check, StatementKind
from intelli.language import words
from intelli.reasoning.verbs.answer import Answer
from intelli.reasoning.verbs.brief import Brief
from intelli.reasoning.verbs.understand import ResearchPlan
from intelli.runs import final_answer
from intelli.runs.answers.delta_writer import DeltaWriter
from intelli.runs.context import RunContext
from intelli.runs.events import CitationsCreated
from intelli.runs.evidence import ProofDraft
from intelli.runs.graph import revise
from intelli.runs.graph.plan import answers_directly
from intelli.runs.graph.sources import TaskSearchResult, collect_passages, collect_read, load_searches
from intelli.runs.graph.state import State
from intelli.runs.judges import ModelJudge, judge_of
from intelli.runs.steps import ANSWER, BRIEF
from intelli.runs.understood_message import load_understanding

# An answer may add what else is not known; what was asked for is told in the words of the question.
_LEAST_SHARE = 0.25


async def check(state: State, runtime: Runtime[RunContext]) -> State:
    """Check and save the citations of the answer, and emit how many passed."""
    context = runtime.context
    reasoner = context.recorded_reasoner()
    await context.recorder.set_progress(0.9, "Checking the citations")
    answer = await reasoner.load_step(ANSWER, Answer)
    brief = await reasoner.load_step(BRIEF, Brief)
    searches = await load_searches(context, state)
    found = collect_passages(searches)
    understood = await load_understanding(context.ledger, context.facts.clarified)
    assert understood.plan is not None, "only what was researched is checked"
    research = replace(summarise_research(searches, brief), unanswered_parts=count_unanswered(understood.plan, brief))
    draft = ProofDraft(answer.text, tuple(found.values()), brief, research)
    material = await context.evidence.load_material(draft)
    if material is None:
        await _emit_text(context, answer.text, (await final_answer.load(context.ledger)).text)
        return State()
    if context.facts.revises_in_context:
        material = replace(material, question=revise.with_today(context.facts))
    checked = await _check(context, draft, material)
    if answers_directly(context.facts, understood):
        absent = count_absences(checked.proven, context.facts.question)
        draft = replace(draft, research=replace(research, unanswered_parts=absent))
    await final_answer.record(context.ledger, answer, checked.proven.text)
    await _emit_text(context, answer.text, checked.proven.text)
    tally = await context.evidence.save_checked(draft, checked.proven)
    created = CitationsCreated(
        message_id=context.facts.answer_id,
        total=sum(tally.values()),
        verified=tally.get(Check.VERIFIED, 0),
        weak=tally.get(Check.WEAK, 0),
        failed=tally.get(Check.FAILED, 0),
    )
    context.recorder.emit(created, "citations_created")
    await context.recorder.settle()
    return State(problems=list(checked.problems))


async def _check(context: RunContext, draft: ProofDraft, material: ProofMaterial) -> CheckedText:
    """Check the answer; what the check rejects is written anew once, and checked again."""
    judge = judge_of(context)

    async def check_again(text: str, before: CheckedText) -> CheckedText:
        if text == before.proven.text:
            return before
        after = await check_text(prove.read(text), material, judge=judge, compute=context.compute)
        return min((after, before), key=lambda each: revise.count_rejected(each.proven))

    first = await check_text(prove.read(draft.text), material, judge=judge, compute=context.compute)
    if not isinstance(judge, ModelJudge) or first.problems:
        return first
    # What the judge found in a source that is not cited needs a citation, and no other words.
    cited = await check_again(revise.cite_elsewhere(first.proven, material), first)
    return await check_again(await revise.revise(context, cited.proven, material), cited)


async def _emit_text(context: RunContext, before: str, after: str) -> None:
    """Emit what the check changed of the text, as deltas that replace what was emitted."""
    if before == after:
        return
    writer = DeltaWriter(context.recorder, context.facts.answer_id, before, step="checked")
    writer.feed(after)
    writer.end(after)
    await context.recorder.settle()


def count_absences(proven: ProvenText, question: str) -> int:
    """Count the statements which say that the sources are silent about something that was asked for."""
    asked = _terms(question)
    absent = [_terms(each.statement.text) for each in proven.statements if each.statement.kind is StatementKind.ABSENCE]
    return sum(len(terms & asked) >= _LEAST_SHARE * len(terms) for terms in absent)


def _terms(text: str) -> set[str]:
    return set(words.terms_of(text, words.language_of(text)))


def count_unanswered(plan: ResearchPlan, brief: Brief) -> int:
    """Count the tasks of a plan that no finding is about; 0 when none is: then nothing is answered at all."""
    told = {finding.about for finding in brief.findings}
    return sum(task.title not in told for task in plan.tasks) if told else 0


def summarise_research(searches: list[TaskSearchResult], brief: Brief) -> ResearchSummary:
    """Summarise the research: queries, passages found and read, open questions, disagreements."""
    return ResearchSummary(
        queries=[(looked.query, len(looked.passages)) for looked in searches if looked.is_search],
        found=frozenset(collect_passages(searches)),
        read=collect_read(searches),
        not_found=brief.open_questions,
        disagreements=[each.model_dump(mode="json") for each in brief.disagreements],
    )
