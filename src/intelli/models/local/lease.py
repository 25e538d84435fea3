"""Which of our processes runs the model server of a directory, and how the others reach it."""

import fcntl
import json
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from enum import StrEnum

from intelli.models.local.folder import ModelsFolder, open_private, write_private

LOOPBACK = "127.0.0.1"


class ServerState(StrEnum):
    """State of the model server. `failed` lasts until another model is installed, or we are started again."""

    STARTING = "starting"
    READY = "ready"
    FAILED = "failed"
    STOPPED = "stopped"


@dataclass(frozen=True, slots=True)
class ServerAddress:
    """Where the model server listens, its key, and how it is. `sha256` says which model it serves."""

    port: int
    key: str
    sha256: str
    state: ServerState
    problem: str | None = None


@contextmanager
def try_lease(folder: ModelsFolder) -> Iterator[bool]:
    """Hold the right to run the server while the block lasts; yields False when another process has it.

    It is a file lock, so that it ends with the process that holds it, however that ends.
    """
    with open_private(folder.lease) as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            yield False
        else:
            yield True


def read_address(folder: ModelsFolder) -> ServerAddress | None:
    """Read what the process that runs the server has written, or one before it; None when nothing can be read."""
    try:
        read = json.loads(folder.address.read_text(encoding="utf-8"))
        return ServerAddress(**{**read, "state": ServerState(read["state"])})
    except (OSError, ValueError, TypeError, KeyError):
        return None


def write_address(folder: ModelsFolder, address: ServerAddress) -> None:
    """Write where the server is reached, for our own processes alone: the file holds the key."""
    write_private(folder.address, json.dumps(asdict(address)))


def find_address(folder: ModelsFolder) -> ServerAddress | None:
    """Return the address while a process runs the server; None when none does."""
    try:
        file = folder.lease.open("rb")
    except OSError:
        return None
    with file:
        try:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return read_address(folder)
        return None


def is_free(port: int) -> bool:
    """Tell whether a server can listen on a port of the loopback."""
    with socket.socket() as attempt:
        attempt.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            attempt.bind((LOOPBACK, port))
        except OSError:
            return False
        return True


def find_free_port() -> int:
    """Return a port of the loopback that is free now."""
    with socket.socket() as attempt:
        attempt.bind((LOOPBACK, 0))
        return int(attempt.getsockname()[1])
