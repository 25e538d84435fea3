"""Arrays of numbers for the database, in its own binary form: many times quicker than lists of Python's numbers."""

import struct
from typing import TYPE_CHECKING

import numpy as np
from psycopg.adapt import Dumper
from psycopg.pq import Format

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from psycopg import AsyncConnection

_FLOAT4, _FLOAT4_ARRAY, _INT8, _INT8_ARRAY = 700, 1021, 20, 1016


class Floats:
    """Numbers as an array of `real`; those of several rows follow each other."""

    def __init__(self, values: "NDArray[np.float32]") -> None:
        self.packed = _pack(values, _FLOAT4, ">f4")


class Longs:
    """Numbers as an array of `bigint`."""

    def __init__(self, values: "NDArray[np.int64]") -> None:
        self.packed = _pack(values, _INT8, ">i8")


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


def teach(connection: "AsyncConnection[object]") -> None:
    """Let a connection know these kinds of values."""
    connection.adapters.register_dumper(Floats, _FloatsDumper)
    connection.adapters.register_dumper(Longs, _LongsDumper)


def _pack(values: "NDArray[np.generic]", kind: int, form: str) -> bytes:
    """One dimension, no nulls; each element with its size before it."""
    if not values.size:
        return struct.pack(">iiI", 0, 0, kind)
    elements = np.empty(values.size, [("size", ">i4"), ("value", form)])
    elements["size"] = np.dtype(form).itemsize
    elements["value"] = values.ravel()
    return struct.pack(">iiIii", 1, 0, kind, values.size, 1) + elements.tobytes()
