"""Fusion: one score of a chunk out of what its words and its meaning say, and what that score means.

Both legs are brought to shares between 0 and 1 before they are added. The lexical share is the BM25 score against the
most that the query could reach; the semantic share is how far the cosine rises above what unrelated texts have. The
space's prior and how well its model knows the words of the query weigh the second. Nothing depends on ranks, nor on
what else was found, so a score means the same from query to query.
"""

from dataclasses import dataclass

import numpy as np

from intelli.retrieval.hits import Floats

_BIAS, _LEXICAL, _COVERED, _SEMANTIC = -4.0, 4.0, 2.0, 5.0


@dataclass(frozen=True, slots=True)
class Evidence:
    """What is known of chunks, one entry each: lexical share, share of the query's words held, semantic share."""

    lexical: Floats
    coverage: Floats
    semantic: Floats


def fuse(evidence: Evidence, *, weight: float) -> Floats:
    """The score that chunks are ranked by."""
    return evidence.lexical + weight * evidence.semantic


def relevance(evidence: Evidence, *, weight: float) -> Floats:
    """How likely chunks are to bear on the query, 0 to 1."""
    odds = _BIAS + _LEXICAL * evidence.lexical + _COVERED * evidence.coverage + _SEMANTIC * weight * evidence.semantic
    return 1 / (1 + np.exp(-odds))


def semantic_share(cosines: Floats, *, background: float) -> Floats:
    """How far cosines rise above that of unrelated texts, as a share of the way to 1."""
    return np.clip((cosines - background) / (1 - background), 0, 1)
