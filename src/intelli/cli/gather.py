"""The files that a command was pointed at, each with the folder it belongs in: the tree of directories is kept."""

import hashlib
import os
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from intelli.kit.errors import NotFound
from intelli.library import names

_PIECE_BYTES = 1 << 20
# What a form writes otherwise into the name of a file than it is.
_ESCAPED = re.compile(r'["\\]|%(22|0D|0A)')


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
        """Where it goes, as the directories write it."""
        return f"{self.folder}/{self.name}"

    @property
    def library_path(self) -> str:
        """Its path as the library writes it; raises InvalidName when it keeps none of this name."""
        return "".join(f"/{step}" for step in names.steps(self.path))

    @property
    def may_share(self) -> bool:
        """True when it can be sent with others, in a form that has no other place for its path than its name."""
        return not _ESCAPED.search(self.path)


@dataclass(slots=True)
class GatheredFiles:
    """The files that were found, and how many hidden files and directories were passed by."""

    files: list[LocalFile] = field(default_factory=list)
    hidden: int = 0


def gather(paths: Sequence[Path], folder: str) -> GatheredFiles:
    """The files at these paths. Of a directory, all that is in it except what is hidden; links to others are left."""
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


def files(paths: Sequence[Path], folder: str) -> list[LocalFile]:
    """The files alone."""
    return gather(paths, folder).files


def sha256_of(path: Path) -> str:
    """The hash of a file."""
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
