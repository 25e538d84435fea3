"""Relevance: how likely what was found is to answer a query, meaning the same from query to query."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

import numpy as np

from intelli.memory.store.scores import Score
from intelli.retrieval import fusion


@dataclass(frozen=True, slots=True)
class Relevant:
    """An item, and how likely it is to answer the query."""

    id: UUID
    relevance: float


def of(found: Sequence[Score]) -> list[Relevant]:
    """Scores, best first, as chances: how far each stands out from what is found by chance."""
    if not found:
        return []
    chances = fusion.relevance(np.array([each.score for each in found]), np.array([each.coverage for each in found]))
    return [Relevant(each.id, round(float(chance), 4)) for each, chance in zip(found, chances, strict=True)]
