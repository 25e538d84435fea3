"""What retrieval asks of the library's rows."""

from typing import Protocol


class ReadingLanguage(Protocol):
    """A reading: its short name, and the language it is mostly written in."""

    @property
    def number(self) -> int:
        """Its short name in the index."""

    @property
    def language(self) -> str | None:
        """Its language, where that could be told."""


class PendingReading(ReadingLanguage, Protocol):
    """A reading that is to be indexed: the hash of its content, and how many chunks it has."""

    @property
    def sha256(self) -> str:
        """The hash of the content it was read from."""

    @property
    def chunk_count(self) -> int | None:
        """Its chunks, once it was read."""


class ChunkPiece(Protocol):
    """A chunk: its text, and the headings it stands under."""

    @property
    def section(self) -> str | None:
        """The headings, from the outermost."""

    @property
    def body(self) -> str:
        """Its text."""
