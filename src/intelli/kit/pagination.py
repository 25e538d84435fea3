"""Cursor pagination: pages continue after a key, not at an offset, so they stay correct while rows come and go."""

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
    """Build a page from up to `limit + 1` rows; the extra row only shows that there is a next page."""
    shown = rows[:limit]
    more = len(rows) > limit
    return Page(items=[item(row) for row in shown], next_cursor=encode(key(shown[-1])) if more else None)


def encode(key: UUID | int) -> str:
    """Encode a key as the cursor that continues after it."""
    return base64.urlsafe_b64encode(str(key).encode()).decode().rstrip("=")


def decode_id(cursor: str | None) -> UUID | None:
    """Decode the id that a cursor continues after; None without a cursor. Raise InvalidCursor for any other text."""
    return _parse(cursor, UUID) if cursor else None


def decode_number(cursor: str | None) -> int | None:
    """Decode the sequence number a cursor continues after; None without a cursor. Raise InvalidCursor otherwise."""
    number = _parse(cursor, int) if cursor else None
    if number is not None and not 0 <= number < 1 << 63:
        raise _invalid()
    return number


def encode_place(key: str, id: UUID) -> str:
    """Encode a sort key that rows may share, with the id that distinguishes them, as a cursor."""
    return base64.urlsafe_b64encode(json.dumps([key, str(id)], ensure_ascii=False).encode()).decode().rstrip("=")


def decode_place(cursor: str | None) -> tuple[str, UUID] | None:
    """Decode the sort key and id a cursor continues after; None without a cursor. Raise InvalidCursor otherwise."""
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
    """Build a page of a list sorted by a text key and id; its cursor is made by `encode_place`."""
    shown = rows[:limit]
    more = len(rows) > limit
    return Page(items=[item(row) for row in shown], next_cursor=encode_place(*place(shown[-1])) if more else None)


def encode_moment(at: datetime, name: str) -> str:
    """Encode a time that rows may share, with the name that distinguishes them, as a cursor."""
    return base64.urlsafe_b64encode(f"{at.isoformat()} {name}".encode()).decode().rstrip("=")


def decode_moment(cursor: str | None) -> tuple[datetime, str] | None:
    """Decode the time and name that a cursor continues after; None without a cursor. Raise InvalidCursor otherwise."""
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
    """Build a page of a list sorted by time and name; its cursor is made by `encode_moment`."""
    shown = rows[:limit]
    more = len(rows) > limit
    return Page(items=[item(row) for row in shown], next_cursor=encode_moment(*moment(shown[-1])) if more else None)


def _parse(cursor: str, kind: Callable[[str], Key]) -> Key:
    """Parse only what `encode` produces: `int` and `UUID` alone would accept other spellings too."""
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
