"""What is to be made of an extraction where its file is read, so that less has to leave the child."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Generic, TypeVar

Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class Harvesting(Generic[Result]):
    """A module that the child knows by its name, and what reads the file that it leaves.

    It offers `prepare()`, called once, and `leave(extraction, path, **options)`.
    """

    module: str
    collect: Callable[[Path], Result]
    options: Mapping[str, object] = field(default_factory=dict)
