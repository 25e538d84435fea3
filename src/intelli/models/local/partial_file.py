"""A file that arrives in pieces: resumed after any interruption, checked as a whole, then put in its place."""

import hashlib
import json
import os
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from types import TracebackType
from typing import Self

from intelli.kit import disk
from intelli.models.local.errors import ModelFileRefused
from intelli.models.local.folder import write_private

BLOCK_BYTES = 1 << 20
_MAGIC, _VERSIONS = b"GGUF", (2, 3)
# Bytes done, bytes in all, and seconds left, or None while that cannot be told.
ProgressCallback = Callable[[int, int, float | None], None]


class PartialFile:
    """Draft of `target`, resumed if one of the same hash was begun. A context manager; `finish` completes it.

    What was saved is durable: `save` syncs the bytes before it records how many there are, and a resumed draft is cut
    back to that number.
    """

    def __init__(self, target: Path, *, sha256: str, total_bytes: int, on_progress: ProgressCallback) -> None:
        self._target, self._sha256, self._total_bytes = target, sha256, total_bytes
        self._path = target.with_name(f"{target.name}.part")
        self._record = target.with_name(f"{target.name}.part.json")
        self._on_progress = on_progress
        self._digest = hashlib.sha256()
        self.folder = target.parent
        self.done_bytes = 0

    def __enter__(self) -> Self:
        self._file = os.fdopen(os.open(self._path, os.O_RDWR | os.O_CREAT, 0o600), "r+b")
        self._file.truncate(self._saved_bytes())
        while block := self._file.read(BLOCK_BYTES):
            self._digest.update(block)
            self.done_bytes += len(block)
        self._mark_start()
        self._tell()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.close()

    def append(self, blocks: Iterable[bytes]) -> None:
        """Append blocks and tell the progress after each."""
        for block in blocks:
            self._file.write(block)
            self._digest.update(block)
            self.done_bytes += len(block)
            self._tell()

    def save(self) -> None:
        """Make what has arrived durable, so that the next try goes on from here."""
        self._file.flush()
        os.fsync(self._file.fileno())
        write_private(self._record, json.dumps({"sha256": self._sha256, "bytes": self.done_bytes}))
        self._saved = self.done_bytes

    @property
    def unsaved_bytes(self) -> int:
        """Bytes that arrived since the last save."""
        return self.done_bytes - self._saved

    def restart(self) -> None:
        """Begin anew with an empty draft."""
        self._file.seek(0)
        self._file.truncate()
        self._digest, self.done_bytes = hashlib.sha256(), 0
        self._mark_start()

    def finish(self) -> None:
        """Check the whole and put it in its place; raise ModelFileRefused and leave nothing when it is another file."""
        self.save()
        if self._digest.hexdigest() != self._sha256:
            self.discard()
            raise ModelFileRefused(
                f"What arrived has the hash {self._digest.hexdigest()} instead of {self._sha256}, so it is not the "
                "model that was promised. It was deleted. Install it from elsewhere with --file."
            )
        try:
            check_gguf(self._path)
        except ModelFileRefused:
            self.discard()
            raise
        self._path.replace(self._target)
        self._record.unlink(missing_ok=True)
        disk.sync(self._target.parent)

    def discard(self) -> None:
        """Delete the draft."""
        self._path.unlink(missing_ok=True)
        self._record.unlink(missing_ok=True)

    def _saved_bytes(self) -> int:
        try:
            record = json.loads(self._record.read_text(encoding="utf-8"))
            saved = int(record["bytes"]) if record["sha256"] == self._sha256 else 0
        except (OSError, ValueError, KeyError, TypeError):
            return 0
        return saved if saved <= self._path.stat().st_size else 0

    def _mark_start(self) -> None:
        self._saved = self._began_bytes = self.done_bytes
        self._began = time.monotonic()

    def _tell(self) -> None:
        new, seconds = self.done_bytes - self._began_bytes, time.monotonic() - self._began
        left = (self._total_bytes - self.done_bytes) * seconds / new if new and seconds > 1 else None
        self._on_progress(self.done_bytes, self._total_bytes, left)


def check_gguf(path: Path) -> None:
    """Raise ModelFileRefused when the file does not begin as a GGUF file of a known version does."""
    with path.open("rb") as file:
        head = file.read(8)
    version = int.from_bytes(head[4:], "little")
    if head[:4] != _MAGIC:
        raise ModelFileRefused(
            f"{path.name} is no GGUF file. Models for llama.cpp are needed; their names end in .gguf."
        )
    if version not in _VERSIONS:
        raise ModelFileRefused(f"{path.name} has version {version} of GGUF; 2 and 3 are known. Get a newer file.")


def compute_sha256(path: Path) -> str:
    """Compute the SHA-256 of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
