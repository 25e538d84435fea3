"""Fusion: one score of a chunk out of what its words and its meaning say, and what that score means.

Both legs are brought to shares between 0 and 1 before they are added. The lexical share is the BM25 score against the
most that the query could reach; the semantic share is how far the cosine rises above what unrelated texts have. The
second is weighed by how far its model is trusted and how well it knows the words of the query. Ranks play no part: a
weak model moves the order only where words leave it open.

Relevance is the chance that a chunk answers the query. It grows with the score and with how far that stands out from
the scores of chunks further down, which for most queries are chance matches. The coefficients were learnt on claims,
questions in six languages and chats; each of these was also predicted from the others.
"""

from dataclasses import dataclass

import numpy as np

from intelli.retrieval.hits import Floats

_BIAS, _HEIGHT, _LEAD, _DEVIATIONS = -5.26, 2.2, 5.72, 0.23
# Chance matches: the places where they are looked for, and what they are like when there are too few to tell.
_FIRST, _LAST, _FEW = 10, 50, 5
_USUAL_LEVEL, _USUAL_SPREAD = 0.15, 0.03
# Many good matches must not pass for chance, nor a narrow spread for certainty.
_HIGHEST_LEVEL, _LEAST_SPREAD, _MOST_DEVIATIONS = 0.4, 0.01, 20.0


@dataclass(frozen=True, slots=True)
class Evidence:
    """What is known of chunks, one entry each: lexical share and semantic share. `weight` is that of the second."""

    lexical: Floats
    semantic: Floats
    weight: float


def fuse(evidence: Evidence) -> Floats:
    """The score that chunks are ranked by, 0 to 1."""
    return (evidence.lexical + evidence.weight * evidence.semantic) / (1 + evidence.weight)


def relevance(scores: Floats) -> Floats:
    """How likely chunks are to answer the query, by their scores in falling order."""
    chance = scores[_FIRST:_LAST]
    is_known = len(chance) >= _FEW
    level = min(float(chance.mean()) if is_known else _USUAL_LEVEL, _HIGHEST_LEVEL)
    spread = max(float(chance.std()) if is_known else _USUAL_SPREAD, _LEAST_SPREAD)
    lead = scores - level
    deviations = np.minimum(lead / spread, _MOST_DEVIATIONS)
    return 1 / (1 + np.exp(-(_BIAS + _HEIGHT * scores + _LEAD * lead + _DEVIATIONS * deviations)))


def semantic_share(cosines: Floats, *, background: float) -> Floats:
    """How far cosines rise above that of unrelated texts, as a share of the way to 1."""
    return np.clip((cosines - background) / (1 - background), 0, 1)
