"""What `research` has written: it is no source of a later question about the folder that it was written into.

Files are known by their bytes, so one that somebody edits is read like any other.
"""

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from intelli.cli.gather import LocalFile

_LIST = "written.txt"


def note(directory: Path, output: Path) -> None:
    """Remember a file that was written."""
    with (directory / _LIST).open("a", encoding="ascii") as known:
        known.write(f"{output.stat().st_size} {_sha256(output)}\n")


def apart(directory: Path, files: "Sequence[LocalFile]") -> "tuple[list[LocalFile], list[LocalFile]]":
    """The files that others wrote, and those that we did."""
    known = directory / _LIST
    hashes = set(known.read_text(encoding="ascii").splitlines()) if known.exists() else set[str]()
    sizes = {line.partition(" ")[0] for line in hashes}
    theirs, ours = list["LocalFile"](), list["LocalFile"]()
    for file in files:
        is_ours = str(file.size_bytes) in sizes and f"{file.size_bytes} {_sha256(file.source)}" in hashes
        (ours if is_ours else theirs).append(file)
    return theirs, ours


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
