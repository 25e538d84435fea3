"""Range requests: parser of `Range`, and the conditions `If-None-Match` and `If-Range` (RFC 9110)."""

import re
from dataclasses import dataclass

from intelli.kit.errors import RangeNotSatisfiable

# One range only: a client that asks for several gets the whole content, which the standard allows.
_RANGE = re.compile(r"bytes=\s*+([0-9]{0,18})\s*+-\s*+([0-9]{0,18})\s*+", re.ASCII | re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class ByteRange:
    """Byte range from `start` up to but without `end`."""

    start: int
    end: int

    def content_range(self, size_bytes: int) -> str:
        """Return the value of the `Content-Range` header."""
        return f"bytes {self.start}-{self.end - 1}/{size_bytes}"


def parse_range(header: str | None, size_bytes: int) -> ByteRange | None:
    """Parse a `Range` header; None for the whole content, also when the header is malformed.

    Raises RangeNotSatisfiable for a range outside the content.
    """
    match = _RANGE.fullmatch(header.strip()) if header else None
    if match is None or match.groups() == ("", ""):
        return None
    first, last = match.groups()
    if first and last and int(last) < int(first):
        return None
    start = int(first) if first else max(size_bytes - int(last), 0)
    end = min(int(last) + 1, size_bytes) if first and last else size_bytes
    if start >= end:
        raise RangeNotSatisfiable(f"The content has {size_bytes} bytes. Ask for a part of it.", size_bytes=size_bytes)
    return ByteRange(start, end)


def is_unchanged(if_none_match: str | None, tag: str) -> bool:
    """Return True when `If-None-Match` contains this tag: the client already has this version."""
    given = [each.strip().removeprefix("W/") for each in (if_none_match or "").split(",")]
    return "*" in given or tag in given


def is_same_version(if_range: str | None, tag: str) -> bool:
    """Return True when a part may be sent: `If-Range` names this tag, or is absent."""
    return if_range is None or if_range.strip() == tag
