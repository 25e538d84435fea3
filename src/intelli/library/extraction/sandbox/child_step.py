"""A step that converts an extraction inside the child, so that fewer bytes have to leave it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Generic, TypeVar

Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class ChildStep(Generic[Result]):
    """A conversion of an extraction: `module` runs in the child, `collect` parses its output in the parent.

    `module` is imported by name. It defines `prepare()`, called once in the zygote, and `dump(extraction, **options)`,
    which returns bytes. `collect` trusts none of them, since the child may be taken over, and raises ValueError.
    """

    module: str
    collect: Callable[[bytes], Result]
    options: Mapping[str, object] = field(default_factory=dict)
