"""What amends a statement, and what a statement amends: both are told, what is in force first."""

from collections.abc import Sequence

from intelli.reasoning.amended_names import names_document
from intelli.reasoning.extractive import precedence
from intelli.reasoning.extractive.pick import Picked
from intelli.reasoning.extractive.weigh import Candidate
from intelli.reasoning.values import SourceText


def find_pair(picked: Sequence[Picked], found: Sequence[Candidate]) -> list[Picked]:
    """Return the statement in force and the one that it amends, where the best statement is either; else nothing."""
    if not picked:
        return []
    best = picked[0]
    mine = best.candidate.passage
    amending = _alike(best, [each for each in found if _amends(each.passage, mine)])
    if amending is not None:
        return [Picked(amending, best.relevance), best]
    amended = _alike(best, [each for each in found if _amends(mine, each.passage)])
    return [best, Picked(amended, best.relevance)] if amended is not None else []


def _alike(best: Picked, others: Sequence[Candidate]) -> Candidate | None:
    """Return the candidate that says the same thing with other figures; None without one."""
    alike = [each for each in others if precedence.are_alike(best.candidate.terms, each.terms)]
    return max(alike, key=lambda each: len(best.candidate.terms & each.terms), default=None)


def _amends(one: SourceText, other: SourceText) -> bool:
    return one.title != other.title and any(names_document(each, other.title) for each in one.amends)
