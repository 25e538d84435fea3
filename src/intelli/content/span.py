"""Span: the address of evidence, a range of characters in the text that was read from some bytes."""

import re
from dataclasses import dataclass

# Enough of a hash to tell the sources of a run apart, and short enough for a model to copy.
_PREFIX = 16
# A number without leading zeros, so that no two identifiers name the same span.
_NUMBER = "(0|[1-9][0-9]{0,17})"
_IDENTIFIER = re.compile(rf"([0-9a-f]{{{_PREFIX}}})\.{_NUMBER}-{_NUMBER}")


@dataclass(frozen=True, slots=True)
class Span:
    """The characters from `start` up to `end` of the text that was read from the bytes with a hash."""

    sha256: str
    start: int
    end: int

    def __post_init__(self) -> None:
        if not 0 <= self.start <= self.end:
            raise ValueError(f"a span cannot go from {self.start} to {self.end}")

    @property
    def identifier(self) -> str:
        """The name by which a text cites it."""
        return f"{self.sha256[:_PREFIX]}.{self.start}-{self.end}"

    def text_in(self, whole: str) -> str:
        """The words that it has in the whole text."""
        return whole[self.start : self.end]

    def part(self, start: int, end: int) -> "Span":
        """The span inside of it whose characters are counted from its own start."""
        return Span(self.sha256, self.start + start, self.start + end)

    def offsets_in(self, outer: "Span") -> tuple[int, int]:
        """Its start and end, counted from the start of a span that it is part of."""
        return self.start - outer.start, self.end - outer.start


@dataclass(frozen=True, slots=True)
class SpanAddress:
    """What an identifier tells of the span it names: how the hash begins, and the characters."""

    sha256_prefix: str
    start: int
    end: int


def parse_identifier(text: str) -> SpanAddress | None:
    """Read the identifier of a span; None for a text that is none."""
    match = _IDENTIFIER.fullmatch(text)
    if match is None:
        return None
    address = SpanAddress(match[1], int(match[2]), int(match[3]))
    return address if address.start <= address.end else None
