"""Tokens found word by word are those of the whole text."""

import re
from importlib.resources import files

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tokenizers import Tokenizer

from intelli.reasoning.tokens import (
    _WORD,
    NUMBER,
    WordTokenizer,
    count_tokens,
    numbers_of_each,
    token_numbers,
    tokenize,
)

SIGNS = ["<s>", "</s>", "<unk>", "\u2581", ".", "IL-2)", "(p<0.05),", "m².", "(«so»),", "3—4"]
WORDS = ["a", "the", "ing", "Über", "naïve-T", "東京", "😀", "12", *SIGNS]
PIECES = st.sampled_from([*WORDS, " ", "  ", "\n", "\t", "\r", "\f", "\u00a0"])


@pytest.fixture(scope="module")
def tokenizer() -> Tokenizer:
    name = "tokenizers/l2_supercat_tokenizer_config.json"
    found = Tokenizer.from_str(files("wordllama").joinpath(name).read_text(encoding="utf-8"))
    found.no_padding()
    found.no_truncation()
    return found


def test_no_token_of_the_vocabulary_goes_on_over_the_end_of_a_word(tokenizer: Tokenizer) -> None:
    said = [token.replace("\u2581", " ") for token in tokenizer.get_vocab() if not re.fullmatch("</?.+>", token)]
    assert [token for token in said if len(_WORD.findall(token)) != 1] == []


@given(text=st.one_of(st.lists(PIECES, max_size=20).map("".join), st.text(max_size=60)))
@settings(max_examples=300, deadline=None)
def test_words_one_after_the_other_have_the_tokens_of_the_text(tokenizer: Tokenizer, text: str) -> None:
    whole = tokenizer.encode(text, add_special_tokens=False).ids
    assert token_numbers(text).tolist() == whole
    assert [each.tolist() for each in numbers_of_each(["", text, text])] == [[], whole, whole]
    assert count_tokens([text]) == [len(whole)]


@given(st.data(), st.one_of(st.lists(PIECES, max_size=20).map("".join), st.text(max_size=60)))
@settings(max_examples=300, deadline=None)
def test_a_span_has_the_tokens_that_it_has_by_itself(data: st.DataObject, text: str) -> None:
    places = st.integers(0, len(text))
    spans = data.draw(st.lists(st.tuples(places, places).map(lambda span: (min(span), max(span))), max_size=8))
    alone = [text[start:end] for start, end in spans]
    assert tokenize(text).count(spans) == count_tokens(alone)
    assert [tokenize(text).numbers(*span).tolist() for span in spans] == [
        token_numbers(each).tolist() for each in alone
    ]


@given(st.data(), *(st.one_of(st.lists(PIECES, max_size=12).map("".join), st.text(max_size=40)) for _ in range(2)))
@settings(max_examples=300, deadline=None)
def test_a_span_under_a_heading_has_the_tokens_of_both(data: st.DataObject, text: str, heading: str) -> None:
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    whole = f"{heading}\n{text[start:end]}" if heading else text[start:end]
    assert tokenize(text).numbers(start, end, heading=heading).tolist() == token_numbers(whole).tolist()


@given(text=st.one_of(st.lists(PIECES, max_size=30).map("".join), st.text(alphabet="a \n", max_size=60)))
@settings(max_examples=300, deadline=None)
def test_a_long_text_is_summed_up_part_by_part(text: str) -> None:
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("intelli.reasoning.tokens._STRETCH_CHARS", 3)
        assert tokenize(text).numbers(0, len(text)).tolist() == token_numbers(text).tolist()


def test_an_endless_word_is_cut_up_no_further_than_asked_for(tokenizer: Tokenizer) -> None:
    text = "endless" * 100_000
    assert tokenize(text).count([(7, 70)]) == [len(tokenizer.encode(text[7:70], add_special_tokens=False).ids)]


def test_long_words_are_cut_up_once_for_each_text_that_has_them(tokenizer: Tokenizer) -> None:
    words = [f"{number:x}" * 30 for number in range(1_000, 1_400)]
    counting = Counting(tokenizer)
    assert len(list(WordTokenizer(counting).packed_each(words * 2))) == len(words) * 2  # type: ignore[arg-type]  # it counts
    assert counting.characters < 3 * sum(map(len, words * 2))


class Counting:
    """A tokenizer that knows how many characters it was given."""

    def __init__(self, tokenizer: Tokenizer) -> None:
        self._tokenizer = tokenizer
        self.characters = 0

    def encode(self, text: str, **options: bool) -> object:
        self.characters += len(text)
        return self._tokenizer.encode(text, **options)

    def token_to_id(self, token: str) -> int | None:
        return self._tokenizer.token_to_id(token)


def test_no_token_goes_on_from_a_letter_to_a_digit_or_a_sign(tokenizer: Tokenizer) -> None:
    kinds = re.compile("[A-Za-z]+|[0-9]+|[^A-Za-z0-9]+")
    plain = [token.lstrip("\u2581") for token in tokenizer.get_vocab() if token.lstrip("\u2581").isascii()]
    known = {"<s>", "</s>", "<unk>"} | {f"<0x{byte:02X}>" for byte in range(256)}
    assert [token for token in plain if len(kinds.findall(token)) > 1 and token not in known] == []


def test_no_token_goes_on_over_a_space_or_a_line_feed(tokenizer: Tokenizer) -> None:
    space = "\u2581"
    assert [token for token in tokenizer.get_vocab() if space in token.lstrip(space) or "\n" in token] == []


def test_words_that_were_forgotten_are_learnt_again(tokenizer: Tokenizer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("intelli.reasoning.tokens._KNOWN_WORDS", 3)
    words = WordTokenizer(tokenizer)
    for text in ("one two three four", "five six", "one two seven", "x" * 500):
        numbers = np.frombuffer(words.packed(text), NUMBER).tolist()
        assert numbers == tokenizer.encode(text, add_special_tokens=False).ids
