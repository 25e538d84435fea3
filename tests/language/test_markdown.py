"""Markdown that shows words as they are."""

import pytest

from intelli.language.markdown import plain


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("two\nlines  of words", "two lines of words"),
        ("# no heading", "\\# no heading"),
        ("- no item", "\\- no item"),
        ("[no](link)", "\\[no\\](link)"),
        ("<b>", "&lt;b&gt;"),
        ("1. first", "1. first"),
    ],
)
def test_words_stay_words(text, shown):
    assert plain(text) == shown
