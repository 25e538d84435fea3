"""Where a child leaves what it made: two files, read through descriptors that were opened before it began.

A child that was taken over may put anything in their place, or turn them into a link: it is not looked at.
"""

import os
import shutil
import tempfile
from pathlib import Path

from intelli.library.extraction.sandbox.orders import RESULT, STDERR

_TAIL_BYTES = 4096
_PIECE_BYTES = 16 << 20


class ResultTooLarge(ValueError):
    """There is more in a result than a child may leave."""


class ResultFolder:
    """A folder for one child, with the files that it may write to."""

    def __init__(self, root: Path) -> None:
        self.folder = Path(tempfile.mkdtemp(dir=root))
        self._result, self._errors = (_make(self.folder / name) for name in (RESULT, STDERR))

    def result(self, *, most_bytes: int) -> bytes:
        """What the child made, if that is not more than it may be."""
        if os.fstat(self._result).st_size > most_bytes:
            raise ResultTooLarge("more was left than may be")
        pieces, at = list[bytes](), 0
        while piece := os.pread(self._result, min(_PIECE_BYTES, most_bytes + 1 - at), at):
            pieces.append(piece)
            at += len(piece)
        if at > most_bytes:
            raise ResultTooLarge("more was left than may be")
        return b"".join(pieces)

    def last_words(self) -> bytes:
        """The end of what the child said of its errors."""
        size = os.fstat(self._errors).st_size
        return os.pread(self._errors, _TAIL_BYTES, max(size - _TAIL_BYTES, 0))

    def remove(self) -> None:
        """Take it all away; links are not followed."""
        os.close(self._result)
        os.close(self._errors)
        shutil.rmtree(self.folder, ignore_errors=True)


def _make(path: Path) -> int:
    return os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
