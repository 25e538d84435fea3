"""Verb `title`: name a conversation."""

from collections.abc import Mapping
from typing import Literal

from intelli.reasoning.model_json import UnusableReply
from intelli.reasoning.untrusted import LONGEST_TURN, Fence
from intelli.reasoning.values import ReasoningModel
from intelli.reasoning.verbs.verb import Sources, Verb, VerbInput


class Title(ReasoningModel):
    """A few words, without a full stop."""

    title: str


class TitleInput(VerbInput[Title]):
    """Name the conversation."""

    verb: Literal["title"] = "title"
    question: str
    answer: str = ""


def _slots(given: TitleInput, fence: Fence) -> Mapping[str, str]:
    return {"question": given.question, "answer": fence.lines("Answer:", [given.answer[:LONGEST_TURN]])}


def _check(title: Title, given: TitleInput, sources: Sources) -> Title:
    line = " ".join(title.title.split()).strip(" .\"'\u201c\u201d")
    if not line:
        raise UnusableReply("the title is empty")
    return Title(title=line[:120])


VERB = Verb(input=TitleInput, output=Title, draft=Title, slots=_slots, check=_check)
