"""Ports of the library: the extractor and the index that it calls, and the hook that later rooms add to."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, TypeVar
from uuid import UUID

from intelli.kit.db import Tx
from intelli.kit.hooks import Hook
from intelli.library.extraction.model import Box
from intelli.library.extraction.sandbox.child_step import ChildStep
from intelli.library.status_wire import IndexBuildStep
from intelli.library.wire import DeletedDocuments
from intelli.reasoning.ports import Numbers

Result = TypeVar("Result")


class TextReady(Hook[[Tx, Sequence[str]]]):
    """Called with hashes of artifacts, in the transaction that stores their readings."""


@dataclass(frozen=True, slots=True)
class ChunkText:
    """Text of a chunk, its headings (`section`), and the token numbers of both where they are known."""

    section: str | None
    body: str
    numbers: Numbers | None = None


@dataclass(frozen=True, slots=True)
class NewReading:
    """A reading that was extracted and is not written yet."""

    sha256: str
    number: int
    language: str | None
    chunks: Sequence[ChunkText]


class IndexEntryPort(Protocol):
    """Index entries of new readings, computed before the transaction that writes the readings."""

    async def put(self, tx: Tx, numbers: Sequence[int]) -> set[int]:
        """Write the entries of these readings, locked by the caller; enqueue the others. Return those written."""


class IndexerPort(Protocol):
    """Computes index entries for the state of the index it was created for."""

    async def prepare(self, fresh: Sequence[NewReading]) -> IndexEntryPort:
        """Compute the entries of readings; may take long, never fails: `put` enqueues what could not be computed."""


@dataclass(frozen=True, slots=True)
class EncodingProgress:
    """How many of the indexed chunks have the vectors that they finally get."""

    done: int
    total: int


@dataclass(frozen=True, slots=True)
class IndexBuildProgress:
    """Progress of a build of the index: the step, and how many vectors of how many it has done."""

    step: IndexBuildStep
    done: int
    total: int

    @property
    def share(self) -> float:
        """Return the share of the step that is done, between 0 and 1."""
        return min(1.0, self.done / self.total) if self.total else 1.0


class EvidencePort(Protocol):
    """Evidence that rests on documents."""

    async def release(self, tx: Tx, document_ids: Sequence[UUID]) -> DeletedDocuments:
        """Keep or remove the evidence of documents that are about to be deleted; say which, and how much cites them."""


class IndexPort(Protocol):
    """Index that makes readings findable."""

    async def find_build(self, tx: Tx) -> IndexBuildProgress | None:
        """Return how far the build of the workspace's index is; None when none is being built."""

    async def load_progress(self, tx: Tx) -> EncodingProgress:
        """Return how far the background is with the vectors of what is indexed."""

    async def find_indexer(self, tx: Tx) -> IndexerPort:
        """Return an indexer for the current state of the index."""


class ExtractorPort(Protocol):
    """Reads untrusted files in a sandbox. Methods raise `Unreadable`, also when time or memory run out."""

    async def prepare(self, path: Path, *, name: str | None, step: ChildStep[Result]) -> Result:
        """Read a file and return the result of `step`, which runs in the process that reads the file."""

    async def extract_plain(
        self, files: Sequence[tuple[Path, str | None]], *, step: ChildStep[Result]
    ) -> list[Result | None]:
        """Return the results of `step` for small files and their names, read in one process; None: read it singly."""

    async def page_png(self, path: Path, media_type: str, page: int, *, boxes: Sequence[Box], scale: float) -> bytes:
        """Render a page as PNG with boxes marked."""

    async def thumbnail(self, path: Path, media_type: str, *, title: str, text: str) -> bytes:
        """Render a thumbnail of a file as WebP."""

    async def close(self) -> None:
        """End the processes."""
