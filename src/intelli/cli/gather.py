"""The files that a command was pointed at, each with the folder it belongs in: the tree of directories is kept."""

import hashlib
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from intelli.kit.errors import NotFound

_PIECE_BYTES = 1 << 20


class NoSuchPath(NotFound):
    """A path on the command line leads nowhere."""

    code = "no_such_path"


@dataclass(frozen=True, slots=True)
class LocalFile:
    """A file, and where in the library it goes."""

    source: Path
    folder: str
    name: str
    size_bytes: int

    @property
    def path(self) -> str:
        """Its path in the library."""
        return f"{self.folder}/{self.name}"


def files(paths: Sequence[Path], folder: str) -> list[LocalFile]:
    """The files at these paths. Of a directory, all that is in it except what is hidden; links to others are left."""
    base = "".join(f"/{step}" for step in folder.split("/") if step)
    found: list[LocalFile] = []
    for path in paths:
        if not path.exists():
            raise NoSuchPath(f"There is nothing at {path}.")
        found += _walk(path, base) if path.is_dir() else [_file(path, base)]
    return found


def sha256_of(path: Path) -> str:
    """The hash of a file."""
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while piece := file.read(_PIECE_BYTES):
            digest.update(piece)
    return digest.hexdigest()


def _walk(directory: Path, base: str) -> Iterator[LocalFile]:
    root = directory.resolve()
    for place, directories, names in os.walk(root):
        directories[:] = sorted(name for name in directories if not name.startswith("."))
        steps = [root.name, *Path(place).relative_to(root).parts]
        for name in sorted(names):
            path = Path(place, name)
            if not name.startswith(".") and path.is_file() and not path.is_symlink():
                yield _file(path, "/".join([base, *steps]))


def _file(path: Path, folder: str) -> LocalFile:
    return LocalFile(path, folder, path.name, path.stat().st_size)
