"""Span: address of evidence, a range of characters in the text read from an artifact."""

import re
from dataclasses import dataclass

# Enough of a hash to tell the sources of a run apart, and short enough for a model to copy.
_PREFIX = 16
# A number without leading zeros, so that no two identifiers name the same span.
_NUMBER = "(0|[1-9][0-9]{0,17})"
_IDENTIFIER = re.compile(rf"([0-9a-f]{{{_PREFIX}}})\.{_NUMBER}-{_NUMBER}")


@dataclass(frozen=True, slots=True)
class Span:
    """Characters `start` up to (not including) `end` of the text read from the bytes with this hash."""

    sha256: str
    start: int
    end: int

    def __post_init__(self) -> None:
        if not 0 <= self.start <= self.end:
            raise ValueError(f"a span cannot go from {self.start} to {self.end}")

    @property
    def identifier(self) -> str:
        """Name by which a text cites the span: the first 16 digits of the hash and the range."""
        return SpanAddress(self.sha256[:_PREFIX], self.start, self.end).identifier

    def text_in(self, whole: str) -> str:
        """Return the span's part of the whole text."""
        return whole[self.start : self.end]

    def part(self, start: int, end: int) -> "Span":
        """Return a span inside this one; `start` and `end` are relative to this one's start."""
        return Span(self.sha256, self.start + start, self.start + end)

    def offsets_in(self, outer: "Span") -> tuple[int, int]:
        """Return start and end relative to the start of an outer span."""
        return self.start - outer.start, self.end - outer.start


@dataclass(frozen=True, slots=True)
class SpanAddress:
    """Parsed identifier of a span: prefix of the hash and the range of characters."""

    sha256_prefix: str
    start: int
    end: int

    @property
    def identifier(self) -> str:
        """The identifier that was parsed."""
        return f"{self.sha256_prefix}.{self.start}-{self.end}"


def parse_identifier(text: str) -> SpanAddress | None:
    """Parse a span identifier like "0123456789abcdef.10-42"; None when the text is not one."""
    match = _IDENTIFIER.fullmatch(text)
    if match is None:
        return None
    address = SpanAddress(match[1], int(match[2]), int(match[3]))
    return address if address.start <= address.end else None
