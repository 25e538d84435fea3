"""Array parameters in PostgreSQL's binary format: many times faster than lists of Python numbers, or JSON."""

import struct
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np
from psycopg.adapt import Dumper
from psycopg.pq import Format

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from psycopg import AsyncConnection

_FLOAT4, _FLOAT4_ARRAY, _INT8, _INT8_ARRAY, _TEXT, _TEXT_ARRAY = 700, 1021, 20, 1016, 25, 1009
_NULL = struct.pack(">i", -1)


class Floats:
    """Array of `real`; a matrix is flattened row by row."""

    def __init__(self, values: "NDArray[np.float32]") -> None:
        self.packed = _pack(values, _FLOAT4, ">f4")


class Longs:
    """Array of `bigint`."""

    def __init__(self, values: "NDArray[np.int64]") -> None:
        self.packed = _pack(values, _INT8, ">i8")


class Texts:
    """Array of `text`, with nulls for None."""

    def __init__(self, values: Sequence[str | None]) -> None:
        self.packed = _header(_TEXT, len(values), has_null=None in values) + b"".join(_elements(values))


class _FloatsDumper(Dumper):
    format = Format.BINARY
    oid = _FLOAT4_ARRAY

    def dump(self, obj: Floats) -> bytes:
        return obj.packed


class _LongsDumper(Dumper):
    format = Format.BINARY
    oid = _INT8_ARRAY

    def dump(self, obj: Longs) -> bytes:
        return obj.packed


class _TextsDumper(Dumper):
    format = Format.BINARY
    oid = _TEXT_ARRAY

    def dump(self, obj: Texts) -> bytes:
        return obj.packed


def register_dumpers(connection: "AsyncConnection[object]") -> None:
    """Register the dumpers of these array types on a connection."""
    connection.adapters.register_dumper(Floats, _FloatsDumper)
    connection.adapters.register_dumper(Longs, _LongsDumper)
    connection.adapters.register_dumper(Texts, _TextsDumper)


def _elements(values: Sequence[str | None]) -> Iterator[bytes]:
    for value in values:
        if value is None:
            yield _NULL
        else:
            packed = value.encode()
            yield len(packed).to_bytes(4, "big")
            yield packed


def _pack(values: "NDArray[np.generic]", kind: int, form: str) -> bytes:
    """Encode a one-dimensional array without nulls: each element is preceded by its size."""
    elements = np.empty(values.size, [("size", ">i4"), ("value", form)])
    elements["size"] = np.dtype(form).itemsize
    elements["value"] = values.ravel()
    return _header(kind, values.size) + elements.tobytes()


def _header(kind: int, count: int, *, has_null: bool = False) -> bytes:
    return struct.pack(">iiIii", 1, has_null, kind, count, 1) if count else struct.pack(">iiI", 0, 0, kind)
