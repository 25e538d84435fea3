"""Select sentences: those that are strong enough as evidence, each adding something to the ones before it."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from intelli.language import grids
from intelli.reasoning.extractive import answer_fit, extremes, series, weigh
from intelli.reasoning.extractive.answer_fit import AnswerFit
from intelli.reasoning.extractive.question import ParsedQuestion, QuestionKind
from intelli.reasoning.extractive.weigh import Candidate, Signs
from intelli.reasoning.values import SourceText

# Below it the best sentence is no evidence, and nothing is taken: learnt as weigh's weights are.
THRESHOLD = -2.35
# Confidence that there is evidence at all, by the best sentence's strength: learnt likewise.
_SLOPE = 0.81
_OFFSET = 2.31
# How much weaker than the best and than the threshold a sentence may be to stand beside it.
_BESIDE_BEST = 2.5
_BESIDE_THRESHOLD = 1.0
# What is shown where nothing answers: so many passages, none weaker than the threshold by more than this.
_MOST_CLOSEST = 3
_CLOSE = 2.0
_POOL = 64
# What is so much weaker than the threshold cannot be made strong enough by what it shows.
_REACH = 1.0
_REPEATED = 0.7
_PENALTY = 2.0
_OTHER_FIGURES = 0.5
# What it is worth that a sentence shows just what is asked for, and what each doubt about that costs.
_TELLING = 1.0
_DOUBT = 2.0
# Beside a sentence that answers a pointed question, only those nearly as strong are wanted, and few.
_BESIDE_ANSWER = 1.0
_MOST_ANSWERS = 3
# Beside one that answers, one that may be about something else only misleads.
_LESS_FIT = 0.3


@dataclass(frozen=True, slots=True)
class Chosen:
    """A selected candidate, its strength as evidence, and its fit to the question."""

    candidate: Candidate
    strength: float
    fit: float
    is_telling: bool
    sureness: float

    @property
    def relevance(self) -> float:
        """The probability that it answers."""
        return confidence(self.strength) * self.fit * self.sureness


def choose(
    found: Sequence[Candidate],
    seen: Sequence[Signs],
    *,
    limit: int,
    wanted: ParsedQuestion,
    threshold: float = THRESHOLD,
) -> list[Chosen]:
    """The chosen candidates, best first; none when the best is not evidence, or answers something else."""
    fits = AnswerFit(wanted, found)
    pairs = [(weigh.strength(each), candidate) for candidate, each in zip(found, seen, strict=True)]
    ranked = sorted(pairs, key=lambda pair: (-pair[0], pair[1].position))[:_POOL]
    judged = [_judged(fits, candidate, strength) for strength, candidate in ranked if strength >= threshold - _REACH]
    pool = sorted((each for each in judged if each.fit >= answer_fit.LEAST), key=_order)
    if not _is_evidence(pool, wanted, is_foreign=fits.is_foreign, threshold=threshold):
        return []
    is_pointed = wanted.is_pointed or pool[0].is_telling
    beside = _BESIDE_ANSWER if is_pointed else _BESIDE_BEST
    least = max(threshold - _BESIDE_THRESHOLD, _worth(pool[0]) - beside)
    most = min(limit, _MOST_ANSWERS) if is_pointed else limit
    fit = pool[0].fit - _LESS_FIT
    chosen = _without_repeats([each for each in pool if _worth(each) >= least and each.fit >= fit], most)
    if wanted.kind is QuestionKind.COURSE:
        return _with_ends(chosen, pool, wanted.years)
    return _at_extreme(chosen, found, wanted) if wanted.extreme is not None else chosen


def list_closest(found: Sequence[Candidate], seen: Sequence[Signs]) -> list[Chosen]:
    """Return the strongest candidate of each of the strongest passages, where none answers; none that is far off."""
    best: dict[str, Chosen] = {}
    strengths = [weigh.strength(each) for each in seen]
    for number in sorted(range(len(found)), key=lambda number: (-strengths[number], number)):
        if len(best) == _MOST_CLOSEST or strengths[number] < THRESHOLD - _CLOSE:
            break
        # A row out of its table misleads.
        if grids.is_row(found[number].quote):
            continue
        chosen = Chosen(found[number], strengths[number], fit=1, is_telling=False, sureness=1)
        best.setdefault(found[number].passage.identifier, chosen)
    return list(best.values())


def _is_evidence(pool: Sequence[Chosen], wanted: ParsedQuestion, *, is_foreign: bool, threshold: float) -> bool:
    """Return whether the best of a pool answers. A figure of what no source speaks of would mislead."""
    # A figure of what is asked for answers even a question that did not say it wants one.
    is_measured = wanted.is_measured or (bool(wanted.noun) and any(each.is_telling for each in pool[:1]))
    if (is_measured and is_foreign) or not pool:
        return False
    return max(map(_worth if is_measured else _strength, pool)) >= threshold


def _at_extreme(chosen: list[Chosen], found: Sequence[Candidate], wanted: ParsedQuestion) -> list[Chosen]:
    """Of a table the rows that have the most or the least, instead of those that were chosen for their words."""
    first = next((each for each in chosen if grids.is_row(each.candidate.quote)), None)
    if first is None:
        return chosen
    passage = first.candidate.passage
    starts = extremes.rows_of(passage, first.candidate.start, wanted)
    if starts is None:
        return chosen
    rows = [each for each in found if each.passage is passage and each.start in starts]
    sentences = [each for each in chosen if not grids.is_row(each.candidate.quote)]
    return [*(replace(first, candidate=each) for each in rows), *sentences]


def _with_ends(chosen: list[Chosen], pool: Sequence[Chosen], years: frozenset[str]) -> list[Chosen]:
    """How something went in a table of periods is told by the first and the last of its rows, whichever were chosen."""
    rows = [each for each in chosen if _is_of_period(each)] or _over_span(pool, years)
    if not rows:
        return chosen
    of_table = _periods_of(rows[0].candidate.passage, pool)
    ends = of_table if len(of_table) <= 2 else [of_table[0], of_table[-1]]
    return [*(each for each in chosen if each not in rows), *ends]


def _over_span(pool: Sequence[Chosen], years: frozenset[str]) -> list[Chosen]:
    """The rows of the first table that has both ends of a span of years."""
    if len(years) < 2:
        return []
    for each in pool:
        rows = _periods_of(each.candidate.passage, pool) if _is_of_period(each) else []
        if {min(years), max(years)} <= {term for row in rows for term in row.candidate.terms}:
            return rows
    return []


def _periods_of(table: SourceText, pool: Sequence[Chosen]) -> list[Chosen]:
    """The rows of a table of periods that may answer, in their order."""
    found = [each for each in pool if each.candidate.passage is table and _is_of_period(each)]
    return sorted(found, key=lambda each: each.candidate.start)


def _is_of_period(chosen: Chosen) -> bool:
    row = chosen.candidate.quote
    return grids.is_row(row) and any(map(series.is_period, grids.cells_of(row)[:1]))


def _judged(fits: AnswerFit, candidate: Candidate, strength: float) -> Chosen:
    fit = fits.fit(candidate)
    is_telling = fit == 1 and fits.is_telling(candidate)
    return Chosen(candidate, strength + _TELLING * is_telling, fit, is_telling, fits.sureness)


def _worth(chosen: Chosen) -> float:
    return chosen.strength - _DOUBT * (1 - chosen.fit)


def _strength(chosen: Chosen) -> float:
    return chosen.strength


def _order(chosen: Chosen) -> tuple[float, int]:
    return -_worth(chosen), chosen.candidate.position


def confidence(strength: float) -> float:
    """The probability that there is evidence, given the strength of the best sentence."""
    return 1 / (1 + math.exp(-(_SLOPE * strength + _OFFSET)))


def likeness(one: frozenset[str], other: frozenset[str]) -> float:
    """How much of the shorter of two sentences the longer repeats."""
    shorter = min(len(one), len(other))
    return len(one & other) / shorter if shorter else 0.0


def _repeats(one: frozenset[str], other: frozenset[str]) -> float:
    """Likeness; but where the figures differ, both are wanted, however alike the words are."""
    differ = {term for term in one ^ other if term[0].isdigit()}
    return likeness(one, other) * (_OTHER_FIGURES if differ else 1)


def _without_repeats(pool: list[Chosen], limit: int) -> list[Chosen]:
    """Maximal marginal relevance: strength counts, likeness to what is taken counts against."""
    taken: list[Chosen] = []
    nearest = [0.0] * len(pool)
    left = list(range(len(pool)))
    while left and len(taken) < limit:
        best = max(left, key=lambda number: (_worth(pool[number]) - _PENALTY * nearest[number], -number))
        left.remove(best)
        taken.append(pool[best])
        mine = pool[best].candidate
        for number in left:
            other = pool[number].candidate
            alike = 1.0 if _overlap(mine, other) else _repeats(mine.terms, other.terms)
            nearest[number] = max(nearest[number], alike)
        left = [number for number in left if nearest[number] < _REPEATED]
    return taken


def _overlap(one: Candidate, other: Candidate) -> bool:
    return one.passage is other.passage and one.start < other.end and other.start < one.end
