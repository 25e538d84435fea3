"""Judges of a run: the model, which is asked once about each statement, and the judgements that were recorded."""

from intelli.citations.entailment_judge import make_entailment_judge
from intelli.citations.judge import Judge, JudgeCall
from intelli.citations.wire import JudgedBy
from intelli.reasoning.verbs.judge import JudgeInput, Judgement, Judgements, StatementToJudge, Verdict
from intelli.runs.context import RunContext
from intelli.runs.ledger import Ledger, fingerprint
from intelli.runs.steps import JUDGE, judge_key

_Key = tuple[str, tuple[str, ...]]


def judge_of(context: RunContext) -> Judge | None:
    """Return the judge of a run: its model if that judges, else the entailment model of the settings, else None."""
    if "judge" in context.reasoner.prompts:
        return ModelJudge(context)
    return make_entailment_judge(context.entailment)


class RecordedJudge:
    """Judge that knows the judgements recorded while the run was at work, and asks no model."""

    judged_by = JudgedBy.MODEL

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger

    async def recall(self, statement: StatementToJudge) -> Judgement | None:
        """Return the recorded judgement of a statement over these sources, or None."""
        return (await self._known()).get((statement.text, statement.sources))

    async def __call__(self, call: JudgeCall) -> Judgements | None:
        """Return None: no model is asked."""
        return None

    async def _known(self) -> dict[_Key, Judgement]:
        found: dict[_Key, Judgement] = {}
        for step in await self._ledger.list_steps(JUDGE):
            # Judgements of single citations, as earlier versions recorded them, are of another form.
            if step.problem is None and "judgements" in step.answer:
                recorded = Judgements.model_validate(step.answer)
                if recorded.is_sound:
                    judged = [each for each in recorded.judgements if each.is_true is None]
                    found |= {(each.text, (*each.cited, *each.elsewhere)): _with_elsewhere(each) for each in judged}
                    found |= {(each.text, each.cited): each for each in judged}
        return found


def _with_elsewhere(judgement: Judgement) -> Judgement:
    """Return the judgement of a statement that also cites what was named for it: that carries it."""
    named = (*judgement.cited, *judgement.elsewhere)
    carried = {"cited": named, "sources": (*judgement.sources, *judgement.elsewhere), "elsewhere": ()}
    return judgement.model_copy(update={**carried, "verdict": Verdict.SUPPORTED, "reason": ""})


class ModelJudge(RecordedJudge):
    """Judge that asks the model about what it has not judged yet."""

    def __init__(self, context: RunContext) -> None:
        super().__init__(context.ledger)
        self._context = context

    async def __call__(self, call: JudgeCall) -> Judgements | None:
        """Return the model's judgements, or None when it gave none that can be used."""
        reasoner = self._context.recorded_reasoner()
        asked = JudgeInput(statements=call.statements, passages=call.passages, question=call.question)
        judgements = await reasoner.step(judge_key(fingerprint(asked)), asked)
        return None if reasoner.problems else judgements
