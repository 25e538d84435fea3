"""Collects the files at given paths, each with its library folder; the directory tree is preserved."""

import hashlib
import os
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from intelli.kit.errors import NotFound
from intelli.library import names

_PIECE_BYTES = 1 << 20
# Characters that multipart forms encode ambiguously in file names.
_ESCAPED = re.compile(r'["\\]|%(22|0D|0A)')


class NoSuchPath(NotFound):
    """A path on the command line leads nowhere."""

    code = "no_such_path"


@dataclass(frozen=True, slots=True)
class LocalFile:
    """A file on this machine, and its target folder and name in the library."""

    source: Path
    folder: str
    name: str
    size_bytes: int

    @property
    def path(self) -> str:
        """Return the target path with folder and name as they are on disk."""
        return f"{self.folder}/{self.name}"

    @property
    def library_path(self) -> str:
        """Return the target path as the library normalises it; raise InvalidName for a name it does not accept."""
        return "".join(f"/{step}" for step in names.split_path(self.path))

    @property
    def may_share(self) -> bool:
        """True when it can be sent in a batch, where the multipart file name has to carry the path unaltered."""
        return not _ESCAPED.search(self.path)


@dataclass(slots=True)
class GatheredFiles:
    """Collected files, and the number of hidden files and directories that were skipped."""

    files: list[LocalFile] = field(default_factory=list)
    hidden: int = 0


def gather(paths: Sequence[Path], folder: str) -> GatheredFiles:
    """Collect the files at the paths; directories recursively, without hidden entries and symbolic links.

    Raise NoSuchPath for a path that does not exist.
    """
    base = "".join(f"/{step}" for step in folder.split("/") if step)
    found = GatheredFiles()
    for path in paths:
        if not path.exists():
            raise NoSuchPath(f"There is nothing at {path}.")
        if path.is_dir():
            _walk(path, base, found)
        else:
            found.files.append(_file(path, base))
    return found


def list_files(paths: Sequence[Path], folder: str) -> list[LocalFile]:
    """Return the files that `gather` finds."""
    return gather(paths, folder).files


def sha256_of(path: Path) -> str:
    """Return the SHA-256 of a file's content, in hexadecimal."""
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while piece := file.read(_PIECE_BYTES):
            digest.update(piece)
    return digest.hexdigest()


def _walk(directory: Path, base: str, found: GatheredFiles) -> None:
    root = directory.resolve()
    for place, directories, filenames in os.walk(root):
        found.hidden += sum(name.startswith(".") for name in (*directories, *filenames))
        directories[:] = sorted(name for name in directories if not name.startswith("."))
        steps = [root.name, *Path(place).relative_to(root).parts]
        for name in sorted(filenames):
            path = Path(place, name)
            if not name.startswith(".") and path.is_file() and not path.is_symlink():
                found.files.append(_file(path, "/".join([base, *steps])))


def _file(path: Path, folder: str) -> LocalFile:
    return LocalFile(path, folder, path.name, path.stat().st_size)
