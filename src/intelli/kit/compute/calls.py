"""A call as it travels: the function with its arguments to the child, and its answer back."""

import json
import pickle
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any, get_type_hints

from pydantic import TypeAdapter

from intelli.kit.compute.errors import RemoteError

_RETURNED, _RAISED, _STARVED = b"=", b"!", b"m"


@dataclass(frozen=True, slots=True)
class Call:
    """A function of a module's top level, its arguments, and the seconds it has."""

    function: Callable[..., Any]
    arguments: tuple[Any, ...]
    time_s: float

    def dump(self) -> bytes:
        """The call for the child, which trusts us."""
        return pickle.dumps((self.function, self.arguments, self.time_s), pickle.HIGHEST_PROTOCOL)

    @classmethod
    def load(cls, message: bytes) -> "Call":
        """The call that the pool sent."""
        return cls(*pickle.loads(message))  # noqa: S301  # the pool is our own

    def returned(self, result: object) -> bytes:
        """The answer of a function that returned."""
        return _RETURNED + _type_of(self.function).dump_json(result)

    def result(self, answer: bytes) -> Any:
        """What the function returned. Raises MemoryError or Raised when it did not."""
        kind, said = answer[:1], answer[1:]
        if kind == _STARVED:
            raise MemoryError
        if kind == _RAISED:
            raise RemoteError(**json.loads(said))
        return _type_of(self.function).validate_json(said)


STARVED = _STARVED


def raised(error: Exception) -> bytes:
    """The answer of a function that raised an error."""
    where = []
    at = error.__traceback__
    while at is not None:
        code = at.tb_frame.f_code
        where.append(f"{code.co_filename}:{at.tb_lineno} {code.co_name}")
        at = at.tb_next
    return _RAISED + json.dumps({"error": type(error).__name__, "where": where[-6:]}).encode()


@cache
def _type_of(function: Callable[..., Any]) -> TypeAdapter[Any]:
    return TypeAdapter(get_type_hints(function)["return"])
