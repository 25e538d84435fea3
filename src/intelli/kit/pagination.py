"""Cursor pagination: a list is read by key, never by offset, so a page stays right while rows come and go."""

import base64
import json
from collections.abc import Callable, Sequence
from datetime import datetime
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


def encode_place(key: str, id: UUID) -> str:
    """The cursor that continues after a key which others may share, and the id that tells them apart."""
    return base64.urlsafe_b64encode(json.dumps([key, str(id)], ensure_ascii=False).encode()).decode().rstrip("=")


def decode_place(cursor: str | None) -> tuple[str, UUID] | None:
    """The key and id a cursor continues after."""
    if not cursor:
        return None
    try:
        key, row_id = json.loads(_decode(cursor, "utf-8"))
        place = str(key), UUID(row_id)
    except (ValueError, TypeError, AttributeError, RecursionError) as error:
        raise _invalid() from error
    if encode_place(*place) != cursor or "\0" in place[0]:
        raise _invalid()
    return place


def place_page(
    rows: Sequence[Row], limit: int, *, item: Callable[[Row], Item], place: Callable[[Row], tuple[str, UUID]]
) -> Page[Item]:
    """The same as `page`, for lists in an order of their own."""
    shown = rows[:limit]
    more = len(rows) > limit
    return Page(items=[item(row) for row in shown], next_cursor=encode_place(*place(shown[-1])) if more else None)


def encode_moment(at: datetime, name: str) -> str:
    """The cursor that continues after a moment which several may share, and the name that tells them apart."""
    return base64.urlsafe_b64encode(f"{at.isoformat()} {name}".encode()).decode().rstrip("=")


def decode_moment(cursor: str | None) -> tuple[datetime, str] | None:
    """The moment and name a cursor continues after."""
    if not cursor:
        return None
    at, _, name = _decode(cursor).partition(" ")
    try:
        place = datetime.fromisoformat(at), name
    except ValueError as error:
        raise _invalid() from error
    if place[0].tzinfo is None or encode_moment(*place) != cursor or not name.isprintable():
        raise _invalid()
    return place


def moment_page(
    rows: Sequence[Row], limit: int, *, item: Callable[[Row], Item], moment: Callable[[Row], tuple[datetime, str]]
) -> Page[Item]:
    """The same as `page`, for lists in the order of time."""
    shown = rows[:limit]
    more = len(rows) > limit
    return Page(items=[item(row) for row in shown], next_cursor=encode_moment(*moment(shown[-1])) if more else None)


def _parse(cursor: str, kind: Callable[[str], Key]) -> Key:
    """Only what `encode` makes: `int` and `UUID` alone would read other spellings too."""
    try:
        key = kind(_decode(cursor))
    except ValueError as error:
        raise _invalid() from error
    if encode(key) != cursor:
        raise _invalid()
    return key


def _decode(cursor: str, encoding: str = "ascii") -> str:
    try:
        return base64.b64decode(cursor + "=" * (-len(cursor) % 4), altchars=b"-_", validate=True).decode(encoding)
    except ValueError as error:
        raise _invalid() from error


def _invalid() -> InvalidCursor:
    return InvalidCursor("This cursor is not one of ours. Leave it out to start at the first page.")
