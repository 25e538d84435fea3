"""Scratch files to unpack into: temporary files, or a pool of existing files where none can be created."""

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from intelli.library.extraction.model import Refusal, Unreadable

_NO_ROOM = "More files are packed into each other here than are opened. Upload what you need on its own."
_pool: list[Path] | None = None


def use_pool(paths: Sequence[Path]) -> None:
    """Use only these empty files from now on, and create no others."""
    global _pool  # noqa: PLW0603  # a child runs one task, and readers have no parameter to pass this through
    _pool = list(paths)


@contextmanager
def open_file() -> Iterator[IO[bytes]]:
    """Open an empty named file, deleted or emptied after the block. Raises Unreadable when the pool is used up."""
    if _pool is None:
        with tempfile.NamedTemporaryFile() as fresh:
            yield fresh
        return
    if not _pool:
        raise Unreadable(Refusal.UNSUPPORTED, _NO_ROOM)
    path = _pool.pop()
    try:
        with path.open("wb") as pooled:
            yield pooled
            pooled.truncate(0)
    finally:
        _pool.append(path)
