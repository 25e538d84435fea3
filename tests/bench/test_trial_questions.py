"""The trial's questions fit their folders, and an answer is scored by what it says and cites."""

from dataclasses import replace

import pytest
from bench.trial_questions import FOLDER, TrialQuestion, load_questions, score_answer

QUESTIONS = load_questions()
ASKED = TrialQuestion(
    id="x",
    folder="acquisition",
    kind="fact",
    question="How much?",
    must=(("2.1", "2,1"), ("30 June 2028",)),
    must_not=("runs until 2025",),
    sources=(("a.md", "b.md"), ("c.csv",)),
    gold="2.1 until 30 June 2028.",
)


def test_there_are_ten_questions_for_each_folder():
    assert len({each.id for each in QUESTIONS}) == len(QUESTIONS) == 30
    for folder in ("acquisition", "verein", "fieldwork"):
        assert sum(each.folder == folder for each in QUESTIONS) == 10


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda each: each.id)
def test_the_gold_answer_is_right_and_its_sources_are_in_the_folder(question: TrialQuestion):
    assert question.question
    assert all(question.must)
    score = score_answer(question, question.gold, [name for group in question.sources for name in group])
    assert score.is_right, score
    assert score.is_cited, score
    for name in {name for group in question.sources for name in group}:
        assert (FOLDER / question.folder / name).is_file(), name


def test_an_answer_that_says_and_cites_everything_is_right():
    score = score_answer(ASKED, "It was **2,1** million [1] and runs until\n30\u00a0June 2028.", {"B.md", "c.csv"})
    assert score.is_right
    assert score.is_cited


def test_what_is_missing_wrong_and_uncited_is_told():
    score = score_answer(ASKED, "It Runs until 2025, at 2.1.", {"a.md"})
    assert score.missing == (("30 June 2028",),)
    assert score.wrong == ("runs until 2025",)
    assert score.uncited == (("c.csv",),)
    assert not score.is_right
    assert not score.is_cited


@pytest.mark.parametrize("answer", ["12.1", "2.15", "1,2.1", "2.1.5", "2.1,5"])
def test_a_number_is_not_found_within_a_longer_one(answer: str):
    assert score_answer(replace(ASKED, must=(("2.1",),)), answer).missing


@pytest.mark.parametrize("answer", ["2.1", "(2.1)", "EUR 2.1m.", "2.1, and more", "2.1% [3]", "\u22122.1", "2.1\u00b9"])
def test_a_number_is_found_beside_other_signs(answer: str):
    assert not score_answer(replace(ASKED, must=(("2.1",),)), answer).missing


def test_a_name_with_a_number_is_found_before_a_cell_with_another():
    asked = replace(ASKED, must=(("HF-06",),))
    assert not score_answer(asked, "HF-06,114.4").missing
    assert score_answer(asked, "HF-061").missing
