"""Fusion of the lexical and the semantic score of a chunk into one score, and of scores into relevance.

Both scores are scaled to shares between 0 and 1 before they are added. The lexical share is the BM25 score divided by
the most that the query could reach; the semantic share is how far the cosine rises above that of unrelated texts. The
semantic share is weighted by the trust in its model, by how well the model knows the words of the query, and by how few
chunks are near: where all are, small differences mean little. Ranks are not used, so a weak model changes the order
only where words leave it open.

Relevance is the probability that a chunk answers the query. It grows with the score, with its lead over the scores of
chunks further down, which for most queries are chance matches, and with how much more of the query's words the chunk
covers than those. The coefficients were learnt on claims, questions in six languages and chats; each of these was also
predicted from the others, except for the weight of coverage, which was chosen on all of them.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from intelli.reasoning.late_interaction import TokenMatch
from intelli.retrieval.postings import Floats

Order = NDArray[np.intp]

_BIAS, _HEIGHT, _LEAD, _DEVIATIONS, _FULLNESS = -5.0, 1.1, 4.76, 0.274, 3.0
# Chance matches: the ranks they are taken from, and a prior of their scores that counts as `_USUAL_COUNT` samples.
_FIRST, _LAST = 10, 50
_USUAL_LEVEL, _USUAL_SPREAD, _USUAL_COVERAGE, _USUAL_COUNT = 0.15, 0.03, 0.3, 5
# Many good matches must not be taken for chance, nor a narrow spread for certainty.
_HIGHEST_LEVEL, _LEAST_SPREAD, _MOST_DEVIATIONS = 0.3, 0.01, 20.0
# Coverage that exceeds that of chance matches by less than this does not count.
_SOME = 0.3
# What the match of tokens counts beside the lexical share: the mean of the nearest tokens, and the texts as a whole.
_TOKENS, _WHOLE = 1.0, 0.3


@dataclass(frozen=True, slots=True)
class RankSignals:
    """Lexical and semantic shares of chunks, one entry each. `weight` is that of the semantic shares."""

    lexical: Floats
    semantic: Floats
    weight: float


def rank_anew(scores: Floats, matches: Sequence[TokenMatch]) -> Order:
    """Return the order of chunks of which the first were compared token by token: they are sorted among themselves.

    `scores` are sums of shares, in falling order. A model counts as far as it knows the words of the query.
    """
    added = [each.fit * (_TOKENS * each.all_tokens + _WHOLE * each.whole) for each in matches]
    first = np.argsort(-(scores[: len(matches)] + np.array(added, np.float64)), kind="stable")
    return np.concatenate([first, np.arange(len(matches), len(scores))])


def distinctness(semantic: Floats) -> float:
    """Return how far the nearest chunks differ, 0 (all near) to 1, from their semantic shares in falling order."""
    further = semantic[len(semantic) // 2 :]
    return float((1 - further.mean()) ** 2) if len(further) else 1.0


def fuse(evidence: RankSignals) -> Floats:
    """Return the scores that chunks are ranked by, 0 to 1."""
    return (evidence.lexical + evidence.weight * evidence.semantic) / (1 + evidence.weight)


def relevance(scores: Floats, coverage: Floats, is_copy: NDArray[np.bool_] | None = None) -> Floats:
    """Return the relevance of chunks, 0 to 1, from their scores in falling order and their coverage of the query.

    A chunk that `is_copy` has the text of one before it, and is not counted as a chance match.
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
    """Return the indexes of chunks that rank low enough to be chance matches. A chunk and its copies count once."""
    apart = np.flatnonzero(~is_copy)
    return apart[min(_FIRST, (len(apart) + 1) // 2) : _LAST]


def _mean(found: Floats, usual: float) -> float:
    """Return the mean of samples, combined with a prior that counts as `_USUAL_COUNT` samples."""
    return float(found.sum() + usual * _USUAL_COUNT) / (len(found) + _USUAL_COUNT)


def _spread(found: Floats) -> float:
    deviation = float(found.std()) if len(found) else 0.0
    return (deviation * len(found) + _USUAL_SPREAD * _USUAL_COUNT) / (len(found) + _USUAL_COUNT)


def semantic_share(cosines: Floats, *, background: float) -> Floats:
    """Scale cosines so that `background`, that of unrelated texts, is 0 and 1 stays 1; lower ones are 0."""
    return np.clip((cosines - background) / (1 - background), 0, 1)
