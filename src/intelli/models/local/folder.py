"""Directory of local models: which are installed, which of them is served, and who works there."""

import fcntl
import json
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import IO

from intelli.models.local.errors import InstallRunning


@dataclass(frozen=True, slots=True)
class InstalledFile:
    """An installed model: its file in the directory, and where that came from. `origin` is a sentence for people."""

    name: str
    title: str
    licence: str
    file: str
    size_bytes: int
    sha256: str
    context_tokens: int
    memory_bytes: int
    origin: str


class ModelsFolder:
    """The directory `models` of a data directory. It is created when something is installed."""

    def __init__(self, data: Path) -> None:
        self.path = data / "models"
        self.lease = self.path / "server.lock"
        self.address = self.path / "server.json"
        self.log = self.path / "server.log"
        self.trial_log = self.path / "trial.log"
        self._list = self.path / "installed.json"

    def list_installed(self) -> list[InstalledFile]:
        """List the installed models, the one that is served last. Entries whose file is gone are left out."""
        try:
            entries = [InstalledFile(**entry) for entry in json.loads(self._list.read_text(encoding="utf-8"))]
        except (OSError, ValueError, TypeError):
            return []
        return [entry for entry in entries if (self.path / entry.file).exists()]

    def find_served(self) -> InstalledFile | None:
        """Find the model that is served: the last one that was installed."""
        return next(reversed(self.list_installed()), None)

    def changed_at(self) -> int:
        """Return when something was installed or removed last, in nanoseconds; 0 when nothing ever was."""
        try:
            return self._list.stat().st_mtime_ns
        except OSError:
            return 0

    def add(self, model: InstalledFile) -> None:
        """Record a model whose file is in place; from now on it is the one that is served.

        The file of one that had its name is deleted. A server that still runs it keeps it until it ends.
        """
        before = self.list_installed()
        self._write([*(entry for entry in before if entry.name != model.name), model])
        for entry in before:
            if entry.name == model.name and entry.file != model.file:
                (self.path / entry.file).unlink(missing_ok=True)

    def choose_file(self, name: str, sha256: str) -> str:
        """Return a name for the file of a model, which no installed model has for another file."""
        file = f"{name}.gguf"
        is_taken = any(entry.file == file and entry.sha256 != sha256 for entry in self.list_installed())
        return f"{name}-{sha256[:12]}.gguf" if is_taken else file

    def remove(self, model: InstalledFile) -> None:
        """Forget a model and delete its file."""
        self._write([entry for entry in self.list_installed() if entry.name != model.name])
        (self.path / model.file).unlink(missing_ok=True)

    @contextmanager
    def lock_for_changes(self) -> Iterator[None]:
        """Create the directory and hold it against other installs; raise InstallRunning when one is at work."""
        self.path.mkdir(mode=0o700, parents=True, exist_ok=True)
        with open_private(self.path / "install.lock") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise InstallRunning(
                    f"Another `intelli models` command changes {self.path}. Wait until it has ended, and try again."
                ) from None
            yield

    def _write(self, models: list[InstalledFile]) -> None:
        write_private(self._list, json.dumps([asdict(model) for model in models], indent=1))


def open_private(path: Path) -> IO[bytes]:
    """Open a file to read and write, created for its owner alone."""
    return os.fdopen(os.open(path, os.O_RDWR | os.O_CREAT, 0o600), "r+b")


def write_private(path: Path, text: str) -> None:
    """Write a file atomically and durably, readable by its owner only."""
    draft = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
    with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    draft.replace(path)
