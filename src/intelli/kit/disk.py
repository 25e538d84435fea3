"""What a file needs to survive a power cut, and what is in a directory."""

import hashlib
import os
from collections.abc import Mapping, Set
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


class Directory:
    """A directory whose files appear whole and durable, or not at all. Names are relative to its root."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._lasting: set[Path] = set()

    def write(self, content: bytes, name: str, *, draft: str) -> bool:
        """Durable as a draft first, visible under its name second; false when the name has these bytes already."""
        path, beside = self._root / name, self._root / draft
        is_new = not _holds(path, content)
        if is_new:
            for directory in (path.parent, beside.parent):
                directory.mkdir(parents=True, exist_ok=True)
            is_new = _link_new(content, path, draft=beside)
        self.sync_up(name)
        return is_new

    def write_all(self, contents: Mapping[str, bytes], *, draft: str) -> None:
        """Several: each durable as a draft before it is visible. A name that has these bytes already is left alone."""
        beside = self._root / draft
        _ensure(beside.parent)
        try:
            for name, content in contents.items():
                path = self._root / name
                if not _holds(path, content):
                    _ensure(path.parent)
                    _write(content, beside)
                    beside.replace(path)
        finally:
            beside.unlink(missing_ok=True)
        self._sync_all({(self._root / name).parent for name in contents})

    def read_all(self, names: Mapping[str, str]) -> dict[str, bytes]:
        """Files as a whole, by the hashes they should have; what is not there or has another is left out."""
        found = dict[str, bytes]()
        for sha256, name in names.items():
            with suppress(FileNotFoundError):
                content = self._root.joinpath(name).read_bytes()
                if hashlib.sha256(content).hexdigest() == sha256:
                    found[sha256] = content
        return found

    def sync_up(self, name: str) -> None:
        """Make a file's entry durable. Directories last once they were synced up to the root: that is done once."""
        self._sync_all({(self._root / name).parent})

    def _sync_all(self, directories: Set[Path]) -> None:
        """Each directory once, however many entries it got, and those above the ones that are new."""
        new = directories - self._lasting
        above = {each for directory in new for each in directory.parents if each.is_relative_to(self._root)}
        for directory in (*directories, *(above - directories)):
            sync(directory)
        self._lasting |= new


def _ensure(directory: Path) -> None:
    if not directory.is_dir():
        directory.mkdir(parents=True, exist_ok=True)


def _holds(path: Path, content: bytes) -> bool:
    """Whether a file is there and whole; one that the disk gives no more is not."""
    try:
        return path.stat().st_size == len(content) and path.read_bytes() == content
    except OSError:
        return False


def _link_new(content: bytes, path: Path, *, draft: Path) -> bool:
    try:
        _write(content, draft)
        path.hardlink_to(draft)
    except FileExistsError:
        if _holds(path, content):
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


def listed(directory: Path) -> list[tuple[str, int, datetime]]:
    """The files of a directory: name, size, and when each was last written."""
    found = []
    for path in directory.iterdir() if directory.is_dir() else ():
        with suppress(FileNotFoundError):
            stat = path.stat()
            found.append((path.name, stat.st_size, datetime.fromtimestamp(stat.st_mtime, UTC)))
    return found
