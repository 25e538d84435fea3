"""Several results in one file, each behind its length."""

import struct

_LENGTH = struct.Struct("<Q")


def pack(result: bytes) -> bytes:
    """A result with its length before it."""
    return _LENGTH.pack(len(result)) + result


def unpack(packed: bytes, count: int) -> list[bytes]:
    """So many results, and nothing else. Raises ValueError when these are not."""
    results, at = list[bytes](), 0
    for _ in range(count):
        if len(packed) - at < _LENGTH.size:
            raise ValueError("there are fewer results than files")
        (length,) = _LENGTH.unpack_from(packed, at)
        at += _LENGTH.size
        if length > len(packed) - at:
            raise ValueError("a result is longer than what was left")
        results.append(packed[at : at + length])
        at += length
    if at != len(packed):
        raise ValueError("there are more results than files")
    return results
