"""What the library asks of others, and what later rooms add to it."""

from collections.abc import Sequence
from pathlib import Path
from typing import Protocol, TypeVar

from intelli.kit.db import Tx
from intelli.kit.hooks import Hook
from intelli.library.extraction.model import Box, Extraction
from intelli.library.extraction.sandbox.harvesting import Harvesting

Result = TypeVar("Result")


class TextReady(Hook[[Tx, Sequence[str]]]):
    """Called with hashes of artifacts, in the transaction that stores their readings: the chunks may be indexed."""


class Extracting(Protocol):
    """Opens files of strangers, where they can do no harm. Raises `Unreadable`, also when time or memory run out."""

    async def extract(self, path: Path, *, name: str | None) -> Extraction:
        """The text of a file with its span map."""

    async def extract_plain(
        self, files: Sequence[tuple[Path, str | None]], *, harvesting: Harvesting[Result]
    ) -> list[Result | None]:
        """What is made of small files with their names, quickly: None for each that has to be read by itself."""

    async def page_png(self, path: Path, media_type: str, page: int, *, boxes: Sequence[Box], scale: float) -> bytes:
        """The picture of a page, with boxes marked."""

    async def thumbnail(self, path: Path, media_type: str, *, title: str, text: str) -> bytes:
        """A small picture of a file, as WebP."""

    async def close(self) -> None:
        """Let go of the processes."""
