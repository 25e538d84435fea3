"""The definition of a kind of answer: the deliverable types it covers and the function that writes it."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass

from intelli.content.passage import Passage
from intelli.reasoning.values import SourceText
from intelli.reasoning.verbs.answer import Answer
from intelli.reasoning.verbs.brief import Brief
from intelli.reasoning.verbs.understand import PlannedTask
from intelli.runs.context import RunContext


@dataclass(frozen=True, slots=True)
class AnswerMaterial:
    """Input for writing. The text must admit the sentences in `problems`; it may cite what was `found`, by identifier.

    One that `is_direct` is written from the passages themselves.
    """

    context: RunContext
    brief: Brief
    tasks: tuple[PlannedTask, ...]
    passages: tuple[SourceText, ...]
    problems: tuple[str, ...]
    found: Mapping[str, Passage]
    is_direct: bool


@dataclass(frozen=True, slots=True)
class WrittenAnswer:
    """The written answer and its problems."""

    answer: Answer
    problems: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class AnswerKind:
    """A kind of answer, and the deliverable types it writes."""

    writes: frozenset[str]
    write: Callable[[AnswerMaterial], Awaitable[WrittenAnswer]]
