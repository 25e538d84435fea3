"""Sentences: every language's way of ending one, and nothing else."""
# ruff: noqa: RUF001

import time
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from intelli.language import sentences


def split(text: str) -> list[str]:
    return [text[each.start : each.end] for each in sentences.split(text)]


@pytest.mark.parametrize(
    "parts",
    [
        ["Dr. Smith of Acme Inc. earned 3.5 million U.S. dollars in 2020.", "He left."],
        ["J. K. Rowling wrote it!", "(See Fig. 3.)", "So it is."],
        ['"Really?" he said.', "She nodded."],
        ["Der Umsatz stieg z. B. um 4,5 Mio. Euro.", "Das ist viel."],
        ["Он родился в 1990 г. в Москве.", "Потом уехал."],
        ["¿Qué pasó?", "El Sr. López llegó."],
        ["It works, e.g. here.", "And there…", "Wait!"],
    ],
)
def test_sentences_end_where_a_reader_ends_them(parts: list[str]) -> None:
    assert split(" ".join(parts)) == parts


def test_scripts_without_spaces_and_from_right_to_left_are_split() -> None:
    assert split("他来了。她走了！好吗？") == ["他来了。", "她走了！", "好吗？"]
    assert split("لماذا حدث ذلك؟ هذا سبب. نعم هو.") == ["لماذا حدث ذلك؟", "هذا سبب.", "نعم هو."]


def test_lists_and_blank_lines_end_sentences_without_a_full_stop() -> None:
    assert split("Heading here\n\n1. First item\n2. Second item\n- third one") == [
        "Heading here",
        "1. First item",
        "2. Second item",
        "- third one",
    ]


def test_rows_of_a_table_stand_alone() -> None:
    assert split("Year | Sales\n2019 | 4.1\n2020 | 5.3") == ["Year | Sales", "2019 | 4.1", "2020 | 5.3"]
    assert split("A wrapped\nline is one.") == ["A wrapped\nline is one."]


def test_a_sentence_goes_on_behind_a_page_break() -> None:
    assert split("It pays. It will not pay any costs\fthat exceed the limit. So it is.") == [
        "It pays.",
        "It will not pay any costs\fthat exceed the limit.",
        "So it is.",
    ]
    assert split("Die Kasse zahlt nicht,\n\f\nwenn der Antrag fehlt.") == [
        "Die Kasse zahlt nicht,\n\f\nwenn der Antrag fehlt."
    ]
    assert split("Costs and limits\fThe plan pays.") == ["Costs and limits", "The plan pays."]
    assert split("It pays.\fiPhones are covered.") == ["It pays.", "iPhones are covered."]
    assert split("2019 | 4.1\fyear | 5.3") == ["2019 | 4.1", "year | 5.3"]


def test_a_text_without_any_full_stop_is_cut_at_a_breath() -> None:
    found = split("word " * 1000)

    assert len(found) > 1
    assert all(len(each) <= 1200 for each in found)
    assert " ".join(found).split() == ["word"] * 1000


@given(st.text(alphabet=st.sampled_from("aA1. \n!?。\"')\f-"), max_size=200))
def test_sentences_are_in_order_apart_and_lose_nothing_but_space_and_marks(text: str) -> None:
    found = sentences.split(text)

    assert all(one.end <= other.start for one, other in pairwise(found))
    assert all(text[each.start : each.end].strip() == text[each.start : each.end] for each in found)
    kept = "".join(text[each.start : each.end] for each in found)
    assert [c for c in kept if c.isalnum()] == [c for c in text if c.isalnum()]


@pytest.mark.parametrize(
    "piece",
    ["a. ", "word ", "\n ", ".", ".)", "A. ", "x. A ", "(", "1. ", "\n- ", "\nx", "\n" + "x" * 30, "\n |"],
)
def test_time_grows_with_the_length_and_no_faster(piece: str) -> None:
    def took_s(count: int) -> float:
        text = piece * count
        began = time.process_time()
        sentences.statements(text)
        return time.process_time() - began

    assert took_s(80_000) < 12 * max(took_s(20_000), 0.01)


def test_what_opens_a_list_is_given_with_its_list_or_not_at_all():
    text = "The plan covers:\n• lessons\n• camps\n\nIt is popular. See also:"
    assert [text[each.start : each.end] for each in sentences.statements(text)] == [
        "The plan covers:\n• lessons\n• camps",
        "• lessons",
        "• camps",
        "It is popular.",
    ]


def test_a_heading_is_a_line_of_its_own_and_says_nothing():
    text = "# Annual report\n\n## People\nWe were many. We grew.\n## Claims\nThey fell."
    parts = [text[each.start : each.end] for each in sentences.split(text)]
    assert parts == ["# Annual report", "## People", "We were many.", "We grew.", "## Claims", "They fell."]
    assert [text[each.start : each.end] for each in sentences.statements(text)] == [parts[2], parts[3], parts[5]]


def test_a_number_with_a_full_stop_before_a_month_is_a_day():
    text = "Die Arbeit soll bis zum 30. Mai 2025 fertig sein. Im 3. Quartal folgt mehr. Es waren 48. Alle kamen."
    found = [text[each.start : each.end] for each in sentences.split(text)]
    assert found == [
        "Die Arbeit soll bis zum 30. Mai 2025 fertig sein.",
        "Im 3. Quartal folgt mehr.",
        "Es waren 48.",
        "Alle kamen.",
    ]
