"""Judge that asks an entailment model, behind the same port as a language model."""

from intelli.citations.judge import JudgeCall
from intelli.citations.wire import JudgedBy
from intelli.kit.errors import IntelliError
from intelli.reasoning.entailment import EntailmentModels
from intelli.reasoning.ports import Entailment, EntailmentModel
from intelli.reasoning.verbs.judge import Judgement, Judgements, StatementToJudge, Verdict

_OTHERWISE = "The sources say otherwise, by the entailment model."


class EntailmentJudge:
    """Judges a statement by the sources it cites, joined. What the model is not sure of stays as rules left it."""

    judged_by = JudgedBy.ENTAILMENT

    def __init__(self, model: EntailmentModel, *, sure: float) -> None:
        self._model = model
        self._sure = sure
        self.problem: str | None = None

    async def recall(self, statement: StatementToJudge) -> Judgement | None:
        """Return None: asking costs nothing."""
        return None

    async def __call__(self, call: JudgeCall) -> Judgements | None:
        """Return the model's judgements, or None when it cannot be loaded."""
        texts = {each.identifier: f"{each.title}. {each.section or ''}\n{each.text}" for each in call.passages}
        pairs = [
            ("\n\n".join(texts[name] for name in each.sources if name in texts), each.text) for each in call.statements
        ]
        try:
            found = await self._model.judge(pairs)
        except IntelliError as error:
            self.problem = error.detail
            return None
        both = zip(call.statements, found, strict=True)
        return Judgements(judgements=tuple(self._judgement(statement, told) for statement, told in both))

    def _judgement(self, statement: StatementToJudge, told: Entailment) -> Judgement:
        verdict, reason = Verdict.UNCHECKED, ""
        if told.entails >= self._sure and statement.sources:
            verdict = Verdict.SUPPORTED
        elif told.contradicts >= self._sure and statement.sources:
            verdict, reason = Verdict.CONTRADICTED, _OTHERWISE
        return Judgement(
            text=statement.text,
            cited=statement.sources,
            is_true=statement.is_true,
            verdict=verdict,
            reason=reason,
            sources=statement.sources if verdict is Verdict.SUPPORTED else (),
        )


def make_entailment_judge(models: EntailmentModels | None) -> EntailmentJudge | None:
    """Return the judge of the settings' entailment model; None when they name none."""
    model = models.chosen if models else None
    return EntailmentJudge(model, sure=models.settings.sure) if models and model else None
