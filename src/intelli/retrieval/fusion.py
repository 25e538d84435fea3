"""Fusion: one score of a chunk out of what its words and its meaning say, and what that score means.

Both legs are brought to shares between 0 and 1 before they are added. The lexical share is the BM25 score against the
most that the query could reach; the semantic share is how far the cosine rises above what unrelated texts have. The
second is weighed by how far its model is trusted, how well it knows the words of the query, and how few chunks it finds
near: where everything is, small differences say little. Ranks play no part, so a weak model moves the order only where
words leave it open.

Relevance is the chance that a chunk answers the query. It grows with the score, with how far that stands out from the
scores of chunks further down, which for most queries are chance matches, and with how much more of the query's words it
covers than those. The coefficients were learnt on claims, questions in six languages and chats; each of these was also
predicted from the others, but for the weight of coverage, which was chosen on all of them.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from intelli.retrieval.postings import Floats

Order = NDArray[np.intp]

_BIAS, _HEIGHT, _LEAD, _DEVIATIONS, _FULLNESS = -5.0, 1.1, 4.76, 0.274, 3.0
# Chance matches: the places where they are looked for, and what they are like, as so many of them would say.
_FIRST, _LAST = 10, 50
_USUAL_LEVEL, _USUAL_SPREAD, _USUAL_COVERAGE, _USUAL_COUNT = 0.15, 0.03, 0.3, 5
# Many good matches must not pass for chance, nor a narrow spread for certainty.
_HIGHEST_LEVEL, _LEAST_SPREAD, _MOST_DEVIATIONS = 0.3, 0.01, 20.0
# So much more coverage than chance has is nothing special.
_SOME = 0.3
# How much of the doubt is taken away by a literal that is there, and how much certainty by one that is not.
_LITERAL, _RESEMBLING = 0.9, 0.7


@dataclass(frozen=True, slots=True)
class RankSignals:
    """What is known of chunks, one entry each: lexical share and semantic share. `weight` is that of the second."""

    lexical: Floats
    semantic: Floats
    weight: float


def uncrowded(semantic: Floats) -> float:
    """How much the nearest chunks, by their shares in falling order, leave to tell them apart, 0 to 1."""
    further = semantic[len(semantic) // 2 :]
    return float((1 - further.mean()) ** 2) if len(further) else 1.0


def fuse(evidence: RankSignals) -> Floats:
    """The score that chunks are ranked by, 0 to 1."""
    return (evidence.lexical + evidence.weight * evidence.semantic) / (1 + evidence.weight)


def relevance(scores: Floats, coverage: Floats, is_copy: NDArray[np.bool_] | None = None) -> Floats:
    """How likely chunks are to answer the query, by their scores in falling order and how much of it they cover.

    One that `is_copy` has the words of another before it, and tells nothing of what chance finds.
    """
    others = _by_chance(np.zeros(len(scores), bool) if is_copy is None else is_copy)
    level = min(_mean(scores[others], _USUAL_LEVEL), _HIGHEST_LEVEL)
    spread = max(_spread(scores[others]), _LEAST_SPREAD)
    lead = scores - level
    deviations = np.minimum(lead / spread, _MOST_DEVIATIONS)
    fullness = np.clip((coverage - _mean(coverage[others], _USUAL_COVERAGE) - _SOME) / (1 - _SOME), 0, 1)
    odds = _BIAS + _HEIGHT * scores + _LEAD * lead + _DEVIATIONS * deviations + _FULLNESS * fullness
    return np.minimum.accumulate(1 / (1 + np.exp(-odds)))


def _by_chance(is_copy: NDArray[np.bool_]) -> Order:
    """Which chunks are far enough down to be chance matches. A chunk and its copies count once."""
    apart = np.flatnonzero(~is_copy)
    return apart[min(_FIRST, (len(apart) + 1) // 2) : _LAST]


def with_literals(scores: Floats, relevance: Floats, held: Floats, *, weight: float) -> tuple[Order, Floats]:
    """The order and the relevance of chunks where a query wants something as it is written.

    `held` says how much of that each chunk has, `weight` which part of the query it is. Words that only resemble it
    are little evidence, and a chunk that has it needs no other.
    """
    doubted = relevance * (1 - _RESEMBLING * weight * (1 - held))
    sure = 1 - (1 - doubted) * (1 - _LITERAL * weight * (held == 1))
    # Squared: a quotation in a long question is one of many words, and not what decides.
    order = np.argsort(-(scores + weight**2 * held), kind="stable")
    return order, np.minimum.accumulate(sure[order])


def _mean(found: Floats, usual: float) -> float:
    """The mean of what was found, drawn towards what is usual the less there is."""
    return float(found.sum() + usual * _USUAL_COUNT) / (len(found) + _USUAL_COUNT)


def _spread(found: Floats) -> float:
    deviation = float(found.std()) if len(found) else 0.0
    return (deviation * len(found) + _USUAL_SPREAD * _USUAL_COUNT) / (len(found) + _USUAL_COUNT)


def semantic_share(cosines: Floats, *, background: float) -> Floats:
    """How far cosines rise above that of unrelated texts, as a share of the way to 1."""
    return np.clip((cosines - background) / (1 - background), 0, 1)
