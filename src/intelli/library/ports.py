"""What the library asks of others, and what later rooms add to it."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, TypeVar

from intelli.kit.db import Tx
from intelli.kit.hooks import Hook
from intelli.library.extraction.model import Box
from intelli.library.extraction.sandbox.child_step import ChildStep
from intelli.reasoning.ports import Numbers

Result = TypeVar("Result")


class TextReady(Hook[[Tx, Sequence[str]]]):
    """Called with hashes of artifacts, in the transaction that stores their readings."""


@dataclass(frozen=True, slots=True)
class ChunkText:
    """What a chunk says, the headings it stands under, and the tokens of both where they are known."""

    section: str | None
    body: str
    numbers: Numbers | None = None


@dataclass(frozen=True, slots=True)
class NewReading:
    """A reading that was just made and is not written yet."""

    sha256: str
    number: int
    language: str | None
    chunks: Sequence[ChunkText]


class IndexEntryPort(Protocol):
    """What the index is to hold of fresh readings, worked out before the transaction that writes them."""

    async def put(self, tx: Tx, numbers: Sequence[int]) -> set[int]:
        """Put those of these numbers into the index, which the caller holds; the others are queued. Which were put."""


class IndexerPort(Protocol):
    """Makes entries for an index as it was found."""

    async def prepare(self, fresh: Sequence[NewReading]) -> IndexEntryPort:
        """Work out an entry, however long that takes. It never fails: what cannot be put now is queued."""


class IndexPort(Protocol):
    """Makes readings findable."""

    async def find_indexer(self, tx: Tx) -> IndexerPort:
        """Look at the index as it is now."""


class ExtractorPort(Protocol):
    """Opens files of strangers, where they can do no harm. Raises `Unreadable`, also when time or memory run out."""

    async def harvest(self, path: Path, *, name: str | None, harvesting: ChildStep[Result]) -> Result:
        """What is made of the text of a file, where it is read."""

    async def extract_plain(
        self, files: Sequence[tuple[Path, str | None]], *, harvesting: ChildStep[Result]
    ) -> list[Result | None]:
        """What is made of small files with their names, quickly: None for each that has to be read by itself."""

    async def page_png(self, path: Path, media_type: str, page: int, *, boxes: Sequence[Box], scale: float) -> bytes:
        """The picture of a page, with boxes marked."""

    async def thumbnail(self, path: Path, media_type: str, *, title: str, text: str) -> bytes:
        """A small picture of a file, as WebP."""

    async def close(self) -> None:
        """Let go of the processes."""
