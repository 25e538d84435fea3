"""Where sentences end: not behind a day in bold, nor behind the number of a quoted heading."""

import pytest

from intelli.language import sentences


@pytest.mark.parametrize(
    "text",
    [
        "Sie bleibt bis zum **22. März 2028** im Amt.",
        "Der Abschnitt „5. Limitations“ nennt vier Grenzen.",
        "The section “5. Limitations” names four limits.",
    ],
)
def test_a_number_that_counts_what_follows_ends_no_sentence(text: str) -> None:
    spans = sentences.split(f"{text} Then it ends.")

    assert [f"{text} Then it ends."[each.start : each.end] for each in spans] == [text, "Then it ends."]
