"""What a file needs to survive a power cut, and how abandoned files are removed."""

import os
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path


def sync(path: Path) -> None:
    """Make a file's bytes, or a directory's entries, durable."""
    if os.name == "nt" and path.is_dir():
        return
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def sync_up(directory: Path, *, root: Path) -> None:
    """Sync from a directory up to the root: each may be new, and a new one lasts only when its parent is synced."""
    for each in (directory, *directory.parents):
        sync(each)
        if each == root:
            return


def sweep(directory: Path, *, before: datetime) -> int:
    """Remove the files of a directory that were last written before a time. Returns how many."""
    removed = 0
    for path in directory.iterdir() if directory.is_dir() else ():
        with suppress(FileNotFoundError):
            if datetime.fromtimestamp(path.stat().st_mtime, UTC) < before:
                path.unlink()
                removed += 1
    return removed
