"""Judge of a check: the model, asked once about all open statements of a batch."""

from intelli.citations.judge import JudgeCall
from intelli.citations.wire import JudgedBy
from intelli.reasoning.errors import ReasoningFailed
from intelli.reasoning.reasoner import Reasoner
from intelli.reasoning.usage import Usage
from intelli.reasoning.verbs.judge import JudgeInput, Judgement, Judgements, StatementToJudge


class BatchJudge:
    """Judge that asks the model, and adds up what that costs. A model that fails judges nothing: rules have decided."""

    judged_by = JudgedBy.MODEL

    def __init__(self, reasoner: Reasoner) -> None:
        self._reasoner = reasoner
        self.usage = Usage(model=reasoner.name)
        self.problems: list[str] = []

    async def recall(self, statement: StatementToJudge) -> Judgement | None:
        """Return None: what a batch has judged is written, and is not asked again."""
        return None

    async def __call__(self, call: JudgeCall) -> Judgements | None:
        """Return the model's judgements, or None when it gave none that can be used."""
        try:
            judged, usage = await self._reasoner.do(JudgeInput(statements=call.statements, passages=call.passages))
        except ReasoningFailed as error:
            self.usage += error.usage
            self.problems.append(error.detail)
            return None
        self.usage += usage
        return judged
