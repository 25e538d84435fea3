"""Which sentences are taken: those strong enough to be evidence, each adding something to the ones before it."""

import math
from collections.abc import Sequence

from intelli.reasoning.extractive import weigh
from intelli.reasoning.extractive.weigh import Candidate, Signs

# Below it the best sentence is no evidence, and nothing is taken: learnt as weigh's weights are.
THRESHOLD = -2.35
# Confidence that there is evidence at all, by the best sentence's strength: learnt likewise.
_SLOPE = 0.81
_OFFSET = 2.31
# How much weaker than the best and than the threshold a sentence may be to stand beside it.
_BESIDE_BEST = 2.5
_BESIDE_THRESHOLD = 1.0
_POOL = 64
_REPEATED = 0.7
_PENALTY = 2.0
_OTHER_FIGURES = 0.5
# What a figure is worth to a question that asks for one. It orders what is evidence; it makes nothing evidence.
_FIGURE = 1.0


def choose(
    found: Sequence[Candidate],
    seen: Sequence[Signs],
    *,
    limit: int,
    threshold: float = THRESHOLD,
    wants_figure: bool = False,
) -> list[tuple[Candidate, float]]:
    """The chosen candidates with their strength, best first; none when the best is not evidence."""
    ranked = sorted(
        ((weigh.strength(each), candidate) for candidate, each in zip(found, seen, strict=True)),
        key=lambda pair: (-pair[0], pair[1].position),
    )
    if not ranked or ranked[0][0] < threshold:
        return []
    least = max(threshold - _BESIDE_THRESHOLD, ranked[0][0] - _BESIDE_BEST)
    pool = [(candidate, strength) for strength, candidate in ranked[:_POOL] if strength >= least]
    return _without_repeats(_figures_first(pool) if wants_figure else pool, limit)


def confidence(strength: float) -> float:
    """The probability that there is evidence, given the strength of the best sentence."""
    return 1 / (1 + math.exp(-(_SLOPE * strength + _OFFSET)))


def likeness(one: frozenset[str], other: frozenset[str]) -> float:
    """How much of the shorter of two sentences the longer repeats."""
    shorter = min(len(one), len(other))
    return len(one & other) / shorter if shorter else 0.0


def _figures_first(pool: list[tuple[Candidate, float]]) -> list[tuple[Candidate, float]]:
    """The pool with candidates that state a figure made stronger, and the others weaker."""
    return [(each, strength + (_FIGURE if _has_figure(each) else -_FIGURE)) for each, strength in pool]


def _has_figure(candidate: Candidate) -> bool:
    return any(term[0].isdigit() for term in candidate.terms)


def _repeats(one: frozenset[str], other: frozenset[str]) -> float:
    """Likeness; but where the figures differ, both are wanted, however alike the words are."""
    differ = {term for term in one ^ other if term[0].isdigit()}
    return likeness(one, other) * (_OTHER_FIGURES if differ else 1)


def _without_repeats(pool: list[tuple[Candidate, float]], limit: int) -> list[tuple[Candidate, float]]:
    """Maximal marginal relevance: strength counts, likeness to what is taken counts against."""
    taken: list[tuple[Candidate, float]] = []
    nearest = [0.0] * len(pool)
    left = list(range(len(pool)))
    while left and len(taken) < limit:
        best = max(left, key=lambda number: (pool[number][1] - _PENALTY * nearest[number], -number))
        left.remove(best)
        taken.append(pool[best])
        for number in left:
            nearest[number] = max(nearest[number], _repeats(pool[best][0].terms, pool[number][0].terms))
        left = [number for number in left if nearest[number] < _REPEATED]
    return taken
