"""What is to be made of an extraction where its file is read, so that less has to leave the child."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Generic, TypeVar

Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class ChildStep(Generic[Result]):
    """A module that the child knows by its name, and what reads the bytes that it leaves, and believes none of them.

    It offers `prepare()`, called once, and `dump(extraction, **options)`. `collect` raises ValueError for nonsense.
    """

    module: str
    collect: Callable[[bytes], Result]
    options: Mapping[str, object] = field(default_factory=dict)
