"""Frames: several results in one file, each prefixed with its length (8 bytes, little-endian)."""

import struct

_LENGTH = struct.Struct("<Q")


def pack(result: bytes) -> bytes:
    """Return a result prefixed with its length."""
    return _LENGTH.pack(len(result)) + result


def unpack(packed: bytes, count: int) -> list[bytes]:
    """Split bytes into exactly `count` results. Raises ValueError when they are more, fewer or cut short."""
    results, offset = list[bytes](), 0
    for _ in range(count):
        if len(packed) - offset < _LENGTH.size:
            raise ValueError("there are fewer results than files")
        (length,) = _LENGTH.unpack_from(packed, offset)
        offset += _LENGTH.size
        if length > len(packed) - offset:
            raise ValueError("a result is longer than what was left")
        results.append(packed[offset : offset + length])
        offset += length
    if offset != len(packed):
        raise ValueError("there are more results than files")
    return results
