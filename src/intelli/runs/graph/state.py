"""The state of the graph: small values only. Texts stay in the ledger, under the keys of their steps."""

from operator import add
from typing import Annotated, TypedDict


def _merge_unique(before: list[str], more: list[str]) -> list[str]:
    """Append sentences to a list, each once."""
    return list(dict.fromkeys([*before, *more]))


class TaskOutcome(TypedDict):
    """Result of the research of one task."""

    index: int
    succeeded: bool
    findings: int


class State(TypedDict, total=False):
    """State that is checkpointed after each step."""

    tasks: int
    clarification: str | None
    is_replied: bool
    outcomes: Annotated[list[TaskOutcome], add]
    problems: Annotated[list[str], _merge_unique]
    is_answered: bool
    is_outlined: bool
    awaits: bool
    closing: str


class TaskState(TypedDict):
    """Input of a research node."""

    index: int
