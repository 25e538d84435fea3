"""Files to unpack into: temporary ones, or, where none can be made, those of a pool."""

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from intelli.library.extraction.model import Refusal, Unreadable

_NO_ROOM = "More files are packed into each other here than are opened. Upload what you need on its own."
_pool: list[Path] | None = None


def provide(paths: Sequence[Path]) -> None:
    """Use these, empty and ours alone, from now on, and make no others."""
    global _pool  # noqa: PLW0603  # a child is for one task, and readers have nothing to hand this on by
    _pool = list(paths)


@contextmanager
def file() -> Iterator[IO[bytes]]:
    """A file with a name, while the block lasts."""
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
