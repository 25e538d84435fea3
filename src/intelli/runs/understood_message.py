"""What a run understood of its message: one recorded step; two in the recordings of earlier versions."""

from collections.abc import Mapping

from intelli.reasoning.verbs.understand import Intent, ResearchPlan, Understanding
from intelli.runs.ledger import Json, Ledger
from intelli.runs.steps import earlier_keys, understand_key


def read_understanding(answers: Mapping[str, Json], clarified: int) -> Understanding | None:
    """Return the understanding among recorded answers of steps, by their keys; None when it is not there."""
    if understand_key(clarified) in answers:
        return Understanding.model_validate(answers[understand_key(clarified)])
    intent_key, plan_key = earlier_keys(clarified)
    intent = Intent.model_validate(answers[intent_key]) if intent_key in answers else None
    plan = ResearchPlan.model_validate(answers[plan_key]) if plan_key in answers else None
    if intent is None or not (plan or intent.clarification or intent.is_only_change):
        return None
    return Understanding(intent=intent, plan=plan, title=plan.title if plan else "")


async def find_understanding(ledger: Ledger, clarified: int) -> Understanding | None:
    """Return the recorded understanding of a message; None when it is still to be understood."""
    answers: dict[str, Json] = {}
    for key in (understand_key(clarified), *earlier_keys(clarified)):
        for recorded in await ledger.list_steps(key):
            answers[key] = recorded.answer
    return read_understanding(answers, clarified)


async def load_understanding(ledger: Ledger, clarified: int) -> Understanding:
    """Return the recorded understanding of a message; raise LookupError when there is none."""
    found = await find_understanding(ledger, clarified)
    if found is None:
        raise LookupError("a message is understood before it is worked on")
    return found


async def load_plan(ledger: Ledger, clarified: int) -> ResearchPlan:
    """Return the plan of a run that researches; raise LookupError when there is none."""
    plan = (await load_understanding(ledger, clarified)).plan
    if plan is None:
        raise LookupError("only a run that has a plan researches")
    return plan
