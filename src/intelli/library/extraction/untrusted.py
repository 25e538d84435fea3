"""Validation of values from a process that may have been taken over.

Each function returns the value when it has the type and is within the bounds, and else raises ValueError.
"""

import json
import math
from collections.abc import Iterable
from typing import NoReturn

_MOST_VALUES = 16_000_000


def parse(packed: bytes, *, most_bytes: int) -> object:
    """Parse JSON. Raises ValueError when it is so long, deep or rich in values that it would use up our memory."""
    if len(packed) > most_bytes or sum(packed.count(sign) for sign in (b",", b"[", b"{")) > _MOST_VALUES:
        raise ValueError("there is more than may be")
    try:
        return json.loads(packed, parse_constant=_refuse)
    except RecursionError as error:
        raise ValueError("it is nested too deeply") from error


def check_int(value: object, least: int, most: int) -> int:
    """Check an integer between `least` and `most`."""
    if type(value) is not int or not least <= value <= most:
        raise ValueError("a number is not what it must be")
    return value


def check_number(value: object, least: float, most: float) -> float:
    """Check a finite number between `least` and `most`."""
    if type(value) not in (int, float) or not math.isfinite(value) or not least <= value <= most:  # type: ignore[arg-type, operator]
        raise ValueError("a number is not what it must be")
    return value  # type: ignore[return-value]  # it is one of the two


def check_text(value: object, most_chars: int) -> str:
    """Check a string that can be stored and sent: no NUL and no lone surrogates."""
    if not isinstance(value, str) or len(value) > most_chars or "\0" in value:
        raise ValueError("a text is not what it must be")
    value.encode()  # half a character is a ValueError too
    return value


def check_optional_text(value: object, most_chars: int) -> str | None:
    """Check a string or None."""
    return None if value is None else check_text(value, most_chars)


def check_list(value: object, most: int) -> list[object]:
    """Check a list of at most `most` items."""
    if not isinstance(value, list) or len(value) > most:
        raise ValueError("a list is not what it must be")
    return value


def check_row(value: object, length: int) -> list[object]:
    """Check a list of exactly `length` items."""
    found = check_list(value, length)
    if len(found) != length:
        raise ValueError("a row is not what it must be")
    return found


def check_object(value: object, names: Iterable[str]) -> dict[str, object]:
    """Check an object that has at least these fields."""
    if not isinstance(value, dict) or not set(names) <= value.keys():
        raise ValueError("an object is not what it must be")
    return value


def check_text_map(value: object, *, most: int, most_chars: int) -> dict[str, str]:
    """Check an object of at most `most` strings by name."""
    if not isinstance(value, dict) or len(value) > most:
        raise ValueError("an object is not what it must be")
    return {check_text(name, most_chars): check_text(each, most_chars) for name, each in value.items()}


def check_span(start: object, end: object, most: int) -> tuple[int, int]:
    """Check a range of a text with `most` characters."""
    begin = check_int(start, 0, most)
    return begin, check_int(end, begin, most)


def _refuse(_constant: str) -> NoReturn:
    raise ValueError("a number is none")
