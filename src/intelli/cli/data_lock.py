"""The claim on a data directory: one server at a time, and the next one is told who is there."""

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
    """The process that serves a directory, and where; 0 and empty until it has written them down."""

    pid: int
    url: str


class DataLock:
    """The right to serve from a data directory, held as a lock on one of its files."""

    def __init__(self, file: IO[str]) -> None:
        self._file = file

    def announce(self, url: str) -> None:
        """Write down where the server is found, for those who come second."""
        self._file.seek(0)
        self._file.truncate()
        json.dump(asdict(LockHolder(os.getpid(), url)), self._file)
        self._file.flush()


@contextmanager
def claimed(data: Path) -> Iterator[DataLock]:
    """Hold the directory until the block ends; the lock goes with the process, however that ends."""
    file = _open(data)
    with file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise DirectoryInUse(
                f"{data} is already served{_in_words(_read(file))}. Use that server, stop it first, or choose another "
                "directory with --data."
            ) from None
        claim = DataLock(file)
        claim.announce("")
        try:
            yield claim
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
    """The server that works on the directory now, if one does."""
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


def _in_words(holder: LockHolder) -> str:
    by = f" by process {holder.pid}" if holder.pid else ""
    return by + (f" at {holder.url}" if holder.url else "")
