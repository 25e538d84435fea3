"""The final text of an answer: what the check made of it, recorded as a step of its own when it differs."""

from decimal import Decimal
from typing import Literal

from intelli.reasoning.usage import Usage
from intelli.reasoning.verbs.answer import Answer
from intelli.reasoning.verbs.verb import ReasonerInput
from intelli.runs.ledger import Ledger, RecordedStep
from intelli.runs.steps import ANSWER, CHECKED

_RULES = "check"


class CheckedAnswerInput(ReasonerInput):
    """The text that was checked."""

    verb: Literal["check"] = "check"
    text: str


async def record(ledger: Ledger, answer: Answer, text: str) -> None:
    """Record the text that the check left, if it is another."""
    if text == answer.text:
        return
    asked = CheckedAnswerInput(text=answer.text)
    known = await ledger.begin(CHECKED, asked, ceiling=Decimal(0), model=_RULES)
    if known is None:
        final = answer.model_copy(update={"text": text})
        await ledger.record(CHECKED, RecordedStep(final.model_dump(mode="json")), Usage(model=_RULES))


async def load(ledger: Ledger) -> Answer:
    """Load the answer as the check left it; as it was written where the check changed nothing."""
    for recorded in await ledger.list_steps(CHECKED):
        return Answer.model_validate(recorded.answer)
    written = await ledger.find(ANSWER)
    assert written is not None, "the answer was recorded before it was checked"
    return Answer.model_validate(written.answer)
