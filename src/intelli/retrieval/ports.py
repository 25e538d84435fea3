"""What retrieval asks of the library's rows."""

from typing import Protocol


class Readable(Protocol):
    """A reading: its short name, and the language it is mostly written in."""

    @property
    def number(self) -> int:
        """Its short name in the index."""

    @property
    def language(self) -> str | None:
        """Its language, where that could be told."""


class Piece(Protocol):
    """A chunk: its text, and the headings it stands under."""

    @property
    def section(self) -> str | None:
        """The headings, from the outermost."""

    @property
    def body(self) -> str:
        """Its text."""
