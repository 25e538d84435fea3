"""Citations in texts: the shared cases, and any text at all, in linear time."""

import time
from typing import Any

import pytest
from hypothesis import given
from tests.citations.texts import CASES, anything

from intelli.citations.parse import LONGEST, parse, segments, tag


@pytest.mark.parametrize("case", CASES["parse"], ids=lambda case: str(case["name"]))
def test_citations_are_found_as_the_cases_say(case: dict[str, Any]):
    found = parse(case["text"])
    assert [
        {"text": each.text, "start": each.start, "end": each.end, "identifier": each.identifier, "form": each.form}
        for each in found
    ] == case["citations"]


@pytest.mark.parametrize("case", CASES["segments"], ids=lambda case: str(case["name"]))
def test_a_text_falls_into_segments_as_the_cases_say(case: dict[str, Any]):
    said = [
        {"text": each.text}
        if each.ordinal is None
        else {"text": each.text, "ordinal": each.ordinal, "identifier": each.identifier}
        for each in segments(case["text"])
    ]
    assert said == case["segments"]


def test_the_cases_know_how_long_a_citation_can_be():
    assert CASES["longest"] == LONGEST


@given(anything)
def test_what_is_found_stands_there_in_order_and_does_not_overlap(text: str):
    at = 0
    for each in parse(text):
        assert at <= each.start < each.end
        assert text[each.start : each.end] == each.text
        assert each.end - each.start <= LONGEST + 1002
        at = each.end


@given(anything)
def test_segments_make_up_the_text(text: str):
    assert "".join(each.text for each in segments(text)) == text


def test_a_citation_is_read_as_it_was_written():
    for identifier in ("9f86d081884c7d65.0-44", "a&b", 'a"b', "a<b>", "\u00e4", "https://x.org/?a=1&b=2"):
        assert [each.identifier for each in parse(f"Rose. {tag(identifier)}")] == [identifier]


@pytest.mark.parametrize(
    "piece",
    ["[", "]", "[]", "[[a]", "[a\n", "{", "{citation:", "<", "<gml-", "`", "`` ` ", "\\", "\n", "```\n", "[a]:b "],
)
def test_much_of_anything_takes_linear_time(piece: str):
    """Eight times the text would take sixty-four times as long if it were not."""
    times = []
    for size in (25_000, 200_000):
        text = piece * (size // len(piece))
        times.append(min(_seconds(text) for _ in range(3)))
    assert times[1] < 24 * times[0] + 0.5


def _seconds(text: str) -> float:
    """What reading a text takes this thread."""
    begun = time.thread_time()
    parse(text)
    return time.thread_time() - begun
