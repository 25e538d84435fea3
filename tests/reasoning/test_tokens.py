"""Tokens found word by word are those of the whole text."""

from importlib.resources import files

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tokenizers import Tokenizer

from intelli.reasoning.tokens import Words, count_tokens, token_numbers

WORDS = ["a", "the", "ing", "Über", "東京", "😀", "<s>", "</s>", "<unk>", "\u2581", ".", "12"]
PIECES = st.sampled_from([*WORDS, " ", "  ", "\n", "\t", "\r", "\f", "\u00a0"])


@pytest.fixture(scope="module")
def tokenizer() -> Tokenizer:
    name = "tokenizers/l2_supercat_tokenizer_config.json"
    found = Tokenizer.from_str(files("wordllama").joinpath(name).read_text(encoding="utf-8"))
    found.no_padding()
    found.no_truncation()
    return found


@given(text=st.one_of(st.lists(PIECES, max_size=20).map("".join), st.text(max_size=60)))
@settings(max_examples=300, deadline=None)
def test_words_one_after_the_other_have_the_tokens_of_the_text(tokenizer: Tokenizer, text: str) -> None:
    whole = tokenizer.encode(text, add_special_tokens=False).ids
    assert token_numbers(text) == whole
    assert count_tokens([text]) == [len(whole)]


def test_no_token_goes_on_over_a_space_or_a_line_feed(tokenizer: Tokenizer) -> None:
    space = "\u2581"
    assert [token for token in tokenizer.get_vocab() if space in token.lstrip(space) or "\n" in token] == []


def test_words_that_were_forgotten_are_learnt_again(tokenizer: Tokenizer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("intelli.reasoning.tokens._KNOWN_WORDS", 3)
    words = Words(tokenizer)
    for text in ("one two three four", "five six", "one two seven", "x" * 500):
        assert words.numbers(text) == tokenizer.encode(text, add_special_tokens=False).ids
