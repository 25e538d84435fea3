"""Verb `plan`: split a question into tasks, at least one.

The model sees no source here: the question alone decides what is searched for.
"""

from collections.abc import Mapping
from datetime import date
from typing import Literal

from pydantic import ConfigDict, Field

from intelli.reasoning.model_json import UnusableReply
from intelli.reasoning.untrusted import Fence
from intelli.reasoning.values import ReasoningModel, Turn
from intelli.reasoning.verbs.verb import Sources, Verb, VerbInput

_MOST_QUERIES = 3


class PlannedTask(ReasoningModel):
    """One thing to find out, and the searches for it."""

    title: str
    message: str
    queries: tuple[str, ...]


class ResearchPlan(ReasoningModel):
    """The tasks, independent of each other."""

    model_config = ConfigDict(title="Plan")

    title: str
    summary: str
    tasks: tuple[PlannedTask, ...]


class PlanInput(VerbInput[ResearchPlan]):
    """Into which tasks does the question fall? Made before any source is read, so that no source can change it."""

    verb: Literal["plan"] = "plan"
    question: str
    conversation: tuple[Turn, ...] = ()
    titles: tuple[str, ...] = Field((), description="Names of documents that the person put beside the question.")
    today: date | None = None
    max_tasks: int = Field(5, ge=1, le=20)


def _slots(given: PlanInput, fence: Fence) -> Mapping[str, str]:
    return {
        "question": given.question,
        "conversation": fence.conversation(given.conversation),
        "titles": fence.lines("Documents beside the question:", given.titles),
        "today": str(given.today or "not known"),
        "max_tasks": str(given.max_tasks),
    }


def _check(plan: ResearchPlan, given: PlanInput, sources: Sources) -> ResearchPlan:
    tasks = [
        task.model_copy(update={"queries": queries[:_MOST_QUERIES]})
        for task in plan.tasks
        if (queries := tuple(query for query in task.queries if query.strip()))
    ]
    if not tasks:
        raise UnusableReply("a plan needs at least one task with at least one query")
    return plan.model_copy(update={"tasks": tuple(tasks[: given.max_tasks])})


VERB = Verb(input=PlanInput, output=ResearchPlan, draft=ResearchPlan, slots=_slots, check=_check)
