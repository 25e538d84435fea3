"""Encoding of a call to a child process, and of the answer that the child sends back."""

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
    """Call of a module-level function: the function, its arguments and its time limit in seconds."""

    function: Callable[..., Any]
    arguments: tuple[Any, ...]
    time_s: float

    def dump(self) -> bytes:
        """Pickle the call for the child. Pickle is safe in this direction: the child trusts the pool."""
        return pickle.dumps((self.function, self.arguments, self.time_s), pickle.HIGHEST_PROTOCOL)

    @classmethod
    def load(cls, message: bytes) -> "Call":
        """Unpickle a call that the pool sent."""
        return cls(*pickle.loads(message))  # noqa: S301  # the pool is our own

    def encode_result(self, result: object) -> bytes:
        """Encode the return value of the function as the answer to the pool."""
        return _RETURNED + _result_type(self.function).dump_json(result)

    def decode_result(self, answer: bytes) -> Any:
        """Return the function's result. Raise MemoryError when memory ran out, RemoteError when the function raised."""
        kind, body = answer[:1], answer[1:]
        if kind == _STARVED:
            raise MemoryError
        if kind == _RAISED:
            raise RemoteError(**json.loads(body))
        return _result_type(self.function).validate_json(body)


STARVED = _STARVED


def encode_error(error: Exception) -> bytes:
    """Encode an error as the answer to the pool: its type and the last 6 traceback entries, never its message."""
    where = []
    entry = error.__traceback__
    while entry is not None:
        code = entry.tb_frame.f_code
        where.append(f"{code.co_filename}:{entry.tb_lineno} {code.co_name}")
        entry = entry.tb_next
    return _RAISED + json.dumps({"error": type(error).__name__, "where": where[-6:]}).encode()


@cache
def _result_type(function: Callable[..., Any]) -> TypeAdapter[Any]:
    return TypeAdapter(get_type_hints(function)["return"])
