"""Forward index: the terms of each chunk, by which a few chunks are scored without the postings of any term.

A row has the low halves of the chunk's term numbers and the count of each, the chunk's length in terms, and a digest of
its text, by which copies are told. Half a number is enough: it is compared with those of one query alone.
"""

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

from intelli.retrieval.postings import Floats, Keys, TermCounts, readings_of_keys

_HALF = 0xFFFFFFFF


@dataclass(frozen=True, slots=True)
class ChunkTerms:
    """Chunks by key, in any order; the terms of chunk `n` are those from `ends[n - 1]` to `ends[n]`."""

    keys: Keys
    lengths: Keys
    digests: Keys
    ends: Keys
    terms: NDArray[np.uint32]
    counts: NDArray[np.uint8]

    def find(self, term: int) -> tuple[NDArray[np.intp], Floats]:
        """Return the indexes of the chunks that contain a term, and its count in each."""
        at = np.flatnonzero(self.terms == np.uint32(term & _HALF))
        return np.searchsorted(self.ends, at, side="right"), self.counts[at].astype(np.float64)

    def without(self, readings: Sequence[int]) -> "ChunkTerms":
        """Return the chunks that are not of certain readings."""
        return self._where(~np.isin(readings_of_keys(self.keys), np.asarray(readings, np.int64)))

    def only(self, keys: Keys) -> "ChunkTerms":
        """Return the chunks with these keys."""
        return self._where(np.isin(self.keys, keys))

    def _where(self, kept: NDArray[np.bool_]) -> "ChunkTerms":
        if kept.all():
            return self
        sizes = np.diff(self.ends, prepend=0)
        is_of_kept = np.repeat(kept, sizes)
        return ChunkTerms(
            self.keys[kept],
            self.lengths[kept],
            self.digests[kept],
            np.cumsum(sizes[kept]),
            self.terms[is_of_kept],
            self.counts[is_of_kept],
        )

    def split(self, parts: int) -> Iterator["ChunkTerms"]:
        """Yield the chunks in a number of parts, some of which may be empty."""
        cuts = [len(self.keys) * part // parts for part in range(parts + 1)]
        for start, end in itertools.pairwise(cuts):
            first, last = (int(self.ends[at - 1]) if at else 0 for at in (start, end))
            some, of_some = slice(start, end), slice(first, last)
            yield ChunkTerms(
                self.keys[some],
                self.lengths[some],
                self.digests[some],
                self.ends[some] - first,
                self.terms[of_some],
                self.counts[of_some],
            )


_NONE = np.empty(0, np.int64)
NO_CHUNKS = ChunkTerms(_NONE, _NONE, _NONE, _NONE, np.empty(0, np.uint32), np.empty(0, np.uint8))


def pack(listed: TermCounts, bodies: Sequence[str]) -> ChunkTerms:
    """Pack the terms of chunks; `bodies` are their texts without headings."""
    return ChunkTerms(
        listed.keys,
        listed.lengths,
        np.fromiter(map(_digest, bodies), np.int64, len(bodies)),
        np.cumsum(listed.sizes),
        listed.terms.astype(np.uint32),  # keeps the low half
        listed.counts.astype(np.uint8),
    )


def join(one: ChunkTerms, other: ChunkTerms) -> ChunkTerms:
    """Join two sets of chunks."""
    return ChunkTerms(
        np.concatenate([one.keys, other.keys]),
        np.concatenate([one.lengths, other.lengths]),
        np.concatenate([one.digests, other.digests]),
        np.concatenate([one.ends, other.ends + len(one.terms)]),
        np.concatenate([one.terms, other.terms]),
        np.concatenate([one.counts, other.counts]),
    )


def _digest(body: str) -> int:
    return int.from_bytes(blake2b(body.encode(), digest_size=8).digest(), "big", signed=True)
