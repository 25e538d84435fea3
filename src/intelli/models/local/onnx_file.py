"""Writer of ONNX files, of which only the few messages that an encoder needs; so no further package is required."""

import struct
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
_KINDS = {np.dtype(np.float32): 1, np.dtype(np.int8): 3, np.dtype(np.int64): 7}
_FLOAT_ATTRIBUTE, _INT_ATTRIBUTE, _INTS_ATTRIBUTE = 1, 2, 7
FLOAT, INT64 = 1, 7
_IR_VERSION, _OPSET = 9, 20


class OnnxGraph:
    """A graph that grows by one operation after the other. Names of results are chosen by the graph."""

    def __init__(self) -> None:
        self._nodes: list[bytes] = []
        self._constants: dict[str, bytes] = {}

    def constant(self, name: str, value: Array) -> str:
        """Add a constant, once for each name; return its name."""
        if name not in self._constants:
            dims = b"".join(_number(1, size) for size in value.shape)
            raw = np.ascontiguousarray(value).astype(value.dtype.newbyteorder("<"), copy=False).tobytes()
            self._constants[name] = dims + _number(2, _KINDS[value.dtype]) + _bytes(8, name.encode()) + _bytes(9, raw)
        return name

    def apply(self, kind: str, inputs: Sequence[str], *, outputs: int = 1, **attributes: float | Sequence[int]) -> str:
        """Add an operation; return the name of its first result. Further ones end in `:1`, `:2`."""
        name = f"{kind}_{len(self._nodes)}"
        results = [name, *(f"{name}:{number}" for number in range(1, outputs))]
        fields = [_bytes(1, each.encode()) for each in inputs] + [_bytes(2, each.encode()) for each in results]
        fields += [_bytes(3, name.encode()), _bytes(4, kind.encode())]
        fields += [_bytes(5, _attribute(key, value)) for key, value in attributes.items()]
        self._nodes.append(b"".join(fields))
        return name

    def write(self, inputs: Iterable[str], output: str, *, width: int) -> bytes:
        """Return the file of a graph from token numbers and their like to a row of numbers for each token."""
        named = self.apply("Identity", [output])
        dims = ("batch", "sequence")
        graph = [_bytes(1, node) for node in self._nodes]
        graph += [_bytes(2, b"encoder"), *(_bytes(5, value) for value in self._constants.values())]
        graph += [_bytes(11, _value(name, INT64, dims)) for name in inputs]
        graph += [_bytes(12, _value(named, FLOAT, (*dims, width)))]
        opset = _bytes(1, b"") + _number(2, _OPSET)
        return _number(1, _IR_VERSION) + _bytes(7, b"".join(graph)) + _bytes(8, opset)


def _attribute(name: str, value: float | Sequence[int]) -> bytes:
    head = _bytes(1, name.encode())
    if isinstance(value, float):
        return head + bytes([2 << 3 | 5]) + struct.pack("<f", value) + _number(20, _FLOAT_ATTRIBUTE)
    if isinstance(value, int):
        return head + _number(3, value) + _number(20, _INT_ATTRIBUTE)
    return head + b"".join(_number(8, each) for each in value) + _number(20, _INTS_ATTRIBUTE)


def _value(name: str, kind: int, dims: Sequence[str | int]) -> bytes:
    shape = b"".join(_bytes(1, _bytes(2, dim.encode()) if isinstance(dim, str) else _number(1, dim)) for dim in dims)
    return _bytes(1, name.encode()) + _bytes(2, _bytes(1, _number(1, kind) + _bytes(2, shape)))


def _bytes(field: int, value: bytes) -> bytes:
    return _varint(field << 3 | 2) + _varint(len(value)) + value


def _number(field: int, value: int) -> bytes:
    return _varint(field << 3) + _varint(value & (1 << 64) - 1)


def _varint(value: int) -> bytes:
    found = bytearray()
    while value > 0x7F:
        found.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*found, value])
