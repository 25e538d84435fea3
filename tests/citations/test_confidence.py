"""Confidence is about the answer: what its statements came to, what is unanswered, and how old the sources are."""

from datetime import date

import pytest

from intelli.citations.confidence import AnswerFacts, StatementFacts, assess
from intelli.citations.wire import Check, Confidence, ConfidenceLevel, JudgedBy, StatementKind
from intelli.reasoning.verbs.judge import Verdict

TODAY = date(2026, 6, 1)
SUPPORTED = StatementFacts(StatementKind.SENTENCE, Verdict.SUPPORTED, Check.VERIFIED, JudgedBy.MODEL, is_cited=True)
FAILED = StatementFacts(StatementKind.SENTENCE, Verdict.CONTRADICTED, Check.FAILED, JudgedBy.MODEL, is_cited=True)
COPIED = StatementFacts(StatementKind.SENTENCE, Verdict.SUPPORTED, Check.VERIFIED, JudgedBy.WORDS, is_cited=True)
SILENT = StatementFacts(StatementKind.ABSENCE, Verdict.SUPPORTED, Check.VERIFIED, JudgedBy.MODEL, is_cited=False)


def _assess(
    *statements: StatementFacts, relevance: float = 1.0, parts: int = 0, newest: date | None = None
) -> Confidence:
    found = assess(AnswerFacts(statements, relevance, parts, newest_source=newest), today=TODAY)
    assert found is not None
    return found


def test_an_answer_whose_statements_are_all_supported_has_high_confidence_and_says_why():
    found = _assess(*[SUPPORTED] * 4, parts=1, newest=date(2025, 3, 14))
    assert found.level is ConfidenceLevel.HIGH
    assert found.summary == "4 of 4 statements supported · newest source March 2025 · 1 part not answered"


def test_one_statement_that_is_wrong_makes_the_answer_wrong():
    found = _assess(*[SUPPORTED] * 9, FAILED)
    assert found.level is ConfidenceLevel.LOW
    assert found.summary == "9 of 10 statements supported · 1 not supported"


@pytest.mark.parametrize("change", [{"parts": 1}, {"newest": date(2019, 1, 1)}])
def test_unanswered_parts_and_old_sources_lower_it(change: dict[str, object]):
    assert _assess(SUPPORTED, **change).score < _assess(SUPPORTED).score  # type: ignore[arg-type]


def test_without_a_judge_the_relevance_of_the_evidence_decides():
    scores = [_assess(COPIED, relevance=relevance).score for relevance in (0.2, 0.5, 0.9)]
    assert scores == sorted(scores)
    assert scores[0] < scores[-1]


def test_what_the_sources_are_silent_on_is_no_statement_of_the_answer():
    assert _assess(SUPPORTED, SILENT).statements == 1
    assert assess(AnswerFacts([SILENT], 1.0), today=TODAY) is None
