"""Verb `change`: propose changes of documents that the user asks for; never those that only a source asks for.

A model's proposal is checked against the user's words: it touches no document that they do not name.
"""

import re
from collections.abc import Iterator, Mapping
from enum import StrEnum
from typing import Literal

from pydantic import Field

from intelli.reasoning.model_json import UnusableReply
from intelli.reasoning.untrusted import Fence
from intelli.reasoning.values import ReasoningModel, SourceText, Turn
from intelli.reasoning.verbs.verb import Sources, Verb, VerbInput

_SPACE = re.compile(r"\s+")
MOST_CHANGES = 5


class Action(StrEnum):
    """What a change does."""

    CREATE = "create"
    UPDATE = "update"
    DELETE = "delete"


class Edit(ReasoningModel):
    """Words to put in the place of others, wherever they stand."""

    find: str
    replace: str


class ProposedChange(ReasoningModel):
    """One change: a whole content, or edits of what is there, or neither when it is deleted."""

    action: Action
    path: str
    content: str | None = None
    edits: tuple[Edit, ...] = ()


class Changes(ReasoningModel):
    """All changes, each of another document. None is the usual case."""

    changes: tuple[ProposedChange, ...] = ()


class ChangeInput(VerbInput[Changes]):
    """Which documents are to be changed, and how? Only the person's own words decide it."""

    verb: Literal["change"] = "change"
    question: str
    conversation: tuple[Turn, ...] = ()
    answer: str = Field("", description="What there is to save: the answer with its sources, as a document.")
    passages: tuple[SourceText, ...] = Field((), description="Documents that the person named, as they stand.")


class EditDraft(ReasoningModel):
    """Words to put in the place of others."""

    find: str
    replace: str


class ChangeDraft(ReasoningModel):
    """A change; what is empty is not meant."""

    action: Action
    path: str
    uses_answer: bool
    content: str
    edits: list[EditDraft]


class ChangesDraft(ReasoningModel):
    """The changes that were asked for."""

    changes: list[ChangeDraft]


def _slots(given: ChangeInput, fence: Fence) -> Mapping[str, str]:
    return {
        "question": given.question,
        "conversation": fence.conversation(given.conversation),
        "answer": fence.lines("The answer that was written:", [given.answer]),
    }


def _check(draft: ChangesDraft, given: ChangeInput, sources: Sources) -> Changes:
    """Return the permitted changes, at most one for each document."""
    changes: dict[str, ProposedChange] = {}
    said = _normalise("\n".join([given.question, *(turn.text for turn in given.conversation if turn.role == "user")]))
    for change in _changes(draft, given):
        # To create is harmless; what is there is touched only by its name.
        if change.action is Action.CREATE or _normalise(change.path.rsplit("/", 1)[-1]) in said:
            changes.setdefault(change.path, change)
    return Changes(changes=tuple(changes.values())[:MOST_CHANGES])


def _changes(draft: ChangesDraft, given: ChangeInput) -> Iterator[ProposedChange]:
    for each in draft.changes:
        path = _storable(each.path).strip()
        if not path.strip("/ ."):
            raise UnusableReply("a change names no path")
        if each.action is Action.DELETE:
            yield ProposedChange(action=each.action, path=path)
        else:
            yield _content_change(each, path, given)


def _content_change(draft: ChangeDraft, path: str, given: ChangeInput) -> ProposedChange:
    edits = tuple(Edit(find=_storable(each.find), replace=_storable(each.replace)) for each in draft.edits if each.find)
    if draft.action is Action.UPDATE and edits:
        return ProposedChange(action=draft.action, path=path, edits=edits)
    content = given.answer if draft.uses_answer else _storable(draft.content)
    if not content.strip():
        raise UnusableReply(f"the change of {path} has no content")
    return ProposedChange(action=draft.action, path=path, content=content)


def _storable(text: str) -> str:
    """Remove characters that no document can store: NUL, and halves of characters."""
    return text.replace("\0", "").encode(errors="replace").decode()


def _normalise(text: str) -> str:
    return _SPACE.sub(" ", text).casefold().strip()


VERB = Verb(
    input=ChangeInput,
    output=Changes,
    draft=ChangesDraft,
    slots=_slots,
    sources=lambda given: given.passages,
    check=_check,
)
