"""Durable writes: files that survive a power cut, appear atomically, and are listed with size and time."""

import hashlib
import os
from collections.abc import Mapping, Set
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path


def sync(path: Path) -> None:
    """Make a file's bytes, or a directory's entries, durable (fsync)."""
    if os.name == "nt" and path.is_dir():
        return
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


class Directory:
    """Directory whose files are written atomically and durably. Names are relative to its root."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._synced: set[Path] = set()

    def write(self, content: bytes, name: str, *, draft: str) -> bool:
        """Write a draft durably, then link it to its name. Return False when the file has these bytes already."""
        path, beside = self._root / name, self._root / draft
        is_new = not _has_content(path, content)
        if is_new:
            for directory in (path.parent, beside.parent):
                directory.mkdir(parents=True, exist_ok=True)
            is_new = _link_new(content, path, draft=beside)
        self.sync_up(name)
        return is_new

    def write_all(self, contents: Mapping[str, bytes], *, draft: str) -> None:
        """Write several files, each as a durable draft that is then renamed. Skip files that have these bytes."""
        beside = self._root / draft
        _make_directory(beside.parent)
        try:
            for name, content in contents.items():
                path = self._root / name
                if not _has_content(path, content):
                    _make_directory(path.parent)
                    _write(content, beside)
                    beside.replace(path)
        finally:
            beside.unlink(missing_ok=True)
        self._sync_all({(self._root / name).parent for name in contents})

    def read_all(self, names: Mapping[str, str]) -> dict[str, bytes]:
        """Read files by their expected SHA-256; those that are missing or have another hash are left out."""
        found = dict[str, bytes]()
        for sha256, name in names.items():
            with suppress(FileNotFoundError):
                content = self._root.joinpath(name).read_bytes()
                if hashlib.sha256(content).hexdigest() == sha256:
                    found[sha256] = content
        return found

    def sync_up(self, name: str) -> None:
        """Make a file's entry durable. The directories above it are synced up to the root only once."""
        self._sync_all({(self._root / name).parent})

    def _sync_all(self, directories: Set[Path]) -> None:
        """Sync each directory once, and the parents of directories that were not synced before."""
        new = directories - self._synced
        above = {each for directory in new for each in directory.parents if each.is_relative_to(self._root)}
        for directory in (*directories, *(above - directories)):
            sync(directory)
        self._synced |= new


def _make_directory(directory: Path) -> None:
    if not directory.is_dir():
        directory.mkdir(parents=True, exist_ok=True)


def _has_content(path: Path, content: bytes) -> bool:
    """Return True when the file exists with this content; an unreadable file has not."""
    try:
        return path.stat().st_size == len(content) and path.read_bytes() == content
    except OSError:
        return False


def _link_new(content: bytes, path: Path, *, draft: Path) -> bool:
    try:
        _write(content, draft)
        path.hardlink_to(draft)
    except FileExistsError:
        if _has_content(path, content):
            return False
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)
    return True


def _write(content: bytes, path: Path) -> None:
    with path.open("xb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


def list_files(directory: Path) -> list[tuple[str, int, datetime]]:
    """List the files of a directory: name, size in bytes, modification time; empty without a directory."""
    found = []
    for path in directory.iterdir() if directory.is_dir() else ():
        with suppress(FileNotFoundError):
            stat = path.stat()
            found.append((path.name, stat.st_size, datetime.fromtimestamp(stat.st_mtime, UTC)))
    return found
