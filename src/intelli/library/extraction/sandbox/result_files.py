"""Output files of a child: result and stderr, read through descriptors that were opened before it began.

A child that was taken over may replace the files or turn them into links; the paths are not read again.
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
    """A folder for one child, with the two files that it may write to."""

    def __init__(self, root: Path) -> None:
        self.folder = Path(tempfile.mkdtemp(dir=root))
        self._result, self._errors = (_create_file(self.folder / name) for name in (RESULT, STDERR))

    def read_result(self, *, most_bytes: int) -> bytes:
        """Return the child's result. Raises ResultTooLarge when it has more than `most_bytes`."""
        if os.fstat(self._result).st_size > most_bytes:
            raise ResultTooLarge("more was left than may be")
        pieces, offset = list[bytes](), 0
        while piece := os.pread(self._result, min(_PIECE_BYTES, most_bytes + 1 - offset), offset):
            pieces.append(piece)
            offset += len(piece)
        if offset > most_bytes:
            raise ResultTooLarge("more was left than may be")
        return b"".join(pieces)

    def read_error_tail(self) -> bytes:
        """Return the last bytes that the child wrote to stderr."""
        size = os.fstat(self._errors).st_size
        return os.pread(self._errors, _TAIL_BYTES, max(size - _TAIL_BYTES, 0))

    def remove(self) -> None:
        """Close the files and remove the folder; links are not followed."""
        os.close(self._result)
        os.close(self._errors)
        shutil.rmtree(self.folder, ignore_errors=True)


def _create_file(path: Path) -> int:
    """Create a file and return its descriptor."""
    return os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
