"""Negation in a text."""

import pytest

from intelli.language import negation


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("The plant did not open.", "not"),
        ("It isn\u2019t open.", "n\u2019t"),
        ("The firm cannot pay.", "cannot"),
        ("The report fails to say so.", "fails to"),
        ("Das Werk wurde nicht er\u00f6ffnet.", "nicht"),
        ("Es gab keinerlei Hinweise.", "keinerlei"),
        ("Elle n'est jamais venue.", "jamais"),
        ("\u4ed6\u4e0d\u6765", "\u4e0d"),
    ],
)
def test_a_negation_is_found_with_its_word(text, word):
    assert negation.find_negation(text) == word


@pytest.mark.parametrize(
    "text",
    [
        "The plant opened.",
        "Not only the plant opened.",
        "including but not limited to plants",
        "A notable knot.",
        "Das Werk ist noch offen.",
        "",
    ],
)
def test_what_denies_nothing_has_no_negation(text):
    assert not negation.is_negated(text)


def test_a_limit_that_is_denied_is_a_negation():
    assert negation.is_negated("Liability is not limited.")


def test_a_caller_may_say_which_words_count():
    assert negation.is_negated("im Mai")
    assert not negation.is_negated("im Mai", negation.negations("de"))
