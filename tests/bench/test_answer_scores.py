"""Answers are judged as a careful reader would judge them."""

import pytest
from bench.answer_scores import (
    Outcome,
    contains,
    is_abstention,
    is_near,
    is_right,
    judge,
    normalised,
    wilson,
    without_citations,
)

TAG = '<gml-inlinecitation identifier="a1"/>'
ABSTENTIONS = (
    "NOT FOUND",
    "Not there.",
    "It is not there.",
    "The sources do not answer this question.",
    "The sources do not say when he was born.",
    "The sources don\u2019t mention it.",
    "The context does not provide information about the number of sacks.",
    "The context information does not contain the answer to this question.",
    "The provided context does not mention the name of the bridge.",
    "The given documents do not specify who built it.",
    "I'm sorry, but the provided text does not contain that information.",
    "I\u2019m sorry. The context does not say.",
    "The turbine entry temperature is not provided in the given context information.",
    "There is no information about the chairman in the documents.",
    "There is no mention of his age.",
    "The answer to this question is not found in the provided documents.",
    "None of the passages mentions a chairman.",
    "No source states the price.",
    "I could not find an answer in the library.",
    "I don't know.",
    "Based on the provided context, the answer cannot be determined.",
    "The context does not say. However, it mentions that the Broncos won.",
    "Die Quellen beantworten diese Frage nicht.",
    "Die Quellen sagen dazu nichts.",
    "Der Kontext enthält keine Informationen über den Berater.",
    "Der bereitgestellte Text erwähnt nicht, wer das Amt hatte.",
    "In den Dokumenten wird der Name nicht genannt.",
    "Das steht nicht in den Quellen.",
    "Es gibt keine Angaben dazu.",
    "Die Antwort ist nicht im Kontext enthalten.",
    "Nicht angegeben.",
    "Les sources ne répondent pas à cette question.",
    "Las fuentes no responden a esta pregunta.",
    "",
)
ANSWERS = (
    "1943",
    "Kurt Coleman",
    "No.",
    "He did not answer the letter.",
    "Lady Gaga hat keine Grammy Awards gewonnen.",
    "The treaty does not contain a clause on fishing.",
    "The life of Temüjin is very unclear, as historical records are mostly silent on that period.",
    "The episode is “The Daleks”. The context does not say more.",
    "In the text, the bridge is mentioned.",
    "According to the documents, the tower was not built before 1920.",
    "The context does not say. However, the answer is 1943.",
    "The sources do not say it. It is likely that he was born in 1856.",
    "Es ist die Hauptstadt von Polen.",
    "Der Text stammt von Luther.",
    "The library was never given a roof.",
)


@pytest.mark.parametrize("text", ABSTENTIONS)
def test_what_says_that_the_sources_do_not_say_it_abstains(text: str):
    assert is_abstention(text, ["Smith and Jones"])


@pytest.mark.parametrize("text", ANSWERS)
def test_what_answers_does_not_abstain(text: str):
    assert not is_abstention(text)


def test_an_answer_with_the_right_string_never_abstains():
    assert is_abstention("The sources do not say how old he was, only that he was young.", ["38"])
    assert not is_abstention("The sources do not say it outright, but he was 38.", ["38"])


def test_words_are_compared_without_case_punctuation_and_articles():
    assert normalised("The U.S. Supreme Court\u2019s “Rule”, a first") == "us supreme courts rule first"
    assert normalised("Der 100\u2013150 Jahre alte Baum") == "100 150 jahre alte baum"


@pytest.mark.parametrize(
    ("text", "answer", "is_there"),
    [
        ("It was 136 sacks.", "136", True),
        ("It was 1136 sacks.", "136", False),
        ("the known client", "a known client", True),
        ("about 100-150 species", "100\u2013150", True),
        ("5,100 names", "5,100", True),
        ("It is called the a.", "the", True),
    ],
)
def test_an_answer_is_found_in_whole_words(text: str, answer: str, is_there: bool):
    assert contains(text, answer) is is_there


def test_a_long_answer_is_right_only_if_it_says_it_early():
    words = "word " * 59
    assert is_right(f"{words}Manning", ["Manning"])
    assert not is_right(f"{words}word Manning", ["Manning"])


def test_citations_do_not_count_as_words():
    assert without_citations(f"He was 38 {TAG}. Indeed [1, 2] so [s3].") == "He was 38 . Indeed  so ."
    assert is_right(f"{'word ' * 59}{TAG} {TAG} 38", ["38"])


def test_a_part_of_the_answer_is_near():
    assert is_near("1756", ["May 18, 1756", "another"])
    assert not is_near("in the year 1756, that is to say", ["May 18, 1756"])
    assert not is_near("", [""])


@pytest.mark.parametrize(
    ("text", "is_answerable", "outcome"),
    [
        ("Ward", True, Outcome.RIGHT),
        ("Newton", True, Outcome.WRONG),
        ("The sources do not say.", True, Outcome.ABSTAINED),
        ("Newton", False, Outcome.MADE_UP),
        ("Ward", False, Outcome.MADE_UP),
        ("The sources do not say.", False, Outcome.ABSTAINED),
    ],
)
def test_an_answer_is_judged_by_what_the_library_has(text: str, is_answerable: bool, outcome: Outcome):
    assert judge(text, ["Ward"], is_answerable=is_answerable) is outcome


def test_the_interval_of_a_share_is_wilsons():
    assert wilson(0, 0) == (0.0, 1.0)
    low, high = wilson(9, 24)
    assert (round(low, 3), round(high, 3)) == (0.212, 0.573)
    assert wilson(0, 10)[0] == 0.0
    assert wilson(10, 10)[1] == pytest.approx(1.0)
