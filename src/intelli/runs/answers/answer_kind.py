"""What a kind of outcome is: how it is written from the brief, and told while it is written."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from intelli.reasoning.values import SourceText
from intelli.reasoning.verbs.answer import Answer
from intelli.reasoning.verbs.brief import Brief
from intelli.runs.context import RunContext


@dataclass(frozen=True, slots=True)
class AnswerMaterial:
    """What there is to write from. `problems` are sentences that the text must own up to, `known` what it may cite."""

    context: RunContext
    brief: Brief
    passages: tuple[SourceText, ...]
    problems: tuple[str, ...]
    known: frozenset[str]


@dataclass(frozen=True, slots=True)
class WrittenAnswer:
    """What was written, and what it had to do without."""

    answer: Answer
    problems: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class AnswerKind:
    """A kind of outcome, and the deliverable types it writes."""

    writes: frozenset[str]
    write: Callable[[AnswerMaterial], Awaitable[WrittenAnswer]]
