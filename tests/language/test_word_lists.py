"""Word lists: one file a language, which the other modules read."""

import pytest

from intelli.language import dates, numbers, scales, units
from intelli.language.languages import CODES, languages
from intelli.reasoning.extractive import phrases

_CHECKED = ("negations", "absence", "own", "numbering", "opposites", "universal", "partial", "number_words")


@pytest.mark.parametrize("code", CODES)
def test_every_language_has_the_phrases_of_the_reasoner(code):
    assert phrases.phrases_in(code).unanswered


@pytest.mark.parametrize("code", ["en", "de"])
@pytest.mark.parametrize("name", _CHECKED)
def test_english_and_german_have_every_list_that_a_check_needs(code, name):
    assert getattr(languages()[code], name)


@pytest.mark.parametrize("code", CODES)
def test_words_are_lower_case_as_texts_are_compared(code):
    for name, listed in languages()[code]:
        if name not in {"stemmer", "compounds"}:
            assert str(listed) == str(listed).lower(), name


@pytest.mark.parametrize("code", CODES)
def test_no_word_is_its_own_opposite(code):
    assert [pair for pair in languages()[code].opposites if len(set(pair)) < 2 or not all(pair)] == []


@pytest.mark.parametrize("code", CODES)
def test_no_quantifier_means_both_all_and_a_part(code):
    assert languages()[code].universal & languages()[code].partial == set()


def test_a_year_has_twelve_months_in_every_language_that_names_them():
    assert {len(known.months) for known in languages().values()} <= {0, 12}
    assert dates.months()["m\u00e4rz"] == dates.months("en")["mar"] == 3


def test_articles_are_no_numbers():
    assert "ein" not in languages()["de"].number_words
    assert languages()["de"].number_words["zw\u00f6lf"] == numbers.COUNTED["twelve"] == 12


@pytest.mark.parametrize(("word", "power"), [("Mrd", 9), ("million", 6), ("milliards", 9), ("tausend", 3)])
def test_a_scale_is_known_in_every_language(word, power):
    assert scales.SCALE_OF[word.lower()] == power


@pytest.mark.parametrize(
    ("written", "unit"), [("%", "percent"), ("Prozent", "percent"), ("US$", "usd"), ("euros", "eur"), ("metres", "")]
)
def test_a_unit_has_one_name_however_it_is_written(written, unit):
    assert units.unit_of(written) == unit
