"""Lock on a data directory: one server at a time; a second one gets the pid and URL of the first."""

import fcntl
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import IO

from intelli.kit.errors import IntelliError

NAME = "serve.lock"


class DirectoryInUse(IntelliError):
    """Another server works on this data directory."""

    code = "directory_in_use"


class DirectoryUnusable(IntelliError):
    """The data directory cannot be made or written."""

    code = "directory_unusable"


@dataclass(frozen=True, slots=True)
class LockHolder:
    """Process that serves a directory, and its URL; 0 and empty until it has written them to the lock file."""

    pid: int
    url: str


class DataLock:
    """A held lock on a data directory, as a file lock."""

    def __init__(self, file: IO[str]) -> None:
        self._file = file

    def announce(self, url: str) -> None:
        """Write our pid and URL to the lock file, for commands and other servers."""
        self._file.seek(0)
        self._file.truncate()
        json.dump(asdict(LockHolder(os.getpid(), url)), self._file)
        self._file.flush()


@contextmanager
def acquire(data: Path) -> Iterator[DataLock]:
    """Lock the directory until the block or the process ends; raise DirectoryInUse when another server holds it."""
    file = _open(data)
    with file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise DirectoryInUse(
                f"{data} is already served{_describe(_read(file))}. Use that server, stop it first, or choose another "
                "directory with --data."
            ) from None
        lock = DataLock(file)
        lock.announce("")
        try:
            yield lock
        finally:
            file.truncate(0)


def _open(data: Path) -> IO[str]:
    try:
        data.mkdir(mode=0o700, parents=True, exist_ok=True)
        return os.fdopen(os.open(data / NAME, os.O_RDWR | os.O_CREAT, 0o600), "r+", encoding="utf-8")
    except OSError as error:
        raise DirectoryUnusable(
            f"The data directory {data} cannot be used: {error.strerror}. Choose another with --data."
        ) from None


def find_holder(data: Path) -> LockHolder | None:
    """Return the server that holds the directory now; None when there is none."""
    try:
        file = (data / NAME).open(encoding="utf-8")
    except OSError:
        return None
    with file:
        try:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return _read(file)
        return None


def _read(file: IO[str]) -> LockHolder:
    try:
        return LockHolder(**json.load(file))
    except (ValueError, TypeError):
        return LockHolder(0, "")


def _describe(holder: LockHolder) -> str:
    by = f" by process {holder.pid}" if holder.pid else ""
    return by + (f" at {holder.url}" if holder.url else "")
