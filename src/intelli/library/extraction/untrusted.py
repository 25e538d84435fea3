"""Values from a process that may have been taken over: each is of its type and within its bounds, or a ValueError."""

import json
import math
from collections.abc import Iterable
from typing import NoReturn

_MOST_VALUES = 16_000_000


def parse(packed: bytes, *, most_bytes: int) -> object:
    """JSON that is not so long, deep or rich in values that it would use up our memory."""
    if len(packed) > most_bytes or sum(packed.count(sign) for sign in (b",", b"[", b"{")) > _MOST_VALUES:
        raise ValueError("there is more than may be")
    try:
        return json.loads(packed, parse_constant=_refuse)
    except RecursionError as error:
        raise ValueError("it is nested too deeply") from error


def whole(value: object, least: int, most: int) -> int:
    """A whole number between two others."""
    if type(value) is not int or not least <= value <= most:
        raise ValueError("a number is not what it must be")
    return value


def real(value: object, least: float, most: float) -> float:
    """A number between two others."""
    if type(value) not in (int, float) or not math.isfinite(value) or not least <= value <= most:  # type: ignore[arg-type, operator]
        raise ValueError("a number is not what it must be")
    return value  # type: ignore[return-value]  # it is one of the two


def text(value: object, most_chars: int) -> str:
    """A text that can be stored and sent."""
    if not isinstance(value, str) or len(value) > most_chars or "\0" in value:
        raise ValueError("a text is not what it must be")
    value.encode()  # half a character is a ValueError too
    return value


def optional_text(value: object, most_chars: int) -> str | None:
    """The same, or nothing."""
    return None if value is None else text(value, most_chars)


def items(value: object, most: int) -> list[object]:
    """A list that is not too long."""
    if not isinstance(value, list) or len(value) > most:
        raise ValueError("a list is not what it must be")
    return value


def row(value: object, length: int) -> list[object]:
    """A list of one length."""
    found = items(value, length)
    if len(found) != length:
        raise ValueError("a row is not what it must be")
    return found


def fields(value: object, names: Iterable[str]) -> dict[str, object]:
    """An object with these fields, and perhaps others."""
    if not isinstance(value, dict) or not set(names) <= value.keys():
        raise ValueError("an object is not what it must be")
    return value


def pairs(value: object, *, most: int, most_chars: int) -> dict[str, str]:
    """Names with texts."""
    if not isinstance(value, dict) or len(value) > most:
        raise ValueError("an object is not what it must be")
    return {text(name, most_chars): text(each, most_chars) for name, each in value.items()}


def span(start: object, end: object, most: int) -> tuple[int, int]:
    """A range of a text that has so many characters."""
    begin = whole(start, 0, most)
    return begin, whole(end, begin, most)


def _refuse(_constant: str) -> NoReturn:
    raise ValueError("a number is none")
