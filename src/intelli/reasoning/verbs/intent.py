"""Verb `intent`: classify what a message asks for."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Literal

from intelli import deliverable_kinds
from intelli.deliverable_kinds import DeliverableType
from intelli.reasoning.untrusted import Fence
from intelli.reasoning.values import ReasoningModel, Turn
from intelli.reasoning.verbs.verb import Verb, VerbInput, accept_draft


class IntentKind(StrEnum):
    """What a message wants done."""

    QUESTION = "question"
    EDIT = "edit"
    CREATE = "create"
    REFACTOR = "refactor"
    SEARCH = "search"
    DELETE = "delete"


class Changing(StrEnum):
    """Whether a message asks for documents to be changed: not at all, beside a question, or for nothing else."""

    NOTHING = "nothing"
    ALSO = "also"
    ONLY = "only"


class Intent(ReasoningModel):
    """What is wanted. `clarification` is the question to ask back when it cannot be researched as asked."""

    kind: IntentKind
    deliverable: DeliverableType = DeliverableType.STANDARD
    clarification: str | None = None
    changing: Changing = Changing.NOTHING


class IntentInput(VerbInput[Intent]):
    """What does this message want?"""

    verb: Literal["intent"] = "intent"
    question: str
    conversation: tuple[Turn, ...] = ()


def _slots(given: IntentInput, fence: Fence) -> Mapping[str, str]:
    return {
        "question": given.question,
        "conversation": fence.conversation(given.conversation),
        "deliverables": deliverable_kinds.phrase(),
    }


VERB = Verb(input=IntentInput, output=Intent, draft=Intent, slots=_slots, check=accept_draft)
