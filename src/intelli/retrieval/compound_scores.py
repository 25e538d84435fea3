"""Scores of compounds in a query: a chunk has the whole word, or parts of it, whichever is worth more.

Terms are weighed and summed one by one. Parts are weighed so that all of them together are worth a little less than the
whole; what the sum of whole and parts exceeds the better of both is taken off again.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from intelli.retrieval.postings import Floats

# Most that all parts of a compound are worth, as a share of the whole, and most that a part is, as a share of its own
# weight as a word of the query.
_MOST_OF_WHOLE, _MOST_OF_PART = 0.8, 0.6
# What a term is worth in the chunks that have it, by their places.
Values = Mapping[int, tuple[NDArray[np.intp], Floats]]


@dataclass(frozen=True, slots=True)
class CompoundWord:
    """A compound in a query: the terms of the whole in all languages, and of each part, each language by itself."""

    whole: frozenset[int]
    parts: list[frozenset[int]] = field(default_factory=list)


def share(whole: float, parts: Sequence[float]) -> float:
    """Return the share of its own weight that each part of a compound has, by the weights of whole and parts."""
    return min(_MOST_OF_PART, _MOST_OF_WHOLE * whole / max(sum(parts), 1e-9))


def surplus(compounds: Sequence[CompoundWord], values: Values, count: int) -> Floats:
    """Return what was counted twice in so many chunks, where all values of all terms were summed."""
    twice = np.zeros(count)
    for compound in compounds:
        every = np.zeros(count)
        whole = _best(compound.whole, values, every)
        parts = np.zeros(count)
        for part in compound.parts:
            parts += _best(part, values, every)
        twice += every - np.maximum(whole, parts)
    return twice


def _best(terms: frozenset[int], values: Values, every: Floats) -> Floats:
    """Return the most valuable of some terms in each chunk, and add all of them to `every`."""
    best = np.zeros(len(every))
    for term in terms & values.keys():
        places, worth = values[term]
        every[places] += worth
        best[places] = np.maximum(best[places], worth)
    return best
