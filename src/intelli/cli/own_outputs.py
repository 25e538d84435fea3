"""Record of the files that `research` has written, so that a later question about their folder does not cite them.

Files are identified by their content, so one that somebody edits is read like any other.
"""

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from intelli.cli.gather import LocalFile

_LIST = "written.txt"


def record(directory: Path, output: Path) -> None:
    """Record a file that was written."""
    with (directory / _LIST).open("a", encoding="ascii") as known:
        known.write(f"{output.stat().st_size} {_sha256(output)}\n")


def split(directory: Path, files: "Sequence[LocalFile]") -> "tuple[list[LocalFile], list[LocalFile]]":
    """Split files into those written by others, and those written by us and unchanged since."""
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
