"""What a reasoner is asked about documents that the person wants changed, and the changes it proposes."""

from enum import StrEnum
from typing import Literal

from pydantic import Field

from intelli.reasoning.thoughts import Passage, Thought, Turn

MOST_CHANGES = 5


class Action(StrEnum):
    """What a change does."""

    CREATE = "create"
    UPDATE = "update"
    DELETE = "delete"


class ChangeAsked(Thought):
    """Which documents are to be changed, and how? Only the person's own words decide it."""

    verb: Literal["change"] = "change"
    question: str
    conversation: tuple[Turn, ...] = ()
    answer: str = Field("", description="What there is to save: the answer with its sources, as a document.")
    passages: tuple[Passage, ...] = Field((), description="Documents that the person named, as they stand.")


class Edit(Thought):
    """Words to put in the place of others, wherever they stand."""

    find: str
    replace: str


class ProposedChange(Thought):
    """One change: a whole content, or edits of what is there, or neither when it is deleted."""

    action: Action
    path: str
    content: str | None = None
    edits: tuple[Edit, ...] = ()


class Changes(Thought):
    """All changes, each of another document. None is the usual case."""

    changes: tuple[ProposedChange, ...] = ()
