"""Closeness of meaning: the cosine of two vectors, alike for every embedder."""

from intelli.reasoning.ports import Vectors


def closeness(cosines: Vectors, *, background: float) -> list[float]:
    """How much nearer than unrelated texts each is, from 0 to 1. `background` is what unrelated ones usually have."""
    return [min(max((float(cosine) - background) / (1 - background), 0.0), 1.0) for cosine in cosines]
