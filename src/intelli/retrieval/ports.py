"""Protocols of the library's rows that retrieval reads."""

from typing import Protocol


class ReadingLanguage(Protocol):
    """A reading: its number, and its main language."""

    @property
    def number(self) -> int:
        """Its number, its id in the index."""

    @property
    def language(self) -> str | None:
        """Its language as an ISO 639-1 code; None when it could not be detected."""


class PendingReading(ReadingLanguage, Protocol):
    """A reading that is to be indexed, with the hash of its content and its number of chunks."""

    @property
    def sha256(self) -> str:
        """The hash of the content it was read from."""

    @property
    def chunk_count(self) -> int | None:
        """Number of its chunks; None before it was read."""


class ChunkPiece(Protocol):
    """A chunk: its text, and its headings."""

    @property
    def section(self) -> str | None:
        """The headings, from the outermost."""

    @property
    def body(self) -> str:
        """Its text."""


class IndexedChunk(ChunkPiece, Protocol):
    """A chunk with the number of its reading."""

    @property
    def reading(self) -> int:
        """The number of its reading."""
