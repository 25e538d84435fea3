"""Hits: where a term occurs, in the bytes that a posting keeps.

Each hit is eleven bytes: the key of the chunk, how often the term occurs there, and how many terms the chunk has. So
the postings of a term, put one after the other, are an array, and ranking may change its formula without another
indexing. A posting belongs to one part of a reading, so that it fits into an entry of the database's index.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from intelli.retrieval.analysis import Analysed

Keys = NDArray[np.int64]
Floats = NDArray[np.float64]
_PART = 128
_CHUNK_BITS = 24
_HIT = np.dtype([("key", "<i8"), ("count", "u1"), ("length", "<u2")])
HIT_BYTES = _HIT.itemsize


@dataclass(frozen=True, slots=True)
class Postings:
    """Rows for the index: `hits[n]` are those of `terms[n]` in `parts[n]`."""

    terms: list[int]
    parts: list[int]
    hits: list[bytes]

    def batches(self, size: int) -> Iterator["Postings"]:
        """The same rows, so many at a time."""
        for at in range(0, len(self.terms), size):
            rows = slice(at, at + size)
            yield Postings(self.terms[rows], self.parts[rows], self.hits[rows])


@dataclass(frozen=True, slots=True)
class Occurrences:
    """All chunks that hold a term, by their keys, with how often they do and how long they are."""

    keys: Keys
    counts: Floats
    lengths: Floats


def pack(reading: int, chunks: Sequence[Analysed]) -> Postings:
    """The postings of a reading whose chunks are these, in order."""
    sizes = [len(chunk.counts) for chunk in chunks]
    numbers = np.repeat(np.arange(len(chunks)), sizes)
    terms = np.fromiter((term for chunk in chunks for term in chunk.counts), np.int64, sum(sizes))
    hits = np.empty(len(terms), _HIT)
    hits["key"] = key_of(reading, 0) + numbers
    hits["count"] = np.minimum(np.fromiter((n for c in chunks for n in c.counts.values()), np.int64, len(terms)), 255)
    hits["length"] = np.minimum(np.repeat([chunk.length for chunk in chunks], sizes), 65_535)
    parts = numbers // _PART
    order = np.lexsort((parts, terms))
    terms, parts, hits = terms[order], parts[order], hits[order]
    starts = np.flatnonzero(np.diff(terms, prepend=terms[:1] - 1) | np.diff(parts, prepend=parts[:1]))
    raw = hits.tobytes()
    slices = [raw[start * HIT_BYTES : end * HIT_BYTES] for start, end in pairwise([*starts.tolist(), len(terms)])]
    return Postings(terms[starts].tolist(), parts[starts].tolist(), slices)


def unpack(hits: bytes) -> Occurrences:
    """What postings of one term say, put one after the other."""
    found = np.frombuffer(hits, _HIT)
    return Occurrences(
        found["key"].astype(np.int64), found["count"].astype(np.float64), found["length"].astype(np.float64)
    )


def key_of(reading: int, chunk_index: int) -> int:
    """The key of a chunk: one number that sorts by reading and place."""
    return (reading << _CHUNK_BITS) + chunk_index


def place_of(key: int) -> tuple[int, int]:
    """The reading and the place of a chunk's key."""
    return key >> _CHUNK_BITS, key & ((1 << _CHUNK_BITS) - 1)


def reading_part(keys: Keys) -> Keys:
    """The reading of each key."""
    return keys >> _CHUNK_BITS


def readings_of(keys: Keys) -> list[int]:
    """The readings that chunks belong to, each once."""
    return [int(reading) for reading in np.unique(reading_part(keys))]
