"""Relevance: the probability that a found item answers a query, comparable between queries."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

import numpy as np

from intelli.memory.store.scores import Score
from intelli.retrieval import fusion


@dataclass(frozen=True, slots=True)
class Relevant:
    """An item, and the probability that it answers the query."""

    id: UUID
    relevance: float


def from_scores(found: Sequence[Score]) -> list[Relevant]:
    """Convert scores, best first, to probabilities, by how far each exceeds the scores found by chance."""
    if not found:
        return []
    chances = fusion.relevance(np.array([each.score for each in found]), np.array([each.coverage for each in found]))
    return [Relevant(each.id, round(float(chance), 4)) for each, chance in zip(found, chances, strict=True)]
