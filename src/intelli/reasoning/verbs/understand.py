"""Verb `understand`: what a message wants, and the plan of its research, in one call.

The model sees no text of a document here: the question, what was said before and the names of documents decide what is
searched for. A message that needs no research (a greeting, thanks, a question about the product, the conversation or
the list of documents) is replied to at once.
"""

import re
from collections.abc import Mapping
from datetime import date
from enum import StrEnum
from typing import Literal

from pydantic import ConfigDict, Field

from intelli import deliverable_kinds
from intelli.deliverable_kinds import DeliverableType
from intelli.language import words
from intelli.reasoning import small_talk
from intelli.reasoning.model_json import UnusableReply
from intelli.reasoning.untrusted import Fence
from intelli.reasoning.values import ReasoningModel, Turn
from intelli.reasoning.verbs.verb import Sources, Verb, VerbInput

_MOST_QUERIES = 3
_LONGEST_TITLE = 80
# A question of so few words of its own asks about what was said before, and finds nothing alone.
_LEAST_TERMS = 3
_LONGEST_REPLY = 600
# So large a share of a reply's words may be new.
_MOST_NEW = 0.4
_NUMBER = re.compile(r"\d+")


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

    @property
    def is_only_change(self) -> bool:
        """True when the message only asks to change documents; then no deliverable is made, whatever was chosen."""
        return self.changing is Changing.ONLY and self.deliverable is DeliverableType.STANDARD


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


class Understanding(ReasoningModel):
    """What a message wants. `reply` answers one that needs no research; else `plan` says how it is researched.

    There is no plan for a message that only asks for a change, or that must be clarified first. `title` names the
    conversation; empty where nothing names it yet.
    """

    intent: Intent
    plan: ResearchPlan | None = None
    reply: str | None = None
    title: str = ""


class UnderstandInput(VerbInput[Understanding]):
    """What does this message want, and how is it researched? Asked before any source is read, so that none decides."""

    verb: Literal["understand"] = "understand"
    question: str
    conversation: tuple[Turn, ...] = ()
    library: tuple[str, ...] = Field((), description="Names in the folder in focus, or at the library's top.")
    today: date | None = None
    max_tasks: int = Field(5, ge=1, le=20)
    is_form_chosen: bool = Field(
        # Left out of what is recorded, so that runs of earlier versions replay as they were.
        False,
        exclude=True,
        description="The person chose a report or another form beside it.",
    )
    may_ask: bool = Field(True, description="False when the person was asked back often enough.")


class UnderstandingDraft(ReasoningModel):
    """What the model says of a message."""

    kind: IntentKind
    deliverable: DeliverableType
    changing: Changing
    clarification: str | None
    reply: str | None
    title: str
    summary: str
    tasks: list[PlannedTask]


def _slots(given: UnderstandInput, fence: Fence) -> Mapping[str, str]:
    return {
        "question": given.question,
        "conversation": fence.conversation(given.conversation),
        "library": fence.lines("Folders and documents at hand:", given.library),
        "today": str(given.today or "not known"),
        "max_tasks": str(given.max_tasks),
        "deliverables": deliverable_kinds.phrase(),
    }


def _check(draft: UnderstandingDraft, given: UnderstandInput, sources: Sources) -> Understanding:
    """Return the understanding; a message is replied to, clarified, only changed or researched, in this order."""
    intent = Intent(
        kind=draft.kind,
        deliverable=draft.deliverable,
        changing=draft.changing,
        clarification=_clarification(draft.clarification, given),
    )
    title = _title(draft.title)
    if draft.reply and not draft.tasks and intent.changing is Changing.NOTHING:
        _check_reply(draft.reply, given)
        return Understanding(intent=intent.model_copy(update={"clarification": None}), reply=draft.reply, title=title)
    if intent.clarification or intent.is_only_change:
        return Understanding(intent=intent, title=title)
    return Understanding(intent=intent, plan=_plan(draft, given), title=title)


def _check_reply(reply: str, given: UnderstandInput) -> None:
    """Raise UnusableReply for a reply that says more than is known without research: nothing checks what it says.

    To small talk anything short may be replied; else its figures and most of its words must stand in what was said, in
    the names at hand or in what we say of ourselves.
    """
    is_polite = small_talk.begins_politely(given.question) and not _NUMBER.search(reply)
    if len(reply) <= _LONGEST_REPLY and (is_polite or small_talk.reply_to(given.question, given.library) is not None):
        return
    known = " ".join([given.question, *(turn.text for turn in given.conversation), *given.library])
    said, vocabulary = _terms(reply), _terms(known) | _terms(small_talk.self_descriptions())
    if set(_NUMBER.findall(reply)) - set(_NUMBER.findall(known)) or len(said - vocabulary) > _MOST_NEW * len(said):
        raise UnusableReply("documents may answer this: leave `reply` null and plan the research")


def _plan(draft: UnderstandingDraft, given: UnderstandInput) -> ResearchPlan:
    tasks = [
        task.model_copy(update={"queries": queries[:_MOST_QUERIES]})
        for task in draft.tasks
        if (queries := tuple(query for query in task.queries if query.strip()))
    ]
    if not tasks or not any(_relates(task, given) for task in tasks):
        raise UnusableReply("it needs at least one task with at least one query about what the person asks")
    tasks[0] = _with_question(tasks[0], given)
    return ResearchPlan(title=draft.title, summary=draft.summary, tasks=tuple(tasks[: given.max_tasks]))


def _with_question(task: PlannedTask, given: UnderstandInput) -> PlannedTask:
    """Search for the person's own words as well: what bears on the whole question need not bear on a part of it."""
    own = _terms(given.question)
    if len(own) < _LEAST_TERMS or any(own == _terms(query) for query in task.queries):
        return task
    return task.model_copy(update={"queries": (*task.queries, given.question)})


def _relates(task: PlannedTask, given: UnderstandInput) -> bool:
    """Whether a task shares a word with the message or what was said before; any does where no word can be compared."""
    asked = _terms(" ".join([given.question, *(turn.text for turn in given.conversation)]))
    language = words.language_of(given.question)
    told = " ".join([task.title, task.message, *task.queries])
    is_comparable = language == words.language_of(told)
    wanted = _terms(told)
    return not asked or not is_comparable or bool(asked & wanted)


def _clarification(text: str | None, given: UnderstandInput) -> str | None:
    """Return a question to ask back; what asks nothing, or only repeats the person's question, is none."""
    said = " ".join((text or "").split()) if given.may_ask else ""
    if not said.endswith(("?", "\uff1f", "\u061f")) or _terms(said) == _terms(given.question) != set():
        return None
    return said


def _title(text: str) -> str:
    line = " ".join(text.split()).strip(" .\"'\u201c\u201d")
    return line if len(line) <= _LONGEST_TITLE else line[:_LONGEST_TITLE].rsplit(" ", 1)[0] + "\u2026"


def _terms(text: str) -> set[str]:
    return set(words.terms_of(text, words.language_of(text)))


VERB = Verb(input=UnderstandInput, output=Understanding, draft=UnderstandingDraft, slots=_slots, check=_check)
