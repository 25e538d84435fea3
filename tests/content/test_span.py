"""Spans: an identifier can be read back, and a part of a span has the words it is said to have."""

import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from intelli.content.passage import Passage
from intelli.content.span import Span, SpanAddress, parse_identifier

HASHES = st.binary(max_size=8).map(lambda content: hashlib.sha256(content).hexdigest())


@st.composite
def cuts(draw: st.DrawFn, size: int) -> tuple[int, int]:
    """Where something of a size is cut: a start, and an end that is not before it."""
    start, end = sorted(draw(st.tuples(st.integers(0, size), st.integers(0, size))))
    return start, end


@st.composite
def nested(draw: st.DrawFn) -> tuple[str, Span, tuple[int, int]]:
    """A text, a span of it, and a part of that span."""
    text = draw(st.text())
    start, end = draw(cuts(len(text)))
    return text, Span(draw(HASHES), start, end), draw(cuts(end - start))


@given(HASHES, cuts(10**12))
def test_an_identifier_is_read_back(sha256: str, cut: tuple[int, int]):
    span = Span(sha256, *cut)
    assert parse_identifier(span.identifier) == SpanAddress(sha256[:16], span.start, span.end)


@given(st.text() | st.from_regex(r"[0-9a-f]{14,18}\.[0-9]{1,3}-[0-9]{1,3}", fullmatch=True))
def test_what_is_read_as_an_identifier_is_one(text: str):
    address = parse_identifier(text)
    if address is not None:
        assert Span(address.sha256_prefix, address.start, address.end).identifier == text


@pytest.mark.parametrize("text", ["", "s1", "0123456789abcdef", "0123456789abcdef.7-3", "0123456789abcdef.07-9"])
def test_other_texts_are_no_identifiers(text: str):
    assert parse_identifier(text) is None
    assert parse_identifier(f"0123456789abcdef.1-{'9' * 5000}") is None


@given(nested())
def test_a_part_of_a_span_has_the_words_at_its_offsets(given: tuple[str, Span, tuple[int, int]]):
    text, span, (start, end) = given
    part = span.part(start, end)
    assert part.text_in(text) == span.text_in(text)[start:end]
    assert part.offsets_in(span) == (start, end)
    assert part.sha256 == span.sha256


def test_a_span_does_not_end_before_it_begins():
    for start, end in ((-1, 3), (4, 3)):
        with pytest.raises(ValueError, match="cannot go"):
            Span("ab", start, end)


def test_a_narrowed_passage_names_its_quote_and_keeps_the_words_around_it():
    passage = Passage(Span("ab" * 32, 10, 24), "Two grey geese", title="geese.txt", path="", mime_type="", score=1.0)
    quoted = passage.narrowed(4, 8)
    assert (quoted.identifier, quoted.text) == ("abababababababab.14-18", "Two grey geese")
