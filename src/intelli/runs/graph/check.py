"""The node that checks the answer: every citation is bound to the words it rests on and checked."""

from langgraph.runtime import Runtime

from intelli.citations.prove import CitationProof
from intelli.citations.save import ResearchSummary
from intelli.citations.wire import Check
from intelli.reasoning.values import SourceText
from intelli.reasoning.verbs.answer import Answer
from intelli.reasoning.verbs.brief import Brief
from intelli.reasoning.verbs.judge import JudgeInput, Judgement
from intelli.runs.context import RunContext
from intelli.runs.events import CitationsCreated
from intelli.runs.evidence import ProofDraft
from intelli.runs.graph.sources import TaskSearchResult, collect_passages, collect_read, load_searches
from intelli.runs.graph.state import State
from intelli.runs.steps import ANSWER, BRIEF, judge_key


async def check(state: State, runtime: Runtime[RunContext]) -> State:
    """Bind, check and save the citations of the answer, and emit how many passed."""
    context = runtime.context
    reasoner = context.recorded_reasoner()
    await context.recorder.set_progress(0.9, "Checking the citations")
    answer = await reasoner.load_step(ANSWER, Answer)
    brief = await reasoner.load_step(BRIEF, Brief)
    searches = await load_searches(context, state)
    found = collect_passages(searches)
    draft = ProofDraft(answer.text, tuple(found.values()), brief, summarise_research(searches, brief))
    tally = await context.evidence.prove(draft, ModelJudge(context))
    created = CitationsCreated(
        message_id=context.facts.answer_id,
        total=sum(tally.values()),
        verified=tally.get(Check.VERIFIED, 0),
        weak=tally.get(Check.WEAK, 0),
        failed=tally.get(Check.FAILED, 0),
    )
    context.recorder.emit(created, "citations_created")
    await context.recorder.settle()
    return State()


class ModelJudge:
    """Judge that asks the model, if there is one; an answer of the fallback reasoner is no judgement."""

    def __init__(self, context: RunContext) -> None:
        self._context = context

    async def __call__(self, proof: CitationProof) -> Judgement | None:
        """Return the model's judgement of a proof, or None."""
        if self._context.reasoner.name == self._context.fallback.name or proof.passage is None:
            return None
        reasoner = self._context.recorded_reasoner()
        passage = SourceText(identifier=proof.identifier, title=proof.passage.title, text=proof.quote)
        asked = JudgeInput(statement=proof.statement, passage=passage)
        judgement = await reasoner.step(judge_key(proof.statement, proof.quote), asked)
        return None if reasoner.problems else judgement


class RecordedJudge:
    """Judge that returns the judgements recorded while the run was at work, and asks no model."""

    def __init__(self, context: RunContext) -> None:
        self._context = context

    async def __call__(self, proof: CitationProof) -> Judgement | None:
        """Return the recorded judgement of these words, or None."""
        recorded = await self._context.ledger.find(judge_key(proof.statement, proof.quote))
        if recorded is None or recorded.problem is not None:
            return None
        return Judgement.model_validate(recorded.answer)


def summarise_research(searches: list[TaskSearchResult], brief: Brief) -> ResearchSummary:
    """Summarise the research: queries, passages found and read, open questions, disagreements."""
    return ResearchSummary(
        queries=[(looked.query, len(looked.passages)) for looked in searches],
        found=frozenset(collect_passages(searches)),
        read=collect_read(searches),
        not_found=brief.open_questions,
        disagreements=[each.model_dump(mode="json") for each in brief.disagreements],
    )
