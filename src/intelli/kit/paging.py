"""Cursor pagination: a list is read by key, never by offset, so a page stays right while rows come and go."""

import base64
import binascii
from collections.abc import Callable, Sequence
from typing import TypeVar
from uuid import UUID

from intelli.kit.errors import Invalid
from intelli.kit.wire import Page

Row = TypeVar("Row")
Item = TypeVar("Item")
Key = TypeVar("Key", UUID, int)


class InvalidCursor(Invalid):
    """The cursor was not made by this list."""

    code = "invalid_cursor"


def page(
    rows: Sequence[Row], limit: int, *, item: Callable[[Row], Item], key: Callable[[Row], UUID | int]
) -> Page[Item]:
    """A page from up to `limit + 1` rows; the extra row tells that there is more."""
    shown = rows[:limit]
    more = len(rows) > limit
    return Page(items=[item(row) for row in shown], next_cursor=encode(key(shown[-1])) if more else None)


def encode(key: UUID | int) -> str:
    """The cursor that continues after a key."""
    return base64.urlsafe_b64encode(str(key).encode()).decode().rstrip("=")


def decode_id(cursor: str | None) -> UUID | None:
    """The id a cursor continues after."""
    return _parse(cursor, UUID) if cursor else None


def decode_number(cursor: str | None) -> int | None:
    """The sequence number a cursor continues after."""
    number = _parse(cursor, int) if cursor else None
    if number is not None and not 0 <= number < 1 << 63:
        raise _invalid()
    return number


def _parse(cursor: str, kind: Callable[[str], Key]) -> Key:
    """Only what `encode` makes: `int` and `UUID` alone would read other spellings too."""
    try:
        key = kind(_decode(cursor))
    except ValueError as error:
        raise _invalid() from error
    if encode(key) != cursor:
        raise _invalid()
    return key


def _decode(cursor: str) -> str:
    try:
        return base64.b64decode(cursor + "=" * (-len(cursor) % 4), altchars=b"-_", validate=True).decode("ascii")
    except (binascii.Error, UnicodeError) as error:
        raise _invalid() from error


def _invalid() -> InvalidCursor:
    return InvalidCursor("This cursor is not one of ours. Leave it out to start at the first page.")
