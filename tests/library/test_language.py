"""The language of a text is that of most of its beginning."""

import pytest

from intelli.language.identify import find_language

ENGLISH = "The harbour was widened in spring, and ships of every size have come in since then without waiting. "
GERMAN = "Der Hafen wurde im Frühjahr erweitert, und seither laufen Schiffe jeder Größe ein, ohne zu warten. "
SPANISH = "El puerto se amplió en primavera y desde entonces entran barcos de todos los tamaños sin esperar. "


@pytest.mark.parametrize(("text", "language"), [(ENGLISH, "en"), (GERMAN, "de"), (SPANISH, "es")])
@pytest.mark.parametrize("times", [1, 7, 60])
def test_a_text_of_any_length_is_told(text: str, language: str, times: int) -> None:
    assert find_language(text * times) == language


def test_an_abstract_in_another_language_does_not_decide() -> None:
    assert find_language(ENGLISH * 5 + GERMAN * 40) == "de"


@pytest.mark.parametrize("text", ["", "2019 2020 2021", "OK", "12,5 % - 13,1 % " * 200])
def test_what_is_no_language_is_not_told(text: str) -> None:
    assert find_language(text) is None
