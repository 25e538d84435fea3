"""What a query wants as it is written: quoted, or with signs that the index of words does not know."""

import pytest
from tests.retrieval.makers import Shelf

from intelli.retrieval import literals

RULE = "Under §12(3) of the statute the board may reject it."
NOISE = [f"Row {n}: 12 of 3, then 3 of 12, and {n} more of the statute's 12." for n in range(40)]


@pytest.mark.parametrize(
    ("query", "texts", "weight"),
    [
        ("§12(3)", ("§12(3)",), 1),
        ("C++", ("C++",), 1),
        ("AT&T 2024", ("AT&T",), 0.5),
        ("U.S.A.", ("U.S.A",), 1),
        ("insulin, glucose", (), 0),
        ("What does insulin do?", (), 0),
        ("How does IL-2 act on T-cells of the mouse?", (), 0),
        ('who said "cut the red wire" and when was it', ("cut the red wire",), 1 / 7),
        ("„der rote  Draht“", ("der rote Draht",), 1),
        ("«le fil rouge»", ("le fil rouge",), 1),
        ('"', (), 0),
        ("أين تقع الجامعة؟", (), 0),
        ("氮循环是什么\uff1f", (), 0),
        ("会议10:45开始", (), 0),
        ("chiffre d'affaires", (), 0),
        ("(bees) [hives]!", (), 0),
        ("Was kostet das?", (), 0),
        ("10:45", ("10:45",), 1),
        (".NET €7, 3.5%.", (".NET", "€7", "3.5%"), 1),
    ],
)
def test_a_query_tells_what_it_wants_as_it_is_written(query: str, texts: tuple[str, ...], weight: float):
    asked = literals.parse(query)
    assert (asked.texts, asked.weight) == (texts, pytest.approx(weight))


async def test_the_passage_that_has_it_as_it_is_written_comes_first(shelf: Shelf):
    await shelf.put("/noise.txt", *NOISE)
    await shelf.put("/rule.txt", RULE, "Nothing of the kind stands here.")
    found = await shelf.search("§12(3)", limit=3)
    assert found.sources[0].excerpts[0].content == RULE
    assert found.sources[0].relevance_score >= 0.9
    assert found.sources[1].relevance_score < 0.5


async def test_what_only_resembles_it_is_little_evidence(shelf: Shelf):
    await shelf.put("/noise.txt", *NOISE)
    found = await shelf.search("§12(3)")
    assert max(source.relevance_score for source in found.sources) < 0.5


async def test_a_quoted_phrase_is_found_over_the_end_of_a_line_and_before_its_words_in_another_order(shelf: Shelf):
    await shelf.put("/words.txt", "The wire that is red was cut; cut wire, red wire, the wire.")
    await shelf.put("/phrase.txt", "Nobody may ever Cut the red\nwire without a permit from the office.")
    assert await shelf.names('"the red wire"', limit=1) == ["phrase.txt"]


async def test_a_literal_is_looked_for_within_the_filters_only(shelf: Shelf):
    await shelf.put("/near/rule.txt", RULE)
    await shelf.put("/far/other.txt", "Paragraph 12 has 3 parts.")
    assert await shelf.names("§12(3)", folder="/far") == ["other.txt"]
