"""Handle on the C library of this process, for the few calls that Python has no function for."""

import ctypes
from functools import cache


@cache
def libc() -> ctypes.CDLL:
    """Return the library, opened once. Its functions set `ctypes.get_errno()`."""
    return ctypes.CDLL(None, use_errno=True)
