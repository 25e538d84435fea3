"""Confidence in an answer: the probability that it is right, and in words what that rests on.

It is about the answer and not about the quotes: which of its statements are supported and by whose judgement, whether
parts of the question are unanswered, whether sources disagree, and how old they are. Without a judge the relevance of
the evidence says most, by two weights that are learnt on labelled answers; the others are chosen. `bench/confidence.py`
learns those and measures how far all of them are off.
"""

import calendar
import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from intelli.citations.wire import Check, Confidence, ConfidenceLevel, JudgedBy, StatementKind
from intelli.reasoning.verbs.judge import Verdict

_HIGH, _MEDIUM = 0.75, 0.45
# Log-odds of a right answer, where a model judged it, and where the sources' own words stand alone. Learnt are the base
# and the relevance of the latter.
_JUDGED = {"base": 3.4, "failed": -5.0, "partly": -2.5, "open": -1.6, "unanswered": -0.7, "disagreements": -0.5}
_EXTRACTED = {"base": 0.8, "relevance": 0.6, "open": -0.6, "unanswered": -0.7, "disagreements": -0.5}
_DAYS_A_YEAR = 365
_OLD_YEARS = 3
_OLD = -0.3
_MOST_COUNTED = 2
# What tells nothing about an answer: a frame, what says that sources are silent, the writer's own reckoning.
_ASIDE = {StatementKind.ABSENCE, StatementKind.OWN}


@dataclass(frozen=True, slots=True)
class StatementFacts:
    """What confidence needs of a checked statement."""

    kind: StatementKind
    verdict: Verdict
    check: Check
    judged_by: JudgedBy
    is_cited: bool


@dataclass(frozen=True, slots=True)
class AnswerFacts:
    """What is known of an answer. `relevance` says how well the evidence fits the question, from 0 to 1."""

    statements: Sequence[StatementFacts]
    relevance: float
    unanswered_parts: int = 0
    disagreements: int = 0
    newest_source: date | None = None


def assess(facts: AnswerFacts, *, today: date) -> Confidence | None:
    """Return the confidence in an answer; None for one that states nothing with a citation."""
    stated = [each for each in facts.statements if each.is_cited and each.kind not in _ASIDE]
    if not stated:
        return None
    score = round(1 / (1 + math.exp(-_log_odds(facts, stated, today))), 4)
    level = ConfidenceLevel.HIGH if score >= _HIGH else ConfidenceLevel.MEDIUM
    supported = sum(each.verdict is Verdict.SUPPORTED for each in stated)
    return Confidence(
        level=level if score >= _MEDIUM else ConfidenceLevel.LOW,
        score=score,
        supported=supported,
        statements=len(stated),
        unanswered_parts=facts.unanswered_parts,
        disagreements=facts.disagreements,
        newest_source=facts.newest_source,
        summary=_summary(facts, stated, supported),
    )


def _log_odds(facts: AnswerFacts, stated: Sequence[StatementFacts], today: date) -> float:
    is_judged = any(each.judged_by in {JudgedBy.MODEL, JudgedBy.ENTAILMENT} for each in stated)
    weights = _JUDGED if is_judged else _EXTRACTED
    odds = weights["base"] + weights["unanswered"] * min(facts.unanswered_parts, _MOST_COUNTED)
    odds += weights["disagreements"] * min(facts.disagreements, _MOST_COUNTED) + _age(facts.newest_source, today)
    counts = Counter(each.check if each.verdict is not Verdict.PARTLY else Verdict.PARTLY for each in stated)
    doubtful = (counts[Check.WEAK] + counts[Check.UNCHECKED]) / len(stated)
    # One statement that is wrong makes the answer wrong, however many are right beside it.
    odds += _JUDGED["failed"] * (counts[Check.FAILED] > 0) + _JUDGED["partly"] * (counts[Verdict.PARTLY] > 0)
    odds += weights["open"] * doubtful
    return odds if is_judged else odds + weights["relevance"] * _logit(facts.relevance)


def _logit(share: float) -> float:
    inside = min(max(share, 0.02), 0.98)
    return math.log(inside / (1 - inside))


def _age(newest: date | None, today: date) -> float:
    return _OLD if newest is not None and (today - newest).days > _OLD_YEARS * _DAYS_A_YEAR else 0.0


def _summary(facts: AnswerFacts, stated: Sequence[StatementFacts], supported: int) -> str:
    """What the confidence rests on: "4 of 4 statements supported · newest source March 2025 · 1 part not answered"."""
    failed = sum(each.check is Check.FAILED for each in stated)
    parts = [f"{supported} of {_counted(len(stated), 'statement')} supported"]
    if failed:
        parts.append(f"{failed} not supported")
    if facts.newest_source is not None:
        parts.append(f"newest source {calendar.month_name[facts.newest_source.month]} {facts.newest_source.year}")
    if facts.unanswered_parts:
        parts.append(f"{_counted(facts.unanswered_parts, 'part')} not answered")
    if facts.disagreements:
        parts.append(f"sources disagree on {_counted(facts.disagreements, 'point')}")
    return " \u00b7 ".join(parts)


def _counted(count: int, noun: str) -> str:
    return f"{count} {noun}{'' if count == 1 else 's'}"
