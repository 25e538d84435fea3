"""What travels through the graph: small values only. Texts stay in the ledger, under the keys of their steps."""

from operator import add
from typing import Annotated, TypedDict


def _merge_unique(before: list[str], more: list[str]) -> list[str]:
    """Both, each sentence once."""
    return list(dict.fromkeys([*before, *more]))


class TaskOutcome(TypedDict):
    """How the research of one task ended."""

    index: int
    succeeded: bool
    findings: int


class State(TypedDict, total=False):
    """The state that is checkpointed after each step."""

    tasks: int
    clarification: str | None
    outcomes: Annotated[list[TaskOutcome], add]
    problems: Annotated[list[str], _merge_unique]
    is_answered: bool
    awaits: bool
    closing: str


class TaskState(TypedDict):
    """What a researcher is sent off with."""

    index: int
