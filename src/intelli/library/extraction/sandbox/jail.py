"""What is left to a child that reads a file: the libraries, its file, and its own folder."""

from collections.abc import Iterable
from pathlib import Path

from intelli.kit import confinement
from intelli.kit.confinement import AllowedPaths


def confine(*, read: Iterable[Path], write: Path) -> None:
    """No socket, no process, and no files but these; in the folder, what is there may be changed and nothing made."""
    confinement.confine(AllowedPaths(read=[*confinement.libraries(), *read], write=write))


def can_confine() -> bool:
    """Whether the kernel can keep a process from files and sockets."""
    return not confinement.missing()
