"""Holding back half a citation: the shared cases, and any text in any chunks."""

import time
from typing import Any

import pytest
from hypothesis import given
from tests.citations.texts import CASES, chunked

from intelli.citations.buffer import CitationBuffer
from intelli.citations.parse import CitationForm, parse
from intelli.citations.resolve import CitationResolver, resolve_citations

Chunked = tuple[str, list[str]]


@pytest.mark.parametrize("case", CASES["buffer"], ids=lambda case: str(case["name"]))
def test_chunks_are_held_and_let_go_as_the_cases_say(case: dict[str, Any]):
    buffer = CitationBuffer()
    for chunk, ready in zip(case["chunks"], case["ready"], strict=True):
        before = buffer.ready_length
        assert buffer.feed(chunk) is (ready > before)
        assert buffer.ready == "".join(case["chunks"])[:ready]
    assert buffer.full == "".join(case["chunks"])


@given(chunked())
def test_however_a_text_is_cut_nothing_is_lost_or_reordered(given: Chunked):
    text, chunks = given
    whole, buffer = CitationBuffer(), CitationBuffer()
    whole.feed(text)
    seen = ""
    for chunk in chunks:
        buffer.feed(chunk)
        assert buffer.ready.startswith(seen)
        assert buffer.full.startswith(buffer.ready)
        seen = buffer.ready
    assert buffer.ready == whole.ready
    buffer.end()
    assert buffer.ready == buffer.full == text


@given(chunked())
def test_half_a_citation_is_never_ready(given: Chunked):
    text, chunks = given
    inside = {
        offset
        for each in parse(text)
        if each.form is not CitationForm.DEFINITION
        for offset in range(each.start + 1, each.end)
    }
    buffer = CitationBuffer()
    for chunk in chunks:
        buffer.feed(chunk)
        assert buffer.ready_length not in inside


@given(chunked())
def test_a_text_is_settled_the_same_in_a_stream_and_at_once(given: Chunked):
    text, chunks = given
    known = {"known"}
    whole = resolve_citations(text, known).text
    settling = CitationResolver(known)
    told = ""
    for chunk in chunks:
        told += settling.feed(chunk)
        assert whole.startswith(told)
    assert told + settling.end() == whole


def test_what_names_nothing_known_is_taken_out_and_named():
    text = 'Rose {citation:lost} fast [known], see [sic]. <gml-inlinecitation identifier="gone"/>'
    settled = resolve_citations(text, {"known"})
    assert settled.text == 'Rose fast <gml-inlinecitation identifier="known"/>, see [sic].'
    assert settled.unknown == ("lost", "gone")


@pytest.mark.parametrize("piece", ["[", "[]", "{", "<gml-", "\\", "a", "[a\n"])
def test_much_of_anything_is_taken_in_linear_time(piece: str):
    times = []
    for size in (25_000, 200_000):
        text = piece * (size // len(piece))
        buffer = CitationBuffer()
        begun = time.process_time()
        for at in range(0, len(text), 997):
            buffer.feed(text[at : at + 997])
        times.append(time.process_time() - begun)
    assert times[1] < 24 * times[0] + 0.5
