"""Words without their citations: previews, excerpts and queries, for any text and in linear time."""

import time

from intelli.conversations import search
from intelli.conversations.plain_text import preview, strip_citations


def test_citations_are_left_out_of_what_is_read_elsewhere():
    text = 'Revenue rose. <gml-inlinecitation identifier="a.0-9"/> Costs fell <gml-inlinecitation identifier="b"/>.'
    assert strip_citations(text) == "Revenue rose. Costs fell."
    assert preview("a\n\n  b " * 100) == ("a b " * 25)[:99].rstrip() + "…"


def test_an_excerpt_begins_near_the_first_word_that_was_found():
    text = "word " * 100 + "Kupferdraht costs 412.7" + " tail" * 100
    excerpt = search.make_excerpt(text, search.split_words("kupfer"))
    assert excerpt.startswith("…")
    assert "Kupferdraht" in excerpt[:80]
    assert len(excerpt) <= 201


def test_a_query_cannot_say_more_than_words():
    assert search.split_words("a' | 'b !c (d) <-> e:* \\ &") == ["a", "b", "c", "d", "e"]
    assert search.build_tsquery(["a", "412.7"]) == "'a':* & '412.7':*"


def test_long_runs_of_anything_take_no_time():
    begun = time.process_time()
    for text in (" " * 1_000_000, "<gml-" * 200_000, " <gml-x" * 100_000):
        strip_citations(text)
        search.make_excerpt(text, ["x"])
    assert time.process_time() - begun < 5
