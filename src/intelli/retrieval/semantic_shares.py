"""Comparison of a query with chunks by meaning, over all spaces that have vectors of them.

A chunk is compared in the active space where it has a vector there, else in an earlier one. Cosines of two spaces mean
different things, so each becomes a share between 0, that of unrelated texts, and 1, and counts for less in a space that
is trusted less.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from intelli.kit.db import Tx
from intelli.reasoning.ports import Vectors
from intelli.retrieval import fusion, postings, vector_builds
from intelli.retrieval.store import vectors as store
from intelli.retrieval.store.lexical import ReadingFilter
from intelli.retrieval.tables import Space

_NEAREST = 100


@dataclass(frozen=True, slots=True)
class QueryVector:
    """Embedding of a query: its vector and space, its weight in fusion, and the cosine of unrelated texts."""

    space: str
    vector: Vectors
    weight: float
    background: float


@dataclass(frozen=True, slots=True)
class SpaceQuery:
    """A space with the embedding of a query in it."""

    space: Space
    query: QueryVector


@dataclass(frozen=True, slots=True)
class SemanticShares:
    """Semantic shares of chunks by key, and the weight of a share of 1. A chunk that is missing has a share of 0."""

    shares: Mapping[int, float]
    weight: float


NO_SHARES = SemanticShares({}, 0.0)


def pair(spaces: Sequence[Space], queries: Mapping[str, QueryVector]) -> list[SpaceQuery]:
    """Return the spaces that the query was embedded for and is known well enough in, in their order."""
    found = [SpaceQuery(space, queries[space.name]) for space in spaces if space.name in queries]
    return [each for each in found if each.query.weight > 0]


async def find_nearest(tx: Tx, asked: Sequence[SpaceQuery], within: ReadingFilter, *, chunks: int) -> SemanticShares:
    """Return the shares of the chunks nearest to a query in any of the spaces. `chunks` is how many are searched.

    The weight is lower where many chunks are near. Small sets are compared exactly, without an index.
    """
    if not asked:
        return NO_SHARES
    cosines: list[dict[int, float]] = []
    for each in asked:
        is_exact = not each.space.is_built or chunks < vector_builds.BUILD_AT
        rows = await store.find_nearest(tx, each.space, each.query.vector, within, limit=_NEAREST, is_exact=is_exact)
        cosines.append({postings.key_of(reading, index): cosine for reading, index, cosine in rows})
    shares = await _complete(tx, asked, cosines)
    falling = np.sort(np.fromiter(shares.values(), np.float64, len(shares)))[::-1]
    return SemanticShares(shares, _weight(asked) * fusion.distinctness(falling[:_NEAREST]))


async def add_others(tx: Tx, asked: Sequence[SpaceQuery], found: SemanticShares, keys: Sequence[int]) -> SemanticShares:
    """Return the shares with those of other chunks too, for which something else speaks."""
    others: dict[int, float] = {}
    for each in asked:
        missing = [key for key in keys if key not in found.shares and key not in others]
        others |= _shares(asked, each, await _load(tx, each, missing))
    return replace(found, shares={**found.shares, **others})


async def _complete(tx: Tx, asked: Sequence[SpaceQuery], cosines: Sequence[dict[int, float]]) -> dict[int, float]:
    """Return the shares of the chunks near in any space, each in the first space that has a vector of it.

    While a long reading is moved, a chunk has one in two spaces.
    """
    shares: dict[int, float] = {}
    for at, (each, near) in enumerate(zip(asked, cosines, strict=True)):
        later = {key for some in cosines[at + 1 :] for key in some} - near.keys() - shares.keys()
        known = near | await _load(tx, each, sorted(later))
        shares |= {key: share for key, share in _shares(asked, each, known).items() if key not in shares}
    return shares


async def _load(tx: Tx, each: SpaceQuery, keys: Sequence[int]) -> dict[int, float]:
    if not keys:
        return {}
    places = [postings.place_of(key) for key in keys]
    found = await store.load_cosines(tx, each.space, each.query.vector, places)
    return {postings.key_of(*place): cosine for place, cosine in found.items()}


def _shares(asked: Sequence[SpaceQuery], each: SpaceQuery, cosines: Mapping[int, float]) -> dict[int, float]:
    values = np.fromiter(cosines.values(), np.float64, len(cosines))
    trust = each.query.weight / _weight(asked)
    shares = fusion.semantic_share(values, background=each.query.background) * trust
    return dict(zip(cosines, shares.tolist(), strict=True))


def _weight(asked: Sequence[SpaceQuery]) -> float:
    return max(each.query.weight for each in asked)
