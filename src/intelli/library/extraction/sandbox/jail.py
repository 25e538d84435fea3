"""The jail of a child that reads a file: access to the libraries, its input files and its own folder only."""

from collections.abc import Iterable
from pathlib import Path

from intelli.kit import confinement
from intelli.kit.confinement import AllowedPaths


def confine(*, read: Iterable[Path], write: Path) -> None:
    """Confine this process: no sockets, no new processes, and no files but these.

    Existing files of the folder `write` may be changed; none can be created.
    """
    confinement.confine(AllowedPaths(read=[*confinement.libraries(), *read], write=write))


def can_confine() -> bool:
    """Return whether the kernel can deny a process files and sockets."""
    return not confinement.missing()
