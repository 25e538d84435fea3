"""Marks of outcomes: each has a sign, a word and a meaning."""

import pytest

from intelli.citations import marks
from intelli.citations.wire import Check
from intelli.reasoning.verbs.judge import Verdict


@pytest.mark.parametrize("outcome", [*Check, *Verdict])
def test_every_outcome_has_a_sign_a_word_and_a_meaning(outcome):
    assert len(marks.SIGNS[outcome]) == 1
    assert marks.WORDS[outcome]
    assert marks.MEANINGS[outcome].endswith(".")


@pytest.mark.parametrize("outcomes", [Check, Verdict])
def test_no_two_outcomes_look_alike(outcomes):
    assert len({marks.mark(outcome) for outcome in outcomes}) == len(outcomes)
    assert len({marks.SIGNS[outcome] for outcome in outcomes}) == len(outcomes)


def test_a_line_of_text_has_sign_and_word():
    assert marks.mark("weak") == "≈ in other words"
