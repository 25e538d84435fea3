"""The C library of this process, opened once: for the few calls that Python has no function for."""

import ctypes
from functools import cache


@cache
def libc() -> ctypes.CDLL:
    """Its functions by their names; they leave their error in `ctypes.get_errno()`."""
    return ctypes.CDLL(None, use_errno=True)
