"""Postings: binary format of the places where a term occurs.

Each hit is eleven bytes: the key of the chunk, how often the term occurs there, and how many terms the chunk has. So
the concatenated postings of a term are an array, and ranking may change its formula without another indexing. A posting
covers all readings that were indexed as one batch, in parts that fit into an entry of the database's index.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from intelli.retrieval.analysis import AnalysedText

Keys = NDArray[np.int64]
Chunk = TypeVar("Chunk")
Floats = NDArray[np.float64]
_PART = 128
CHUNK_BITS = 24
_HIT = np.dtype([("key", "<i8"), ("count", "u1"), ("length", "<u2")])
HIT_BYTES = _HIT.itemsize
_MOST, _LONGEST = 255, 65_535


@dataclass(frozen=True, slots=True)
class Postings:
    """Rows to insert: row `n` is part `parts[n]` of `terms[n]`, for the readings from `first[n]` to `last[n]`.

    Its hits are the `counts[n]` next ones of `hits`.
    """

    terms: Keys
    parts: Keys
    first: Keys
    last: Keys
    counts: Keys
    hits: bytes

    def batches(self, size: int) -> Iterator["Postings"]:
        """Yield the rows in batches of `size`."""
        ends = np.cumsum(self.counts) * HIT_BYTES
        for at in range(0, len(self.terms), size):
            rows = slice(at, at + size)
            start, end = (int(ends[at - 1]) if at else 0), int(ends[rows][-1])
            yield Postings(
                self.terms[rows],
                self.parts[rows],
                self.first[rows],
                self.last[rows],
                self.counts[rows],
                self.hits[start:end],
            )

    def rows(self) -> Iterator[tuple[int, int, int, int, bytes]]:
        """Yield each row as (term, part, first, last, hits)."""
        at = 0
        columns = (self.terms, self.parts, self.first, self.last, self.counts)
        for term, part, first, last, count in zip(*(column.tolist() for column in columns), strict=True):
            yield term, part, first, last, self.hits[at : at + count * HIT_BYTES]
            at += count * HIT_BYTES


@dataclass(frozen=True, slots=True)
class TermCounts:
    """Chunks by key, with the length of each and its number of distinct terms; below, their terms one after another."""

    keys: Keys
    lengths: Keys
    sizes: Keys
    terms: Keys
    counts: Keys


@dataclass(frozen=True, slots=True)
class Occurrences:
    """Chunks that contain a term, by key, with its count in each and the length of each in terms."""

    keys: Keys
    counts: Floats
    lengths: Floats

    def where(self, is_wanted: NDArray[np.bool_]) -> "Occurrences":
        """Return the occurrences selected by a mask."""
        return Occurrences(self.keys[is_wanted], self.counts[is_wanted], self.lengths[is_wanted])


def list_counts(chunks: Mapping[int, AnalysedText]) -> TermCounts:
    """List the terms of analysed chunks, given by key."""
    sizes = [len(chunk.counts) for chunk in chunks.values()]
    terms = np.fromiter(chain.from_iterable(chunk.counts for chunk in chunks.values()), np.int64, sum(sizes))
    times = chain.from_iterable(chunk.counts.values() for chunk in chunks.values())
    counts = np.minimum(np.fromiter(times, np.int64, sum(sizes)), _MOST)
    lengths = np.array([min(chunk.length, _LONGEST) for chunk in chunks.values()], np.int64)
    return TermCounts(np.array(list(chunks), np.int64), lengths, np.array(sizes, np.int64), terms, counts)


def by_key(readings: Mapping[int, Sequence[Chunk]]) -> dict[int, Chunk]:
    """Return the chunks of readings, by key in rising order."""
    return {key_of(number, at): chunk for number in sorted(readings) for at, chunk in enumerate(readings[number])}


def pack(listed: TermCounts) -> Postings:
    """Pack the terms of chunks, their keys rising, into postings."""
    hits = np.empty(len(listed.terms), _HIT)
    hits["key"] = np.repeat(listed.keys, listed.sizes)
    hits["count"] = listed.counts
    hits["length"] = np.repeat(listed.lengths, listed.sizes)
    order = np.argsort(listed.terms, kind="stable")  # within a term, the keys rise already
    return _rows(listed.terms[order], hits[order])


def _rows(terms: Keys, hits: "NDArray[np.void]") -> Postings:
    """Split sorted hits into rows: where the term changes, and where a part is full."""
    is_new_term = np.diff(terms, prepend=terms[:1] - 1) != 0
    begins = np.flatnonzero(is_new_term)
    places = np.arange(len(terms)) - np.repeat(begins, np.diff(begins, append=len(terms)))
    starts = np.flatnonzero(places % _PART == 0)
    counts = np.diff(starts, append=len(terms))
    first, last = (readings_of_keys(hits["key"][at]) for at in (starts, starts + counts - 1))
    return Postings(terms[starts], places[starts] // _PART, first, last, counts, hits.tobytes())


def unpack(hits: bytes) -> Occurrences:
    """Unpack the concatenated hits of one term."""
    found = np.frombuffer(hits, _HIT)
    return Occurrences(
        found["key"].astype(np.int64), found["count"].astype(np.float64), found["length"].astype(np.float64)
    )


def concatenate(parts: Sequence[Occurrences]) -> Occurrences:
    """Concatenate occurrences of one term."""
    if len(parts) == 1:
        return parts[0]
    return Occurrences(
        np.concatenate([each.keys for each in parts]),
        np.concatenate([each.counts for each in parts]),
        np.concatenate([each.lengths for each in parts]),
    )


def pack_best(found: Occurrences, impact: Floats, limit: int) -> bytes:
    """Pack the occurrences of a term with the highest impact, the highest first."""
    order = np.argsort(-impact, kind="stable")[:limit]
    hits = np.empty(len(order), _HIT)
    hits["key"], hits["count"], hits["length"] = found.keys[order], found.counts[order], found.lengths[order]
    return hits.tobytes()


def remove_readings(hits: bytes, readings: Keys) -> bytes:
    """Return the hits without those of certain readings."""
    found = np.frombuffer(hits, _HIT)
    return found[~np.isin(readings_of_keys(found["key"]), readings)].tobytes()


def reading_range(hits: bytes) -> tuple[int, int]:
    """Return the first and the last reading in hits."""
    keys = np.frombuffer(hits, _HIT)["key"]
    return place_of(int(keys[0]))[0], place_of(int(keys[-1]))[0]


def key_of(reading: int, chunk_index: int) -> int:
    """Return the key of a chunk: one number that sorts by reading and index."""
    return (reading << CHUNK_BITS) + chunk_index


def place_of(key: int) -> tuple[int, int]:
    """Return (reading, chunk index) of a chunk's key."""
    return key >> CHUNK_BITS, key & ((1 << CHUNK_BITS) - 1)


def readings_of_keys(keys: Keys) -> Keys:
    """Return the reading of each key."""
    return keys >> CHUNK_BITS
